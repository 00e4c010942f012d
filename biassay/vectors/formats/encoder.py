"""Vectors of words, or of any texts, from a language model: an encoder or a decoder."""

from collections import defaultdict
from itertools import compress
from typing import Any

import numpy as np

from biassay.language_models import loading, tokens
from biassay.vectors.formats.rows import Rows

BATCH = 256
CONTEXT = "a "  # text before a word, as inside a sentence


def read(name: str, rows: Rows, allow_pickle: bool = False) -> None:
    """Read the vectors of the wanted words from a model, given by its folder or hub id.

    A word is encoded alone, as at the start of a text. Its vector is the mean of the last hidden states of its subword
    tokens, without special tokens; the same holds for a sentence. A causal model gets its BOS token before the word, if
    it has one, since the state of the first position does not depend on the word; the mean leaves it out. In a causal
    model, the state of a token depends only on earlier tokens, which thus weigh more.

    Words with a token unknown to the tokenizer are skipped. A special token, such as [MASK], in a word raises
    ValueError. The tokenizer may lower-case. Code of a model is never run; weights are read from safetensors, and from
    a pickle only with `allow_pickle`.
    """
    tokenizer, model = _load_model(name, rows, allow_pickle)
    model = model.get_encoder() if model.config.is_encoder_decoder else model
    is_causal = loading.kind_of(model.config.to_dict()) == "causal"
    batches, special, max_tokens = defaultdict(list), tokens.special_ids(tokenizer), loading.max_tokens(model)
    for word in rows.wanted:
        ids, own = _tokenize(tokenizer, word, is_causal)
        is_known = _is_known(rows, tokenizer, word, list(compress(ids, own)), special)
        if len(ids) > (max_tokens or len(ids)):
            raise ValueError(
                f"{rows.source}: {word!r:.80}: expected at most {max_tokens} tokens for this model, got {len(ids)}"
            )
        if is_known:
            batches[len(ids)].append((word, ids, own))
    for words in batches.values():
        for start in range(0, len(words), BATCH):
            batch, ids, own = zip(*words[start : start + BATCH], strict=True)
            rows.add(batch, _mean_states(model, ids, own))


def read_inputs(name: str, rows: Rows, allow_pickle: bool = False) -> None:
    """Read the vectors of the wanted words from the input embeddings of a model, without a forward pass.

    The vector is the mean of the rows of the word's subword tokens, as inside a sentence, without a token that is only
    the space before the word. Otherwise as `read`.
    """
    tokenizer, model = _load_model(name, rows, allow_pickle)
    if not tokenizer.is_fast:
        raise ValueError(f"{rows.source}: expected a fast tokenizer, which returns the positions of tokens in a text")
    special = tokens.special_ids(tokenizer)
    matrix = model.get_input_embeddings().weight.detach().float().numpy()
    for word in rows.wanted:
        encoding = tokenizer(CONTEXT + word, return_offsets_mapping=True, add_special_tokens=False)
        own = [end > len(CONTEXT) for _, end in encoding["offset_mapping"]]
        ids = list(compress(encoding["input_ids"], own))
        if _is_known(rows, tokenizer, word, ids, special):
            rows.add([word], matrix[ids].mean(axis=0)[None])


def _load_model(name: str, rows: Rows, allow_pickle: bool) -> tuple[Any, Any]:
    """Load the tokenizer, and the model without its head."""
    if rows.wanted is None:
        raise ValueError(f"{rows.source}: a language model has no list of words; give `words`")
    return loading.read_model(name, rows.source, "AutoModel", "encoder", allow_pickle)


def _tokenize(tokenizer: Any, text: str, is_causal: bool) -> tuple[list[int], list[bool]]:
    """Return the token ids of a text, and which of them are not special."""
    if is_causal:
        start = [] if tokenizer.bos_token_id is None else [tokenizer.bos_token_id]
        ids = tokenizer(text, add_special_tokens=False)["input_ids"]
        return [*start, *ids], [False] * len(start) + [True] * len(ids)
    encoding = tokenizer(text, return_special_tokens_mask=True)
    return encoding["input_ids"], [not special for special in encoding["special_tokens_mask"]]


def _is_known(rows: Rows, tokenizer: Any, word: str, ids: list[int], special: set[int]) -> bool:
    """Whether a word has tokens, all known to the tokenizer; raise ValueError, naming the word, for a special token."""
    try:
        tokens.check_no_special_tokens(tokenizer, word, ids, special)
    except ValueError as error:
        raise ValueError(f"{rows.source}: {error}") from error
    return bool(ids) and tokenizer.unk_token_id not in ids


def _mean_states(model: Any, ids: tuple[list[int], ...], own: tuple[list[bool], ...]) -> np.ndarray:
    """Compute the mean hidden states (n, d) of n words with equally many tokens, which thus need no padding."""
    import torch

    with torch.inference_mode():
        ids = torch.tensor(ids, device=model.device)
        hidden = model(input_ids=ids, attention_mask=torch.ones_like(ids)).last_hidden_state.float()
        weights = torch.tensor(own, device=model.device, dtype=hidden.dtype)
        return (torch.einsum("nld,nl->nd", hidden, weights) / weights.sum(dim=1, keepdim=True)).cpu().numpy()
