"""Sparse explicit vectors of pointwise mutual information: PMI, positive PMI (PPMI), shifted PPMI (SPPMI)."""

from typing import Annotated

import scipy.sparse

from biassay.counts import pmi
from biassay.vectors.embedding import Embedding

INPUT = "counts"
HAS_CONTEXTS = False


def train(
    words: list[str],
    counts: scipy.sparse.csr_array,
    *,
    positive: bool = False,
    shift: Annotated[float, "0 < x <= 1e12"] = 1.0,
    smoothing: Annotated[float, "0 <= x <= 100"] = 0.75,
    seed: Annotated[int, "0 <= x < 4294967296"] = 1,
    threads: Annotated[int, "1 <= x <= 1024"] = 1,
) -> Embedding:
    """Compute PMI from counts; `positive` gives PPMI, `positive` and `shift` give SPPMI. The seed has no effect."""
    matrix = pmi.pmi(counts, smoothing=smoothing, shift=shift, positive=positive)
    return Embedding(words, matrix, link="product")
