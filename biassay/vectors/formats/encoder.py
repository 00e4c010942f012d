"""Vectors of words, or of any texts, from a language model of transformers: an encoder or a decoder."""

from collections import defaultdict
from itertools import compress
from typing import Any

import numpy as np

from biassay.language_models import loading, tokens
from biassay.vectors.formats.rows import Rows

BATCH = 256
BEFORE = "a "  # what stands before a word inside a sentence


def read(name: str, rows: Rows, allow_pickle: bool = False) -> None:
    """Read vectors of the wanted words from a model, given by a folder or a hub id.

    A word's vector is the mean over its subtokens, special ones left out, of the last hidden state of the word fed
    alone, as it stands at the start of a text; of a sentence, over all of its own tokens. A causal model is given the
    token for a text's beginning (BOS) before it, if there is one, whether the tokenizer would put it there or not: its
    first position has a state of its own, whatever the word; it is left out of the mean. There, a token's state knows
    what stands before the token only, so that the mean leans on the earlier tokens.

    Words with a subtoken that the tokenizer does not know are left out; one with a special token, such as [MASK],
    raises ValueError. The tokenizer may lower-case. Code that comes with a model is never run; weights are read from
    safetensors, and from a pickle only with `allow_pickle`.
    """
    tokenizer, model = _model(name, rows, allow_pickle)
    model = model.get_encoder() if model.config.is_encoder_decoder else model
    causal = loading.kind_of(model.config.to_dict()) == "causal"
    lengths, special, most = defaultdict(list), tokens.special_ids(tokenizer), loading.max_tokens(model)
    for word in rows.wanted:
        ids, own = _tokens(tokenizer, word, causal)
        _check(rows, tokenizer, word, ids, own, special)
        if len(ids) > (most or len(ids)):
            raise ValueError(f"{rows.source}: {word!r:.80}: has {len(ids)} tokens; the model takes {most}")
        if any(own) and not _unknown(tokenizer, ids, own):
            lengths[len(ids)].append((word, ids, own))
    for words in lengths.values():
        for start in range(0, len(words), BATCH):
            batch, ids, own = zip(*words[start : start + BATCH], strict=True)
            rows.add(batch, _means(model, ids, own))


def read_inputs(name: str, rows: Rows, allow_pickle: bool = False) -> None:
    """Read vectors of the wanted words from a model's matrix of input embeddings: nothing is passed through the model.

    A word's vector is the mean of the rows of its subtokens, as it stands inside a sentence, a piece that is only
    the space before it left out; a word of one token has that token's row. Else as `read`.
    """
    tokenizer, model = _model(name, rows, allow_pickle)
    if not tokenizer.is_fast:
        raise ValueError(f"{rows.source}: its tokenizer is not a fast one, which says where in a text its tokens stand")
    special = tokens.special_ids(tokenizer)
    matrix = model.get_input_embeddings().weight.detach().float().numpy()
    for word in rows.wanted:
        found = tokenizer(BEFORE + word, return_offsets_mapping=True, add_special_tokens=False)
        ids, own = found["input_ids"], [end > len(BEFORE) for _, end in found["offset_mapping"]]
        _check(rows, tokenizer, word, ids, own, special)
        if any(own) and not _unknown(tokenizer, ids, own):
            rows.add([word], matrix[np.array(ids)[own]].mean(axis=0)[None])


def _model(name: str, rows: Rows, allow_pickle: bool) -> tuple[Any, Any]:
    """The tokenizer and the model without its head."""
    if rows.wanted is None:
        raise ValueError(f"{rows.source}: an encoder has no list of words; give `words`")
    return loading.read_model(name, rows.source, "AutoModel", "encoder", allow_pickle)


def _tokens(tokenizer: Any, text: str, causal: bool) -> tuple[list[int], list[bool]]:
    """Token ids of a text, and which of them are its own."""
    if causal:
        start = [] if tokenizer.bos_token_id is None else [tokenizer.bos_token_id]
        ids = tokenizer(text, add_special_tokens=False)["input_ids"]
        return [*start, *ids], [False] * len(start) + [True] * len(ids)
    found = tokenizer(text, return_special_tokens_mask=True)
    return found["input_ids"], [not special for special in found["special_tokens_mask"]]


def _check(rows: Rows, tokenizer: Any, word: str, ids: list[int], own: list[bool], special: set[int]) -> None:
    """Raise ValueError, naming model and word, for a word with a special token."""
    try:
        tokens.check_no_special_tokens(tokenizer, word, list(compress(ids, own)), special)
    except ValueError as error:
        raise ValueError(f"{rows.source}: {error}") from error


def _unknown(tokenizer: Any, ids: list[int], own: list[bool]) -> bool:
    """Whether the tokenizer does not know one of a text's own tokens."""
    return tokenizer.unk_token_id in compress(ids, own)


def _means(model: Any, ids: tuple[list[int], ...], own: tuple[list[bool], ...]) -> np.ndarray:
    """Mean hidden state (n, d) of the own tokens of n words of the same length, which so need no padding."""
    import torch

    with torch.inference_mode():
        ids = torch.tensor(ids, device=model.device)
        hidden = model(input_ids=ids, attention_mask=torch.ones_like(ids)).last_hidden_state.float()
        weights = torch.tensor(own, device=model.device, dtype=hidden.dtype)
        return (torch.einsum("nld,nl->nd", hidden, weights) / weights.sum(dim=1, keepdim=True)).cpu().numpy()
