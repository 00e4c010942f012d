"""Pointwise mutual information of sparse co-occurrence counts (Levy et al. 2015)."""

import numpy as np
import scipy.sparse

ROWS = 1000  # rows worked on at once


def pmi(
    counts: scipy.sparse.csr_array, *, smoothing: float = 0.75, shift: float = 1.0, positive: bool = False
) -> scipy.sparse.csr_array:
    """PMI(w, c) = log p(w, c) / (p(w) p_α(c)) − log shift of the counted pairs, (|W|, |W|) float32.

    p_α(c) ∝ #(c)^α with α = `smoothing`, the context distribution smoothing (1 for none). `shift` is skip-gram's
    number of negative samples k for shifted PMI, 1 for none. With `positive`, values ≤ 0 are left out. Pairs never
    counted have no entry, that is 0.
    """
    rows, columns = np.asarray(counts.sum(axis=1), np.float64), np.asarray(counts.sum(axis=0), np.float64)
    with np.errstate(divide="ignore"):  # words without any context have no entry to be divided
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
    above = values > 0
    pointers = np.concatenate(([0], np.cumsum(above)))[counts.indptr]
    return scipy.sparse.csr_array((values[above], counts.indices[above], pointers), shape=counts.shape)
