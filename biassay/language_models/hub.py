"""Language models of the hub, downloaded at a pinned revision."""

import logging
import shutil
from pathlib import Path

from biassay.language_models import model_files
from biassay.support.redaction import redact

UNKNOWN = "unknown"  # a revision that is to be found out


def download(hub: str, revision: str, out: str | Path) -> None:
    """Copy a model of the hub, at a revision (the 40 digits of a commit), to a folder; from the local cache if there.

    The revision "unknown" takes the newest, and logs which that is, to be pinned. Raises ValueError that says, offline,
    what to put where, and for a model without safetensors weights.
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
            f"{hub} at revision {revision} could not be had from the hub ({reason}). Without a network, put its "
            "config.json, model.safetensors and tokenizer files into a folder, and give that as `path` in place of "
            "`hub` and `revision`"
        ) from error
    if lacking := model_files.missing_files(cached):
        raise ValueError(f"{hub} at revision {revision} lacks {lacking} (weights in other formats are not read)")
    model_files.check_files(cached)
    shutil.copytree(cached, out, dirs_exist_ok=True)
    if wanted is None:
        logging.warning("%s: taken as it is now; to have the same again, set revision: %s", hub, cached.name)
