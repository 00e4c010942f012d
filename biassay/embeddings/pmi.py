"""Sparse explicit vectors of pointwise mutual information: PMI, positive (PPMI), shifted positive (SPPMI)."""

import scipy.sparse

from biassay.counts import pmi
from biassay.vectors.embedding import Embedding

INPUT = "counts"


def train(
    words: list[str],
    counts: scipy.sparse.csr_array,
    *,
    positive: bool = False,
    shift: float = 1.0,
    smoothing: float = 0.75,
    seed: int = 1,
    threads: int = 1,
) -> Embedding:
    """Turn counts into PMI (positive: PPMI; with shift k too: SPPMI). Nothing random: the seed has no effect."""
    matrix = pmi.pmi(counts, smoothing=smoothing, shift=shift, positive=positive)
    return Embedding(words, matrix, link="product")
