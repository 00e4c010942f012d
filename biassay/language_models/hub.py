"""Download of language models from the hub at a pinned revision."""

import logging
import shutil
from pathlib import Path

from biassay.core.redaction import redact
from biassay.language_models import model_files

UNKNOWN = "unknown"  # the newest revision


def download(hub: str, revision: str, out: str | Path) -> None:
    """Copy a model of the hub to a folder, from the local cache if it is there.

    Parameters
    ----------
    hub
        Name of the model on the hub.
    revision
        The 40 digits of a commit, or "unknown" for the newest, which is logged to be pinned.

    Raises
    ------
    ValueError
        If the download fails, and for a model without safetensors weights.
    """
    try:
        from huggingface_hub import snapshot_download
        from huggingface_hub.errors import HfHubHTTPError
    except ImportError as error:
        raise ValueError(f"{hub}: downloads from the hub need transformers; pip install 'biassay[models]'") from error
    try:
        wanted = None if revision == UNKNOWN else revision
        cached = Path(snapshot_download(hub, revision=wanted, allow_patterns=model_files.DOWNLOADED))
    except (HfHubHTTPError, OSError, ValueError) as error:
        reason = redact(str(error).strip().split("\n")[0])
        raise ValueError(
            f"{hub}: download of revision {revision} failed ({reason}); offline, put its config.json, "
            "model.safetensors and tokenizer files into a folder and set `path` instead of `hub` and `revision`"
        ) from error
    if missing := model_files.missing_files(cached):
        raise ValueError(f"{hub}: revision {revision} lacks {missing} (weights in other formats are not read)")
    model_files.check_files(cached)
    shutil.copytree(cached, out, dirs_exist_ok=True)
    if wanted is None:
        logging.warning("%s: downloaded the newest revision; to pin it, set revision: %s", hub, cached.name)
