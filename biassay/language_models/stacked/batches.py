"""Batches of several models, padded to one length."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import torch

from biassay.language_models.masked_sentences import MaskedSentences


class Batch(NamedTuple):
    """B sentences of each of M models, padded to L tokens.

    ids: (M, B, L). lengths, positions, labels: (M, B). On the host: widths: tokens of each model's longest sentence.
    full: whether nothing is padded.
    """

    ids: torch.Tensor
    lengths: torch.Tensor
    positions: torch.Tensor
    labels: torch.Tensor
    widths: list[int]
    full: bool


def stack_batches(parts: Sequence[MaskedSentences], device: torch.device) -> Batch:
    """Combine one batch per model, of equally many sentences, padded to the longest of all."""
    widths = [part.ids.shape[1] for part in parts]
    ids = np.zeros((len(parts), len(parts[0]), max(widths)), np.int64)
    for row, part, width in zip(ids, parts, widths, strict=True):
        row[:, :width] = part.ids
    columns = [np.stack([getattr(part, name) for part in parts]) for name in ("lengths", "positions", "labels")]
    arrays = (torch.from_numpy(array.astype(np.int64)).to(device) for array in (ids, *columns))
    return Batch(*arrays, widths, bool((columns[0] == max(widths)).all()))
