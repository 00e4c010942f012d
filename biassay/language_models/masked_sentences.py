"""Sentences with one mask each, as token ids, for training and scoring masked language models."""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class MaskedSentences:
    """Sentences with one masked token each.

    ids: (n, longest) int32 token ids with the special tokens, padded at the end. lengths: (n,) tokens of each sentence,
    with the special ones. positions: (n,) column of the mask. labels: (n,) id of the masked token.
    """

    ids: np.ndarray
    lengths: np.ndarray
    positions: np.ndarray
    labels: np.ndarray

    def __len__(self) -> int:
        return len(self.lengths)

    def take(self, rows: np.ndarray) -> "MaskedSentences":
        """Select sentences, padded to the longest of them."""
        lengths = self.lengths[rows]
        return MaskedSentences(self.ids[rows, : lengths.max()], lengths, self.positions[rows], self.labels[rows])
