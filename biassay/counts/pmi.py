"""Pointwise mutual information of sparse co-occurrence counts (Levy et al. 2015)."""

import numpy as np
import scipy.sparse

ROWS = 1000  # rows per block


def pmi(
    counts: scipy.sparse.csr_array, *, smoothing: float = 0.75, shift: float = 1.0, positive: bool = False
) -> scipy.sparse.csr_array:
    """Compute log p(w, c) / (p(w) p_α(c)) − log shift of the counted pairs, where p_α(c) ∝ #(c)^α.

    `smoothing` is the exponent α of context distribution smoothing (1 for none), `shift` the number of negative samples
    of skip-gram, for shifted PMI (1 for none); `positive` drops values ≤ 0. Returns float32 of the shape of the counts;
    pairs without counts have no entry, that is 0.
    """
    rows, columns = np.asarray(counts.sum(axis=1), np.float64), np.asarray(counts.sum(axis=0), np.float64)
    with np.errstate(divide="ignore"):  # words without contexts have no entries
        per_row = np.log(rows) + np.log(shift)
        per_column = smoothing * np.log(columns) - np.log((columns**smoothing).sum())
    values = np.empty(counts.nnz, np.float32)
    for start in range(0, counts.shape[0], ROWS):
        pointers = counts.indptr[start : start + ROWS + 1]
        part = slice(pointers[0], pointers[-1])
        values[part] = np.log(counts.data[part]) - per_column[counts.indices[part]]
        values[part] -= np.repeat(per_row[start : start + ROWS], np.diff(pointers))
    matrix = scipy.sparse.csr_array((values, counts.indices, counts.indptr), shape=counts.shape)
    if not positive:
        return matrix
    is_positive = values > 0
    pointers = np.concatenate(([0], np.cumsum(is_positive)))[counts.indptr]
    return scipy.sparse.csr_array((values[is_positive], counts.indices[is_positive], pointers), shape=counts.shape)
