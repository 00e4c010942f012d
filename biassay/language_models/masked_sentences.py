"""Sentences with one masked position each, as token ids: what masked language models are trained and asked with."""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class MaskedSentences:
    """Masked sentences.

    ids: (n, longest) int32 token ids with the special tokens, padded at the end. lengths: (n,) tokens of each sentence,
    special ones counted. positions: (n,) where the mask is. labels: (n,) id of the token that belongs there.
    """

    ids: np.ndarray
    lengths: np.ndarray
    positions: np.ndarray
    labels: np.ndarray

    def __len__(self) -> int:
        return len(self.lengths)

    def take(self, rows: np.ndarray) -> "MaskedSentences":
        """Some of the sentences, padded to the longest of them."""
        lengths = self.lengths[rows]
        return MaskedSentences(self.ids[rows, : lengths.max()], lengths, self.positions[rows], self.labels[rows])
