"""Batched inference; the head is computed only at the positions that are needed."""

from collections.abc import Iterator
from typing import Any

import numpy as np

# Limits of a batch by device: tokens with padding, positions whose logits are computed, and logits in all.
TOKENS = {"cpu": 4096, "cuda": 65536}
POSITIONS = {"cpu": 256, "cuda": 8192}
VALUES = {"cpu": 1 << 24, "cuda": 1 << 28}


def batches(lengths: np.ndarray, counts: np.ndarray, max_tokens: int, max_positions: int) -> Iterator[np.ndarray]:
    """Yield rows, shortest sentences first, in batches within the limits, or of one row.

    lengths, counts: tokens and positions of each sentence, (n,).
    """
    order = np.argsort(lengths, kind="stable")
    start, n_positions = 0, 0
    for stop, row in enumerate(order):
        n_positions += counts[row]
        if stop > start and ((stop + 1 - start) * lengths[row] > max_tokens or n_positions > max_positions):
            yield order[start:stop]
            start, n_positions = stop, counts[row]
    if len(order):
        yield order[start:]


def log_probabilities(
    model: Any, ids: np.ndarray, lengths: np.ndarray, rows: np.ndarray, columns: np.ndarray, wanted: np.ndarray,
    causal: bool = False,
) -> np.ndarray:  # fmt: skip
    """Compute log p(wanted token | sentence) at m positions of n sentences: (m, n_candidates) float32, in nats.

    Parameters
    ----------
    ids, lengths
        The sentences: (n, longest) token ids, and (n,) numbers of tokens.
    rows, columns
        The positions, (m,) each.
    wanted
        Token ids to score at each position, (m, n_candidates).
    causal
        Compute log p(wanted token after the position | sentence up to the position) instead.
    """
    import torch

    values = np.empty(wanted.shape, np.float32)
    by_row = np.argsort(rows, kind="stable")
    counts = np.bincount(rows, minlength=len(ids))
    ends = np.concatenate(([0], np.cumsum(counts)))
    kind = model.device.type
    max_positions = min(POSITIONS[kind], max(1, VALUES[kind] // model.config.get_text_config().vocab_size))
    for batch in batches(lengths, counts, TOKENS[kind], max_positions):
        places = np.concatenate([by_row[ends[row] : ends[row + 1]] for row in batch])
        inputs, attention = _padded(ids, lengths, batch, model.device)
        flat = np.repeat(np.arange(len(batch)), counts[batch]) * inputs.shape[1] + columns[places]
        flat, candidates = to_tensor(flat, model.device), to_tensor(wanted[places], model.device)
        with torch.inference_mode():
            if causal:  # nearly all positions are wanted
                logits = model(input_ids=inputs, attention_mask=attention).logits.flatten(0, 1)[flat].float()
            else:
                logits = position_logits(model, inputs, attention, flat).float()
            values[places] = logits.log_softmax(dim=1).gather(1, candidates).cpu().numpy()
    return values


def position_logits(model: Any, inputs: Any, attention: Any, flat: Any) -> Any:
    """Compute logits at some positions of a batch, for a masked language model of any architecture: (m, vocabulary).

    The model's own forward pass runs, but its head gets only these positions. inputs: (b, longest) token ids.
    attention: (b, longest), None if no sentence has padding. flat: (m,) positions in the flattened batch.
    """

    def cut(body: Any, arguments: Any, output: Any) -> Any:
        output.last_hidden_state = output.last_hidden_state.flatten(0, 1)[flat][None]
        return output

    handle = model.base_model.register_forward_hook(cut)
    try:
        return model(input_ids=inputs, attention_mask=attention).logits[0]
    finally:
        handle.remove()


def mean_states(model: Any, ids: np.ndarray, lengths: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Compute the weighted means of the last hidden states of n texts, or several of each, in one pass.

    weights: (n, longest), or (n, m, longest) for m means of each; they need not sum to 1. Returns (n, d) or (n, m, d)
    float32.
    """
    import torch

    body = model.get_encoder() if model.config.is_encoder_decoder else model.base_model
    weights = (weights / weights.sum(axis=-1, keepdims=True)).astype(np.float32)
    several, means = weights.reshape(len(ids), -1, ids.shape[1]), None
    for rows in batches(lengths, np.zeros_like(lengths), TOKENS[model.device.type], 1):
        inputs, attention = _padded(ids, lengths, rows, model.device)
        with torch.inference_mode():
            hidden = body(input_ids=inputs, attention_mask=attention).last_hidden_state
            pooling = torch.from_numpy(several[rows, :, : hidden.shape[1]]).to(hidden.device)
            pooled = torch.bmm(pooling, hidden.float()).cpu().numpy()
        if means is None:  # the last layer of a decoder can have another width than the others
            means = np.empty((*several.shape[:2], hidden.shape[2]), np.float32)
        means[rows] = pooled
    return means.reshape(*weights.shape[:-1], -1)


def to_tensor(numbers: np.ndarray, device: Any) -> Any:
    """Convert integers or truth values to a tensor of integers on a device."""
    import torch

    return torch.from_numpy(np.asarray(numbers).astype(np.int64)).to(device)


def _padded(ids: np.ndarray, lengths: np.ndarray, batch: np.ndarray, device: Any) -> tuple[Any, Any]:
    """Token ids and attention mask of a batch, as long as its longest sentence."""
    longest = lengths[batch].max()
    attention = np.arange(longest) < lengths[batch][:, None]
    return to_tensor(ids[batch, :longest], device), to_tensor(attention, device)
