"""Language models asked in batches of like lengths; the head is computed at the wanted positions only."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from biassay.language_models.transfer import to_device

# Of a batch, by device: tokens, padding counted, positions whose values for all of the vocabulary are computed, and
# these values: fewer positions of a model with a large vocabulary.
TOKENS = {"cpu": 4096, "cuda": 65536}
POSITIONS = {"cpu": 512, "cuda": 8192}
VALUES = {"cpu": 1 << 24, "cuda": 1 << 28}


def batches(lengths: np.ndarray, counts: np.ndarray, tokens: int, positions: int) -> Iterator[np.ndarray]:
    """Yield rows, shortest sentences first, in batches within the limits, or of one row.

    lengths (n,) are in tokens, counts (n,) positions of each sentence.
    """
    order = np.argsort(lengths, kind="stable")
    ordered, before = lengths[order], np.concatenate(([0], np.cumsum(counts[order])))
    start = 0
    while start < len(order):
        stop = start + 1
        while (
            stop < len(order)
            and (stop + 1 - start) * ordered[stop] <= tokens
            and before[stop + 1] - before[start] <= positions
        ):
            stop += 1
        yield order[start:stop]
        start = stop


def log_probabilities(
    model: Any, ids: np.ndarray, lengths: np.ndarray, rows: np.ndarray, columns: np.ndarray, wanted: np.ndarray,
    causal: bool = False,
) -> np.ndarray:  # fmt: skip
    """log p(wanted token | sentence) at m positions of n sentences: (m, k) float32, in nats.

    Of a causal model: log p(wanted token behind the position | sentence up to it).

    ids (n, longest) and lengths (n,) are the sentences; rows and columns (m,) the positions; wanted (m, k) token ids.
    """
    import torch

    found = np.empty(wanted.shape, np.float32)
    by_row = np.argsort(rows, kind="stable")
    counts = np.bincount(rows, minlength=len(ids))
    ends = np.concatenate(([0], np.cumsum(counts)))
    kind = model.device.type
    positions = min(POSITIONS[kind], max(1, VALUES[kind] // model.config.vocab_size))
    for batch in batches(lengths, counts, TOKENS[kind], positions):
        places = np.concatenate([by_row[ends[row] : ends[row + 1]] for row in batch])
        arrays = _padded(ids, lengths, batch)
        flat = np.repeat(np.arange(len(batch)), counts[batch]) * arrays[0].shape[1] + columns[places]
        inputs, attention, flat, asked = to_device([*arrays, flat, wanted[places].astype(np.int64)], model.device)
        with torch.inference_mode():
            of_kind = causal_logits if causal else position_logits
            logits = of_kind(model, inputs, attention, flat).float()
            chosen = logits.gather(1, asked)
            found[places] = (chosen - logits.logsumexp(dim=1, keepdim=True)).cpu().numpy()
    return found


def position_logits(model: Any, inputs: Any, attention: Any, flat: Any) -> Any:
    """Logits (m, vocabulary) at positions `flat` (m,) of a flattened batch of token ids (b, longest).

    The model's own forward pass runs, but its head sees these positions only, whatever its architecture. attention: a
    mask (b, longest), or None where no sentence has padding.
    """

    def cut(body: Any, arguments: Any, output: Any) -> Any:
        output.last_hidden_state = output.last_hidden_state.flatten(0, 1)[flat][None]
        return output

    handle = model.base_model.register_forward_hook(cut)
    try:
        return model(input_ids=inputs, attention_mask=attention).logits[0]
    finally:
        handle.remove()


def causal_logits(model: Any, inputs: Any, attention: Any, flat: Any, **options: Any) -> Any:
    """As `position_logits`, of a causal model, which may have other arguments.

    The input of its head, a single product, is cut: some decoders do without `base_model` in their pass.
    """
    cuts, head = [], model.get_output_embeddings()

    def cut(product: Any, arguments: tuple) -> tuple:
        cuts.append(product)
        return (arguments[0].flatten(0, 1)[flat][None], *arguments[1:])

    handles = [] if head is None else [head.register_forward_pre_hook(cut)]
    try:
        logits = model(input_ids=inputs, attention_mask=attention, **options).logits
    finally:
        for handle in handles:
            handle.remove()
    return logits[0] if cuts else logits.flatten(0, 1)[flat]


def hidden_states(
    model: Any, ids: np.ndarray, lengths: np.ndarray, half: bool = False
) -> Iterator[tuple[np.ndarray, Any]]:
    """Yield, batch by batch, rows and the last hidden states of their tokens, (b, longest, d) on the device.

    half: products in float16, which moves a hidden state by a thousandth of its length; too large ones become infinite.
    """
    import torch

    kind = model.device.type
    for batch in batches(lengths, np.zeros_like(lengths), TOKENS[kind], 1):
        inputs, attention = to_device(_padded(ids, lengths, batch), model.device)
        with torch.inference_mode(), torch.autocast(kind, torch.float16, enabled=half):
            found = model.base_model(input_ids=inputs, attention_mask=attention).last_hidden_state
        yield batch, found


def _padded(ids: np.ndarray, lengths: np.ndarray, batch: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Token ids and attention mask of a batch, as long as its longest sentence."""
    longest = lengths[batch].max()
    attention = np.arange(longest) < lengths[batch][:, None]
    return ids[batch, :longest].astype(np.int64), attention.astype(np.int64)
