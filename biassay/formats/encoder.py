"""Vectors of words from a Hugging Face encoder."""

from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from biassay.formats.rows import Rows

BATCH = 256
WEIGHTS = ("model.safetensors", "model.safetensors.index.json")
TOKENIZERS = ("tokenizer.json", "vocab.txt", "vocab.json", "tokenizer.model", "spiece.model", "sentencepiece.bpe.model")


def read(name: str, rows: Rows, allow_pickle: bool = False) -> None:
    """Read vectors of the wanted words from an encoder, given by a folder or a hub id.

    A word's vector is the mean over its subtokens, special ones left out, of the last hidden state of the word fed
    alone, as it stands at the start of a text. Words with a subtoken that the tokenizer does not know are left out.
    The tokenizer may lower-case. Code that comes with a model is never run; weights are read from safetensors, and
    from a pickle only with `allow_pickle`.
    """
    if rows.wanted is None:
        raise ValueError(f"{rows.source}: an encoder has no list of words; give `words`")
    tokenizer, model = _load(name, rows.source, allow_pickle)
    lengths = defaultdict(list)
    for word in rows.wanted:
        tokens = tokenizer(word, return_special_tokens_mask=True)
        ids, own = tokens["input_ids"], [not special for special in tokens["special_tokens_mask"]]
        unknown = tokenizer.unk_token_id is not None and tokenizer.unk_token_id in ids
        if any(own) and not unknown:
            lengths[len(ids)].append((word, ids, own))
    for words in lengths.values():
        for start in range(0, len(words), BATCH):
            batch, ids, own = zip(*words[start : start + BATCH], strict=True)
            rows.add(batch, _means(model, ids, own))


def _means(model, ids: tuple[list[int], ...], own: tuple[list[bool], ...]) -> np.ndarray:
    """Mean hidden state (n, d) of the own tokens of n words of the same length, which so need no padding."""
    import torch

    with torch.inference_mode():
        ids = torch.tensor(ids, device=model.device)
        hidden = model(input_ids=ids, attention_mask=torch.ones_like(ids)).last_hidden_state.float()
        weights = torch.tensor(own, device=model.device, dtype=hidden.dtype)
        return (torch.einsum("nld,nl->nd", hidden, weights) / weights.sum(dim=1, keepdim=True)).cpu().numpy()


def _load(name: str, source: str, allow_pickle: bool):
    """The tokenizer and the encoder, in float32; raises ValueError that says what is missing."""
    try:
        import torch
        from transformers import AutoModel, AutoTokenizer
    except ImportError as error:
        raise ValueError(f"{source}: encoders need torch and transformers; pip install 'biassay[models]'") from error
    if Path(name).is_dir():
        lacking = ", ".join(_lacking(Path(name), allow_pickle))
        if lacking:
            raise ValueError(f"{source}: the folder lacks {lacking}")
    try:
        # the explicit False refuses a model's own code without asking at the terminal
        tokenizer = AutoTokenizer.from_pretrained(name, trust_remote_code=False)
        options = {"use_safetensors": None if allow_pickle else True, "dtype": torch.float32}
        with _quiet(), torch.random.fork_rng(devices=[]):
            # a pooler that the weights lack is drawn at random and never used
            model, report = AutoModel.from_pretrained(
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
        raise ValueError(f"{source}: the weights lack {len(lacking)} parts of the encoder, such as {lacking[0]}")
    model = model.get_encoder() if model.config.is_encoder_decoder else model
    return tokenizer, model.eval()


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


def _lacking(folder: Path, allow_pickle: bool) -> Iterator[str]:
    """What a model's folder must have and has not."""
    weights = (*WEIGHTS, "pytorch_model.bin", "pytorch_model.bin.index.json") if allow_pickle else WEIGHTS
    for choices in (("config.json",), weights, TOKENIZERS):
        if not any((folder / choice).is_file() for choice in choices):
            yield " or ".join(choices)
