"""Rank correlations of growing sets."""

from threading import Lock

import numpy as np
from numba import njit, prange

LOCK = Lock()  # numba's parallel loops cannot start in several threads at once, except with some libraries


def growing_spearman(first: np.ndarray, second: np.ndarray, shuffles: np.ndarray, sizes: np.ndarray) -> np.ndarray:
    """Compute Spearman correlations of the first `sizes` (steps,) of values (m,) in the order of `shuffles` (n, m).

    Returns an array (n, steps). Ties get their mean rank. NaN if the values of one side are all equal.
    """
    sides = [np.unique(side, return_inverse=True)[1] for side in (first, second)]
    with LOCK:
        return _correlations(*sides, shuffles, np.asarray(sizes))


@njit(parallel=True, cache=True)
def _correlations(first, second, shuffles, sizes):
    """Correlate by counting; values are integers whose order is that of the original values."""
    correlations = np.empty((len(shuffles), len(sizes)))
    for shuffle in prange(len(shuffles)):
        counts_first, counts_second = np.zeros(len(first), np.int64), np.zeros(len(first), np.int64)
        ranks_first, ranks_second = np.empty(len(first)), np.empty(len(first))
        before = 0
        for step in range(len(sizes)):
            size = sizes[step]
            for word in shuffles[shuffle, before:size]:
                counts_first[first[word]] += 1
                counts_second[second[word]] += 1
            before = size
            middle = (size + 1) / 2
            squares_first = _rank(counts_first, middle, ranks_first)
            squares_second = _rank(counts_second, middle, ranks_second)
            products = 0.0
            for word in shuffles[shuffle, :size]:
                products += ranks_first[first[word]] * ranks_second[second[word]]
            lengths = np.sqrt(squares_first * squares_second)
            correlations[shuffle, step] = min(1.0, max(-1.0, products / lengths)) if lengths > 0 else np.nan
    return correlations


@njit(cache=True)
def _rank(counts, middle, ranks):
    """Write the centred ranks of values with these counts to `ranks`; return the sum of their squares."""
    below, squares = 0, 0.0
    for value in range(len(counts)):
        count = counts[value]
        ranks[value] = below + (count + 1) / 2 - middle
        squares += count * ranks[value] ** 2
        below += count
    return squares
