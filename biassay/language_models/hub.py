"""Download of language models from the hub."""

import json
import logging
import re
import shutil
from pathlib import Path
from typing import Any

from biassay.core import guard
from biassay.core.redaction import redact
from biassay.language_models import model_files

UNKNOWN = "unknown"  # the newest revision
# Keys of numbers in a configuration
LIMITED = re.compile("layer|block_count|num_blocks|expert_count|num_.*experts|group|num_labels")
MAX_COUNT = 1000  # the largest of these numbers
MAX_RATIO = 8  # largest number of parameters per byte of weights


def fetch(name: str, source: str, revision: str | None = None, allow_pickle: bool = False) -> Path:
    """Find the folder of a hub's model in the local cache; download it if it is not there.

    Raises ValueError, which begins with `source`, if the download fails or lacks a file.
    """
    pickles = ["pytorch_model*.bin", model_files.PICKLES[1]] if allow_pickle else []
    folder = download_files(name, source, [*model_files.DOWNLOADED, *pickles], revision)
    if missing := model_files.missing_files(folder, allow_pickle):
        raise ValueError(f"{source}: the model on the hub lacks {missing} (weights in other formats are not read)")
    return folder


def download_files(name: str, source: str, patterns: list[str], revision: str | None = None) -> Path:
    """Find the folder of a hub's model in the local cache; download its files of these patterns if they are not there.

    Raises ValueError, which begins with `source`, if the download fails.
    """
    from huggingface_hub import snapshot_download

    try:
        return Path(snapshot_download(name, revision=revision, allow_patterns=patterns))
    except (OSError, ValueError) as error:
        reason = redact(str(error).strip().split("\n")[0])
        raise ValueError(
            f"{source}: there is no such folder, and the download from the hub failed ({reason}); offline, give a "
            "folder with config.json, safetensors weights and tokenizer files"
        ) from error


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


def check_folder_size(folder: Path, allow_pickle: bool = False) -> Any:
    """Return the configuration of the model in a folder, checked as by `check_size`."""
    weights, path, content = model_files.check_weights(folder, allow_pickle), folder / "config.json", []
    with guard.reading(path, "configuration"):
        json.loads(path.read_text("utf-8"), object_pairs_hook=content.extend)
    return check_size(path, content, sum(file.stat().st_size for file in weights))


def check_size(path: Path, content: list[tuple[str, Any]], n_bytes: int) -> Any:
    """Return the configuration of a stranger's model.

    Raises ValueError if it describes a model too large for its weights, or names code for its attention.

    path: a config.json, or a GGUF file. content: its keys and values, also those of nested objects.
    """
    import torch
    import transformers

    for key, value in content:
        if LIMITED.search(key) and isinstance(value, int | float) and value > MAX_COUNT:
            raise ValueError(f"{path}: {key}: expected at most {MAX_COUNT}, got {value}")
        if key.lstrip("_") == "attn_implementation" and value not in (None, "eager", "sdpa"):
            raise ValueError(
                f"{path}: {key}: expected eager or sdpa, not code of a package or the hub, got {value!r:.80}"
            )
    with guard.reading(path, "configuration"):
        folder, options = model_files.locate(path if path.suffix == ".gguf" else path.parent)
        config = transformers.AutoConfig.from_pretrained(folder, **options, trust_remote_code=False)
        with torch.random.fork_rng(devices=[]), torch.device("meta"):  # tensors have shapes, but no values
            model = transformers.AutoModel.from_config(config, trust_remote_code=False)
        n_parameters = sum(weight.numel() for weight in model.parameters())
    if n_parameters > MAX_RATIO * n_bytes:
        raise ValueError(f"{path}: describes {n_parameters:,} parameters; the weights have only {n_bytes:,} bytes")
    return config
