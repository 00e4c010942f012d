"""Batches of several models, padded to one shape."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import torch

from biassay.language_models.masked_sentences import MaskedSentences


class Batch(NamedTuple):
    """Sentences of M models, B each, padded to L tokens; the sentences of padding have share 0.

    ids: (M, B, L). lengths, positions, labels: (M, B). shares: (M, B) weight of a sentence in its model's loss.
    On the host: sizes: number of each model's sentences, and tokens of the longest. full: whether nothing is padded.
    """

    ids: torch.Tensor
    lengths: torch.Tensor
    positions: torch.Tensor
    labels: torch.Tensor
    shares: torch.Tensor
    sizes: list[tuple[int, int]]
    full: bool


def stack_batches(parts: Sequence[MaskedSentences], device: torch.device) -> Batch:
    """Combine one batch per model, padded to the largest number of sentences and the longest sentence."""
    sizes = [(len(part), int(part.lengths.max())) for part in parts]
    n_sentences, width = (max(column) for column in zip(*sizes, strict=True))
    ids = np.zeros((len(parts), n_sentences, width), np.int64)
    lengths, positions, labels = (np.zeros((len(parts), n_sentences), np.int64) for _ in range(3))
    shares = np.zeros((len(parts), n_sentences), np.float32)
    lengths += 1  # attention over no token at all would give NaN
    for i, (part, (n, own)) in enumerate(zip(parts, sizes, strict=True)):
        ids[i, :n, :own], lengths[i, :n] = part.ids[:, :own], part.lengths
        positions[i, :n], labels[i, :n], shares[i, :n] = part.positions, part.labels, 1 / n
    arrays = (torch.from_numpy(array).to(device) for array in (ids, lengths, positions, labels, shares))
    return Batch(*arrays, sizes, bool((lengths == width).all()))
