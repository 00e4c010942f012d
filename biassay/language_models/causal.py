"""Causal language models asked for log p of every token of sentences, a beginning that several share passed once."""

import inspect
from collections.abc import Iterator
from typing import Any

import numpy as np

from biassay.language_models import inference
from biassay.language_models.loading import LanguageModel
from biassay.language_models.tokens import Tokens

SHARED = 4  # tokens that a shared beginning has at least; below, a second pass costs more than it saves
CACHE = 1 << 30  # bytes of keys and values that are held at once


def log_probabilities(model: LanguageModel, sentences: Tokens) -> np.ndarray:
    """log p(token | those before it) of n sentences: (n, longest) float32, in nats.

    NaN for the first column, of which nothing stands before, and for padding.
    """
    _check_length(model, sentences)
    keys = np.where(np.arange(sentences.ids.shape[1]) < sentences.lengths[:, None], sentences.ids, -1)
    _, kept, which = np.unique(keys, axis=0, return_index=True, return_inverse=True)  # in the order of a dictionary
    ids, lengths = sentences.ids[kept], sentences.lengths[kept]
    found = np.full(ids.shape, np.nan, np.float32)
    alone, most = np.arange(len(ids)), _tokens(model.model)
    groups = [group for group in plan(ids, lengths, most) if group[2]]
    if groups and _can_go_on(model.model):
        for batch in _batches(groups, lengths, most):
            _together(model.model, ids, lengths, batch, found)
        alone = np.setdiff1d(alone, np.concatenate([np.arange(first, end) for first, end, _ in groups]))
    _apart(model.model, ids, lengths, alone, found)
    return found[which.ravel()]


def plan(ids: np.ndarray, lengths: np.ndarray, most: int) -> list[tuple[int, int, int]]:
    """Sentences, in the order of a dictionary, put together so that most of their tokens are passed once only.

    Groups, in order: first row, the one behind the last, and how many tokens all of them begin with; 0 for a row that
    stays alone. Of more than two sentences, they have at most `most` tokens with padding.
    """
    same = np.cumprod(ids[1:] == ids[:-1], axis=1).sum(axis=1)
    common = np.minimum(same, np.minimum(lengths[1:], lengths[:-1])).tolist()
    spared, chosen = [0], [(0, 0)]
    for end in range(1, len(ids) + 1):
        best, shared, longest = (spared[-1], end - 1, 0), np.inf, lengths[end - 1]
        for first in range(end - 2, -1, -1):
            shared, longest = min(shared, common[first]), max(longest, lengths[first])
            if shared < SHARED or (end - first > 2 and (end - first) * longest > most):
                break
            best = max(best, (spared[first] + (end - first - 1) * shared, first, shared))
        spared.append(best[0])
        chosen.append(best[1:])
    groups, end = [], len(ids)
    while end:
        first, shared = chosen[end]
        groups.append((first, end, int(shared)))
        end = first
    return groups[::-1]


def _apart(model: Any, ids: np.ndarray, lengths: np.ndarray, rows: np.ndarray, found: np.ndarray) -> None:
    """Fill in the log p of some sentences, each passed whole but for its last token, behind which nothing is asked."""
    row, column = np.nonzero(np.arange(1, ids.shape[1]) < lengths[rows, None])
    wanted = ids[rows[row], column + 1]
    asked = np.flatnonzero(lengths[rows] > 1)
    place = np.searchsorted(asked, row)
    values = inference.log_probabilities(
        model, ids[rows[asked]], lengths[rows[asked]] - 1, place, column, wanted[:, None], causal=True
    )
    found[rows[row], column + 1] = values[:, 0]


def _together(model: Any, ids: np.ndarray, lengths: np.ndarray, groups: list, found: np.ndarray) -> None:
    """Fill in the log p of groups with beginnings of one length: these first, then from them on what is behind."""
    import torch
    from transformers import cache_utils

    begin = groups[0][2]
    owner = np.repeat(np.arange(len(groups)), [end - first for first, end, _ in groups])
    rows = np.concatenate([np.arange(first, end) for first, end, _ in groups])
    starts = np.array([first for first, _, _ in groups])
    with torch.inference_mode():
        inputs = _tensor(model, ids[starts, :begin])
        flat = torch.arange(inputs.numel(), device=inputs.device)
        cache = cache_utils.DynamicCache()
        logits = inference.causal_logits(model, inputs, torch.ones_like(inputs), flat, past_key_values=cache)
        log = logits.float().log_softmax(dim=-1).unflatten(0, inputs.shape)
        before = log[:, :-1].gather(2, inputs[:, 1:, None])[:, :, 0].cpu().numpy()
        found[rows, 1:begin] = before[owner]
        longer = lengths[rows] > begin
        rows, owner = rows[longer], owner[longer]
        found[rows, begin] = log[_tensor(model, owner), -1, _tensor(model, ids[rows, begin])].cpu().numpy()
        longer = lengths[rows] > begin + 1
        rows, owner = rows[longer], owner[longer]
        if len(rows):
            cache.batch_select_indices(_tensor(model, owner))
            _behind(model, ids, lengths, rows, begin, cache, found)


def _behind(
    model: Any, ids: np.ndarray, lengths: np.ndarray, rows: np.ndarray, begin: int, cache: Any, found: np.ndarray
) -> None:
    """Fill in the log p of what stands behind the token after a beginning, whose keys and values the cache holds."""
    longest = lengths[rows].max() - 1
    inputs = _tensor(model, ids[rows, begin:longest])
    attention = _tensor(model, np.arange(longest) < lengths[rows, None] - 1)
    row, column = np.nonzero(np.arange(begin + 1, longest + 1) < lengths[rows, None])
    flat, wanted = _tensor(model, row * (longest - begin) + column), ids[rows[row], begin + 1 + column]
    logits = inference.causal_logits(model, inputs, attention, flat, past_key_values=cache)
    values = logits.float().log_softmax(dim=-1).gather(1, _tensor(model, wanted)[:, None])
    found[rows[row], begin + 1 + column] = values[:, 0].cpu().numpy()


def _batches(groups: list, lengths: np.ndarray, most: int) -> Iterator[list]:
    """Groups with beginnings of one length and sentences of like lengths, of about so many tokens."""
    begins = np.array([begin for _, _, begin in groups])
    longest = np.array([lengths[first:end].max() for first, end, _ in groups])
    tokens = longest * [end - first for first, end, _ in groups]
    for begin in np.unique(begins):
        numbers = np.flatnonzero(begins == begin)
        numbers = numbers[np.argsort(longest[numbers], kind="stable")]
        batch = (np.cumsum(tokens[numbers]) - 1) // most
        for number in np.unique(batch):
            yield [groups[i] for i in numbers[batch == number]]


def _tokens(model: Any) -> int:
    """About as many tokens as are passed at once, where their keys and values are held."""
    config = model.config.get_text_config(decoder=True)
    bytes_of_one = 8 * config.num_hidden_layers * config.hidden_size  # in float32, where no heads share them
    return min(inference.POSITIONS[model.device.type], max(CACHE // bytes_of_one, 1))


def _can_go_on(model: Any) -> bool:
    """Whether a pass can go on from the keys and values of an earlier one, of every layer and all tokens before."""
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


def _tensor(model: Any, numbers: np.ndarray) -> Any:
    import torch

    return torch.from_numpy(np.asarray(numbers).astype(np.int64)).to(model.device)


def _check_length(model: LanguageModel, sentences: Tokens) -> None:
    """Raise ValueError, with its first words, for a sentence longer than the model takes."""
    most = getattr(model.model.config.get_text_config(decoder=True), "max_position_embeddings", None)
    row = sentences.lengths.argmax()
    if most is not None and sentences.lengths[row] > most:
        text = model.tokenizer.decode(sentences.ids[row, : sentences.lengths[row]].tolist(), skip_special_tokens=True)
        raise ValueError(f"{text!r:.80}: of {sentences.lengths[row]} tokens; the model takes {most}")
