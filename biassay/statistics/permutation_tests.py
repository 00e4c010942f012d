"""Permutation tests of a sum: how often does a random subset of a given size reach the sum of the observed subset?

Only sums matter, so subsets are counted or sampled without the word vectors.
"""

from collections import Counter
from collections.abc import Iterator
from functools import cache
from math import comb, factorial, prod

import numpy as np

ROUNDING = 1e-12  # per word; sums that differ by less are equal
MAX_RANK = 2**62
CHUNK = 1 << 20  # random keys held at a time


def smallest_share(sizes: list[int], is_symmetric: bool = True) -> float:
    """Return the smallest share of the ways to assign words to lists of these sizes that can be as far as any.

    is_symmetric: whether exchanging lists of equal size keeps the distance.
    """
    n_ways = factorial(sum(sizes)) // prod(map(factorial, sizes))
    return (prod(map(factorial, Counter(sizes).values())) if is_symmetric else 1) / n_ways


def count_exceeding(values: np.ndarray, size: int, thresholds: np.ndarray) -> np.ndarray:
    """Count the subsets of `size` of values (N,) whose sum is at least each threshold: one count per threshold.

    The sorted subset sums of both halves are combined (meet in the middle): 2^(N/2) sums instead of C(N, size).
    """
    left, right = (_sums_by_size(half) for half in np.array_split(np.asarray(values, np.float64), 2))
    counts = np.zeros(len(thresholds), dtype=object)
    for n_left in range(max(0, size - len(right) + 1), min(size, len(left) - 1) + 1):
        others = right[size - n_left]
        for number, threshold in enumerate(thresholds):
            below = np.searchsorted(others, threshold - left[n_left])
            counts[number] += len(left[n_left]) * len(others) - int(below.sum())
    return counts


def sample_sums(values: np.ndarray, size: int, n_resamples: int, seed: int) -> Iterator[np.ndarray]:
    """Sample the sums of distinct subsets of `size` of values (N,), in chunks, without the first `size` values.

    Yields at most `n_resamples` sums in total, or all if there are fewer. If there are more than 2^62 subsets, they are
    drawn independently; the chance that two of 10,000 are equal is below 1e-10.
    """
    random, n = np.random.default_rng(seed), len(values)
    total = comb(n, size)
    if total < MAX_RANK:
        n_resamples = min(n_resamples, total - 1)
        ranks = random.choice(total - 1, n_resamples, replace=False, shuffle=False) + 1
        for start in range(0, n_resamples, CHUNK):
            yield _sums_of_ranks(values, size, ranks[start : start + CHUNK])
        return
    rows = max(1, CHUNK // n)
    for start in range(0, n_resamples, rows):
        keys = random.random((min(rows, n_resamples - start), n), dtype=np.float32)
        yield values[np.argpartition(keys, size, axis=1)[:, :size]].sum(axis=1)


def compare_parts(values: np.ndarray, size: int, n_resamples: int, seed: int) -> np.ndarray:
    """Test in each row of values (k, n) whether its first `size` values have another mean than the rest.

    Returns two-sided p-values (k,), (r + 1) / (n_resamples + 1) for r random subsets, the same for all rows, with as
    large a difference of means. NaN for a row that is undefined, or whose values are all equal.
    """
    centred = values - values.mean(axis=1, keepdims=True)  # a subset's sum is then proportional to the difference
    rounding = values.shape[1] * ROUNDING
    thresholds = np.abs(centred[:, :size].sum(axis=1, keepdims=True)) - rounding
    random, n_reached = np.random.default_rng(seed), np.zeros(len(values))
    rows = max(1, CHUNK // values.shape[1])
    for start in range(0, n_resamples, rows):
        keys = random.random((min(rows, n_resamples - start), values.shape[1]), dtype=np.float32)
        subsets = np.zeros(keys.shape)
        np.put_along_axis(subsets, np.argpartition(keys, size, axis=1)[:, :size], 1.0, axis=1)
        n_reached += (np.abs(centred @ subsets.T) >= thresholds).sum(axis=1)
    is_defined = np.abs(centred).max(axis=1) > rounding
    return np.where(is_defined, (n_reached + 1) / (n_resamples + 1), np.nan)


def _sums_by_size(values: np.ndarray) -> list[np.ndarray]:
    """Compute the sorted sums of all subsets of values (h,), for each size from 0 to h."""
    sums, sizes = np.zeros(1), np.zeros(1, dtype=np.int8)
    for value in values:
        sums, sizes = np.concatenate([sums, sums + value]), np.concatenate([sizes, sizes + 1])
    return [np.sort(sums[sizes == size]) for size in range(len(values) + 1)]


def _sums_of_ranks(values: np.ndarray, size: int, ranks: np.ndarray) -> np.ndarray:
    """Compute the sums of the subsets with these ranks (k,) in lexicographic order; rank 0 is the first values."""
    n, table = len(values), _binomials(len(values), size)
    remainder, n_missing, sums = ranks.copy(), np.full(len(ranks), size), np.zeros(len(ranks))
    for i, value in enumerate(values):
        with_i = table[n - i - 1][n_missing]  # number of remaining subsets that contain value i
        is_taken = remainder < with_i
        sums += np.where(is_taken, value, 0.0)
        remainder -= np.where(is_taken, 0, with_i)
        n_missing -= is_taken
    return sums


@cache
def _binomials(n: int, size: int) -> np.ndarray:
    """Compute C(m, r − 1) for m < n and r ≤ size, 0 for r = 0: (n, size + 1)."""
    return np.array([[comb(m, r - 1) if r else 0 for r in range(size + 1)] for m in range(n)], dtype=np.int64)
