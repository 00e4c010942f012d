"""Singular value decomposition of PMI: word vectors U√Σ, context vectors V√Σ (Levy and Goldberg 2014)."""

from typing import Annotated

import numpy as np
import scipy.sparse.linalg
from threadpoolctl import threadpool_limits

from biassay.counts import pmi
from biassay.vectors.embedding import Embedding

INPUT = "counts"
HAS_CONTEXTS = True


def train(
    words: list[str],
    counts: scipy.sparse.csr_array,
    *,
    dimensions: Annotated[int, "1 <= x <= 10000"] = 300,
    positive: bool = False,
    shift: Annotated[float, "0 < x <= 1e12"] = 1.0,
    smoothing: Annotated[float, "0 <= x <= 100"] = 0.75,
    seed: Annotated[int, "0 <= x < 4294967296"] = 1,
    threads: Annotated[int, "1 <= x <= 1024"] = 1,
) -> Embedding:
    """Factorise PMI; `positive` gives PPMI, `positive` and `shift` give SPPMI.

    Raises ValueError unless there are more words than dimensions.
    """
    if dimensions >= len(words):
        raise ValueError(
            f"pmi_svd: dimensions: expected fewer than {len(words)}, the number of words, got {dimensions} dimensions"
        )
    matrix = pmi.pmi(counts, smoothing=smoothing, shift=shift, positive=positive)
    start = np.random.default_rng(seed).standard_normal(len(words)).astype(np.float32)
    with threadpool_limits(threads):
        left, singular, right = scipy.sparse.linalg.svds(matrix, dimensions, v0=start)
    left[np.diff(matrix.indptr) == 0] = 0  # a word without entries would have what rounding leaves
    right[:, np.bincount(matrix.indices, minlength=len(words)) == 0] = 0
    order = np.argsort(-singular)
    left, singular, right = left[:, order], singular[order], right[order]
    root = np.sqrt(singular)
    return Embedding(words, left * root, right.T * root, link="product")
