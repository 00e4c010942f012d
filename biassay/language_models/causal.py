"""Log-probabilities of every token of sentences by causal language models; a shared prefix passes the model once."""

import inspect
from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np

from biassay.language_models import inference
from biassay.language_models.loading import LanguageModel
from biassay.language_models.tokens import Tokens

MIN_PREFIX = 4  # tokens; for a shorter shared prefix, a second pass costs more than it saves
CACHE_BYTES = 1 << 30  # of keys and values held at once


def log_probabilities(model: LanguageModel, sentences: Tokens) -> np.ndarray:
    """Compute log p(token | tokens before it) of n sentences: (n, longest) float32, in nats.

    NaN in the first column, which has no token before it, and for padding.
    """
    keys = np.where(np.arange(sentences.ids.shape[1]) < sentences.lengths[:, None], sentences.ids, -1)
    _, distinct, which = np.unique(keys, axis=0, return_index=True, return_inverse=True)  # in lexicographic order
    ids, lengths = sentences.ids[distinct], sentences.lengths[distinct]
    values = np.full(ids.shape, np.nan, np.float32)
    separate, max_tokens = np.arange(len(ids)), _max_tokens(model.model)
    groups = [group for group in group_by_prefix(ids, lengths, max_tokens) if group[2]]
    if groups and _supports_cache(model.model):
        for batch in _batches(groups, lengths, max_tokens):
            _score_groups(model.model, ids, lengths, batch, values)
        separate = np.setdiff1d(separate, np.concatenate([np.arange(first, end) for first, end, _ in groups]))
    _score_separately(model.model, ids, lengths, separate, values)
    return values[which.ravel()]


def group_by_prefix(ids: np.ndarray, lengths: np.ndarray, max_tokens: int) -> list[tuple[int, int, int]]:
    """Group sentences in lexicographic order by shared prefixes, so that as few tokens as possible pass the model.

    max_tokens: limit of tokens, with padding, of a group of more than two sentences. Returns groups in order: first
    row, row after the last, and length of the shared prefix; 0 for a single sentence.
    """
    same = np.cumprod(ids[1:] == ids[:-1], axis=1).sum(axis=1)
    common = np.minimum(same, np.minimum(lengths[1:], lengths[:-1])).tolist()
    saved, chosen = [0], [(0, 0)]
    for end in range(1, len(ids) + 1):
        best, shared, longest = (saved[-1], end - 1, 0), np.inf, lengths[end - 1]
        for first in range(end - 2, -1, -1):
            shared, longest = min(shared, common[first]), max(longest, lengths[first])
            if shared < MIN_PREFIX or (end - first > 2 and (end - first) * longest > max_tokens):
                break
            best = max(best, (saved[first] + (end - first - 1) * shared, first, shared))
        saved.append(best[0])
        chosen.append(best[1:])
    groups, end = [], len(ids)
    while end:
        first, shared = chosen[end]
        groups.append((first, end, int(shared)))
        end = first
    return groups[::-1]


def _score_separately(model: Any, ids: np.ndarray, lengths: np.ndarray, rows: np.ndarray, values: np.ndarray) -> None:
    """Fill in the log p of single sentences; the last token is only predicted, so it does not pass the model."""
    row, column = np.nonzero(np.arange(1, ids.shape[1]) < lengths[rows, None])
    wanted = ids[rows[row], column + 1]
    scored = np.flatnonzero(lengths[rows] > 1)
    place = np.searchsorted(scored, row)
    found = inference.log_probabilities(
        model, ids[rows[scored]], lengths[rows[scored]] - 1, place, column, wanted[:, None], causal=True
    )
    values[rows[row], column + 1] = found[:, 0]


def _score_groups(model: Any, ids: np.ndarray, lengths: np.ndarray, groups: list, values: np.ndarray) -> None:
    """Fill in the log p of groups with prefixes of one length: pass the prefixes, then the rest of each sentence."""
    import torch
    from transformers import cache_utils

    prefix = groups[0][2]
    owner = np.repeat(np.arange(len(groups)), [end - first for first, end, _ in groups])
    rows = np.concatenate([np.arange(first, end) for first, end, _ in groups])
    starts = np.array([first for first, _, _ in groups])
    tensor = partial(inference.to_tensor, device=model.device)
    with torch.inference_mode():
        inputs = tensor(ids[starts, :prefix])
        flat = torch.arange(inputs.numel(), device=inputs.device)
        cache = cache_utils.DynamicCache()
        logits = inference.causal_logits(model, inputs, torch.ones_like(inputs), flat, past_key_values=cache)
        log = logits.float().log_softmax(dim=-1).unflatten(0, inputs.shape)
        of_prefix = log[:, :-1].gather(2, inputs[:, 1:, None])[:, :, 0].cpu().numpy()
        values[rows, 1:prefix] = of_prefix[owner]
        longer = lengths[rows] > prefix
        rows, owner = rows[longer], owner[longer]
        values[rows, prefix] = log[tensor(owner), -1, tensor(ids[rows, prefix])].cpu().numpy()
        longer = lengths[rows] > prefix + 1
        rows, owner = rows[longer], owner[longer]
        if len(rows):
            cache.batch_select_indices(tensor(owner))
            _score_rest(model, ids, lengths, rows, prefix, cache, values)


def _score_rest(
    model: Any, ids: np.ndarray, lengths: np.ndarray, rows: np.ndarray, prefix: int, cache: Any, values: np.ndarray
) -> None:
    """Fill in the log p of the tokens from the second one after a prefix, whose keys and values are in the cache."""
    tensor = partial(inference.to_tensor, device=model.device)
    longest = lengths[rows].max() - 1
    inputs = tensor(ids[rows, prefix:longest])
    attention = tensor(np.arange(longest) < lengths[rows, None] - 1)
    row, column = np.nonzero(np.arange(prefix + 1, longest + 1) < lengths[rows, None])
    flat, wanted = tensor(row * (longest - prefix) + column), ids[rows[row], prefix + 1 + column]
    logits = inference.causal_logits(model, inputs, attention, flat, past_key_values=cache)
    found = logits.float().log_softmax(dim=-1).gather(1, tensor(wanted)[:, None])
    values[rows[row], prefix + 1 + column] = found[:, 0].cpu().numpy()


def _batches(groups: list, lengths: np.ndarray, max_tokens: int) -> Iterator[list]:
    """Yield groups with prefixes of one length and sentences of similar length, about `max_tokens` tokens each."""
    prefixes = np.array([prefix for _, _, prefix in groups])
    longest = np.array([lengths[first:end].max() for first, end, _ in groups])
    tokens = longest * [end - first for first, end, _ in groups]
    for prefix in np.unique(prefixes):
        numbers = np.flatnonzero(prefixes == prefix)
        numbers = numbers[np.argsort(longest[numbers], kind="stable")]
        batch = (np.cumsum(tokens[numbers]) - 1) // max_tokens
        for number in np.unique(batch):
            yield [groups[i] for i in numbers[batch == number]]


def _max_tokens(model: Any) -> int:
    """Estimate how many tokens can pass at once if their keys and values are held."""
    config = model.config.get_text_config(decoder=True)
    bytes_per_token = 8 * config.num_hidden_layers * config.hidden_size  # in float32, if no heads share them
    return min(inference.POSITIONS[model.device.type], max(CACHE_BYTES // bytes_per_token, 1))


def _supports_cache(model: Any) -> bool:
    """Whether a pass can continue from the keys and values of an earlier one, of every layer and all tokens before."""
    import torch
    from transformers import cache_utils

    if "past_key_values" not in inspect.signature(model.forward).parameters:
        return False
    with torch.inference_mode():
        output = model(input_ids=torch.zeros((1, 1), dtype=torch.long, device=model.device), use_cache=True)
    cache = getattr(output, "past_key_values", None)
    return type(cache) is cache_utils.DynamicCache and all(
        type(layer) is cache_utils.DynamicLayer and layer.get_seq_length() == 1 for layer in cache.layers
    )
