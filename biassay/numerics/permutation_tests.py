"""Permutation tests of a sum: how often a random part of given size reaches what the observed part reaches.

Only the sum over the part counts, so that partitions are counted or drawn without a matrix of word vectors.
"""

from collections.abc import Iterator
from functools import cache
from math import comb

import numpy as np

ROUNDING = 1e-12  # a word; sums nearer than this are equal
LARGEST_RANK = 2**62
CHUNK = 1 << 20  # random keys held at a time


def count_exceeding(values: np.ndarray, size: int, thresholds: np.ndarray) -> np.ndarray:
    """How many parts of `size` of values (N,) have a sum of at least each threshold, without listing them.

    The halves' subset sums, by size and sorted, meet in the middle: 2^(N/2) sums instead of C(N, size).
    """
    left, right = (_sums_by_size(half) for half in np.array_split(np.asarray(values, np.float64), 2))
    counts = np.zeros(len(thresholds), dtype=object)
    for taken in range(max(0, size - len(right) + 1), min(size, len(left) - 1) + 1):
        others = right[size - taken]
        for number, threshold in enumerate(thresholds):
            below = np.searchsorted(others, threshold - left[taken])
            counts[number] += len(left[taken]) * len(others) - int(below.sum())
    return counts


def sample_sums(values: np.ndarray, size: int, n_resamples: int, seed: int) -> Iterator[np.ndarray]:
    """Sums of parts of `size` of values (N,), drawn in pieces: all different, and other than the first `size` values.

    At most `n_resamples` of them; all there are if they are fewer. Where there are more than 2^62 parts they are drawn
    independently: that two of 10,000 be the same has a chance below 1e-10.
    """
    random, n = np.random.default_rng(seed), len(values)
    total = comb(n, size)
    if total < LARGEST_RANK:
        n_resamples = min(n_resamples, total - 1)
        ranks = random.choice(total - 1, n_resamples, replace=False, shuffle=False) + 1
        for start in range(0, n_resamples, CHUNK):
            yield _sums_of_ranks(values, size, ranks[start : start + CHUNK])
        return
    rows = max(1, CHUNK // n)
    for start in range(0, n_resamples, rows):
        keys = random.random((min(rows, n_resamples - start), n), dtype=np.float32)
        yield values[np.argpartition(keys, size, axis=1)[:, :size]].sum(axis=1)


def _sums_by_size(values: np.ndarray) -> list[np.ndarray]:
    """Sums of all subsets of values (h,): for each size from 0 to h the sums, sorted."""
    sums, sizes = np.zeros(1), np.zeros(1, dtype=np.int8)
    for value in values:
        sums, sizes = np.concatenate([sums, sums + value]), np.concatenate([sizes, sizes + 1])
    return [np.sort(sums[sizes == size]) for size in range(len(values) + 1)]


def _sums_of_ranks(values: np.ndarray, size: int, ranks: np.ndarray) -> np.ndarray:
    """Sums of the parts with these numbers (k,) in lexicographic order; number 0 is the first `size` values."""
    n, table = len(values), _binomials(len(values), size)
    rest, left, sums = ranks.copy(), np.full(len(ranks), size), np.zeros(len(ranks))
    for i, value in enumerate(values):
        with_i = table[n - i - 1][left]  # parts of what is left that hold value i
        taken = rest < with_i
        sums += np.where(taken, value, 0.0)
        rest -= np.where(taken, 0, with_i)
        left -= taken
    return sums


@cache
def _binomials(n: int, size: int) -> np.ndarray:
    """C(m, r − 1) for m < n and r ≤ size, none for r = 0: (n, size + 1)."""
    return np.array([[comb(m, r - 1) if r else 0 for r in range(size + 1)] for m in range(n)], dtype=np.int64)
