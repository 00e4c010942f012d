"""Batches of several models, padded to one shape."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import torch

from biassay.language_models.masked import Masked


class Batch(NamedTuple):
    """Sentences of M models, B each, padded to L tokens; the sentences of padding have share 0.

    ids: (M, B, L). lengths, positions, labels: (M, B). shares: (M, B) weight of a sentence in its model's loss.
    full: whether no sentence has padding.
    """

    ids: torch.Tensor
    lengths: torch.Tensor
    positions: torch.Tensor
    labels: torch.Tensor
    shares: torch.Tensor
    full: bool


def stacked(parts: Sequence[Masked], device: torch.device) -> Batch:
    """One batch a model as one, padded to the most sentences and the longest of all."""
    most, longest = max(map(len, parts)), max(int(part.lengths.max()) for part in parts)
    ids = np.zeros((len(parts), most, longest), np.int64)
    lengths, positions, labels = (np.zeros((len(parts), most), np.int64) for _ in range(3))
    shares = np.zeros((len(parts), most), np.float32)
    lengths += 1  # attention over no token at all would give NaN
    for i, part in enumerate(parts):
        n = len(part)
        width = int(part.lengths.max())
        ids[i, :n, :width], lengths[i, :n] = part.ids[:, :width], part.lengths
        positions[i, :n], labels[i, :n], shares[i, :n] = part.positions, part.labels, 1 / n
    full = bool((lengths == longest).all())
    return Batch(*(torch.from_numpy(a).to(device) for a in (ids, lengths, positions, labels, shares)), full)
