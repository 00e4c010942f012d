"""Download of language models from the hub."""

import logging
import shutil
from pathlib import Path

from biassay.core.redaction import redact
from biassay.language_models import model_files

UNKNOWN = "unknown"  # the newest revision


def fetch(name: str, source: str, revision: str | None = None, allow_pickle: bool = False) -> Path:
    """Find the folder of a hub's model in the local cache; download it if it is not there.

    Raises ValueError, which begins with `source`, if the download fails or lacks a file.
    """
    try:
        from huggingface_hub import snapshot_download
        from huggingface_hub.errors import HfHubHTTPError
    except ImportError as error:
        raise ValueError(
            f"{source}: downloads from the hub need transformers; pip install 'biassay[models]'"
        ) from error
    pickles = ["pytorch_model*.bin", model_files.PICKLES[1]] if allow_pickle else []
    try:
        patterns = [*model_files.DOWNLOADED, *pickles]
        folder = Path(snapshot_download(name, revision=revision, allow_patterns=patterns))
    except (HfHubHTTPError, OSError, ValueError) as error:
        reason = redact(str(error).strip().split("\n")[0])
        raise ValueError(
            f"{source}: there is no such folder, and the download from the hub failed ({reason}); offline, give a "
            "folder with config.json, safetensors weights and tokenizer files"
        ) from error
    if missing := model_files.missing_files(folder, allow_pickle):
        raise ValueError(f"{source}: the model on the hub lacks {missing} (weights in other formats are not read)")
    return folder


def download(hub: str, revision: str, out: str | Path) -> None:
    """Copy a model of the hub to a folder, from the local cache if it is there.

    revision: the 40 digits of a commit, or "unknown" for the newest, which is logged to be pinned. Raises ValueError if
    the download fails, and for a model without safetensors weights.
    """
    cached = fetch(hub, hub, None if revision == UNKNOWN else revision)
    model_files.check_files(cached)
    shutil.copytree(cached, out, dirs_exist_ok=True)
    if revision == UNKNOWN:
        logging.warning("%s: downloaded the newest revision; to pin it, set revision: %s", hub, cached.name)
