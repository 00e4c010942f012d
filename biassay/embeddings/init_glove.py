"""initGloVe: sparse explicit vectors e_{w:c} = p(w|c) = #(w,c) / #(·,c) (first-order paper)."""

from typing import Annotated

import numpy as np
import scipy.sparse

from biassay.vectors.embedding import Embedding

INPUT = "counts"
HAS_CONTEXTS = False


def train(
    words: list[str],
    counts: scipy.sparse.csr_array,
    *,
    seed: Annotated[int, "0 <= x < 4294967296"] = 1,
    threads: Annotated[int, "1 <= x <= 1024"] = 1,
) -> Embedding:
    """Divide counts by the sum of their column. The seed has no effect."""
    sums = np.asarray(counts.sum(axis=0), np.float64)
    values = np.empty(counts.nnz, np.float32)
    np.divide(counts.data, sums[counts.indices], out=values, casting="same_kind")
    return Embedding(
        words, scipy.sparse.csr_array((values, counts.indices, counts.indptr), shape=counts.shape), link="product"
    )
