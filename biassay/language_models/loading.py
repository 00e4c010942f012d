"""Language models of transformers: read from a folder or a hub id, downloaded at a pinned revision."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

WEIGHTS = ("model.safetensors", "model.safetensors.index.json")
PICKLES = ("pytorch_model.bin", "pytorch_model.bin.index.json")
TOKENIZERS = ("tokenizer.json", "vocab.txt", "vocab.json", "tokenizer.model", "spiece.model", "sentencepiece.bpe.model")
DOWNLOADED = ["config.json", "model*.safetensors", WEIGHTS[1], "tokenizer_config.json", "special_tokens_map.json"]
DOWNLOADED += [*TOKENIZERS, "merges.txt", "added_tokens.json"]


@dataclass(frozen=True)
class LanguageModel:
    """A masked language model of transformers, in evaluation mode, with its fast tokenizer."""

    tokenizer: Any
    model: Any


def load(source: str | Path, *, device: str | None = None) -> LanguageModel:
    """Load a masked language model, in float32, from a folder or a hub id to a device (None: a GPU if there is one).

    Raises ValueError, naming the source, for what is missing or no masked language model, and for a tokenizer that is
    not fast or has no mask.
    """
    tokenizer, model = read(str(source), str(source), "AutoModelForMaskedLM", "masked language model")
    if not tokenizer.is_fast:
        raise ValueError(f"{source}: its tokenizer is not a fast one, which says where in the text its tokens stand")
    if tokenizer.mask_token_id is None or tokenizer.pad_token_id is None:
        raise ValueError(f"{source}: its tokenizer has no token for a mask or for padding")
    import torch

    return LanguageModel(tokenizer, model.to(device or ("cuda" if torch.cuda.is_available() else "cpu")))


def read(name: str, source: str, kind: str, what: str, allow_pickle: bool = False) -> tuple[Any, Any]:
    """The tokenizer and the model, in float32, of a folder or hub id; `kind` is one of transformers' Auto classes.

    Code that comes with a model is never run; weights are read from safetensors, and from a pickle only with
    `allow_pickle`. Raises ValueError that begins with `source` and says what is missing of the `what`.
    """
    try:
        import torch
        import transformers
    except ImportError as error:
        raise ValueError(f"{source}: {what}s need torch and transformers; pip install 'biassay[models]'") from error
    if Path(name).is_dir():
        lacking = ", ".join(missing_files(Path(name), allow_pickle))
        if lacking:
            raise ValueError(f"{source}: the folder lacks {lacking}")
    try:
        # the explicit False refuses a model's own code without asking at the terminal
        tokenizer = transformers.AutoTokenizer.from_pretrained(name, trust_remote_code=False)
        options = {"use_safetensors": None if allow_pickle else True, "dtype": torch.float32}
        with _quiet(), torch.random.fork_rng(devices=[]):
            # a pooler that the weights lack is drawn at random and never used
            model, report = getattr(transformers, kind).from_pretrained(
                name, trust_remote_code=False, output_loading_info=True, **options
            )
    except (OSError, ValueError) as error:
        reason = str(error).strip().split("\n")[0]
        raise ValueError(
            f"{source}: no folder of that name holds a model, nor could it be had from the hub ({reason}); offline, "
            "give a folder with config.json, safetensors weights and tokenizer files"
        ) from error
    lacking = sorted(key for key in report["missing_keys"] if not key.startswith("pooler."))
    if lacking:
        raise ValueError(f"{source}: the weights lack {len(lacking)} parts of the {what}, such as {lacking[0]}")
    return tokenizer, model.eval()


def download(hub: str, revision: str, out: str | Path) -> None:
    """Copy a model of the hub, at a revision (the 40 digits of a commit), to a folder; from the local cache if there.

    Raises ValueError that says, offline, what to put where, and for a model without safetensors weights.
    """
    try:
        from huggingface_hub import snapshot_download
        from huggingface_hub.errors import HfHubHTTPError
    except ImportError as error:
        raise ValueError(f"{hub}: downloads from the hub need transformers; pip install 'biassay[models]'") from error
    try:
        cached = Path(snapshot_download(hub, revision=revision, allow_patterns=DOWNLOADED))
    except (HfHubHTTPError, OSError, ValueError) as error:
        reason = str(error).strip().split("\n")[0]
        raise ValueError(
            f"{hub} at revision {revision} could not be had from the hub ({reason}). Without a network, put its "
            "config.json, model.safetensors and tokenizer files into a folder, and give that as `path` in place of "
            "`hub` and `revision`"
        ) from error
    lacking = ", ".join(missing_files(cached, allow_pickle=False))
    if lacking:
        raise ValueError(f"{hub} at revision {revision} lacks {lacking} (weights in other formats are not read)")
    shutil.copytree(cached, out, dirs_exist_ok=True)


@contextmanager
def _quiet() -> Iterator[None]:
    """Keep transformers from reporting, at the terminal, that the head of a language model is not loaded."""
    from transformers.utils import logging

    level, bars = logging.get_verbosity(), logging.is_progress_bar_enabled()
    logging.set_verbosity_error()
    logging.disable_progress_bar()
    try:
        yield
    finally:
        logging.set_verbosity(level)
        if bars:
            logging.enable_progress_bar()


def missing_files(folder: Path, allow_pickle: bool = False) -> Iterator[str]:
    """What a model's folder must have and has not."""
    weights = (*WEIGHTS, *PICKLES) if allow_pickle else WEIGHTS
    for choices in (("config.json",), weights, TOKENIZERS):
        if not any((folder / choice).is_file() for choice in choices):
            yield " or ".join(choices)
