"""Pearson and Spearman correlations, their intervals, and tests of two correlations with the same ground truth.

Pairs with NaN are left out. A correlation is NaN for fewer than 3 pairs or if one side is constant.
"""

from dataclasses import dataclass
from itertools import permutations

import numpy as np
import pandas as pd
from scipy import special

from biassay.statistics.intervals import MIN_CLUSTERS, draw_weights, expanded_levels, weighted_means

CORRELATIONS = ("spearman", "pearson")
MAX_LISTED = 7  # cases, all of whose orders are listed
ROUNDING = 1e-9  # correlations closer than this are equal


@dataclass(frozen=True)
class Correlations:
    """Correlations, two-sided p-values (H0: no correlation), 95 % intervals and numbers of pairs, each (m,).

    `resampled` (m, n_resamples) are the correlations in the resamples of the interval.
    """

    value: np.ndarray
    p: np.ndarray
    low: np.ndarray
    high: np.ndarray
    n: np.ndarray
    resampled: np.ndarray


def pearson(x: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Compute Pearson correlations of corresponding rows of x and y (…, n).

    Returns r, two-sided p-values and numbers of pairs, each of shape (…).
    """
    x, y = np.asarray(x, np.float64), np.asarray(y, np.float64)
    has_both = np.isfinite(x) & np.isfinite(y)
    n = has_both.sum(axis=-1)
    deviations, varies = [], n >= 3
    for side in (x, y):
        mean = np.where(has_both, side, 0).sum(axis=-1, keepdims=True) / np.maximum(n, 1)[..., None]
        deviations.append(np.where(has_both, side - mean, 0))
        minima = np.where(has_both, side, np.inf).min(axis=-1, initial=np.inf)
        varies = varies & (np.where(has_both, side, -np.inf).max(axis=-1, initial=-np.inf) > minima)
    with np.errstate(invalid="ignore", divide="ignore"):
        r = np.where(varies, _cosines(*deviations), np.nan)[()]
        p = 2 * special.stdtr(n - 2, -np.abs(r) * np.sqrt((n - 2) / (1 - r**2)))
    return r, p, n


def signed_r2(r: float | np.ndarray) -> float | np.ndarray:
    """Compute R² with the sign of r: below 0 for scores that fall as the ground truth grows."""
    return r * np.abs(r)


def spearman(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Compute Spearman correlations of corresponding rows of x and y (…, n) without NaN, of any number of pairs."""
    middle = (np.shape(x)[-1] + 1) / 2
    return _cosines(*(_rank(side) - middle for side in (x, y)))


def _cosines(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Compute the correlations of centred rows (…, n); NaN for a zero row."""
    with np.errstate(invalid="ignore", divide="ignore"):
        r = (x * y).sum(axis=-1) / np.sqrt((x**2).sum(axis=-1) * (y**2).sum(axis=-1))
    return np.clip(r, -1, 1)


def _rank(values: np.ndarray) -> np.ndarray:
    """Rank the values of each row (…, n), ties by their mean rank; NaN stay NaN. Importing scipy.stats takes longer."""
    rows = np.reshape(values, (-1, np.shape(values)[-1]))
    return pd.DataFrame(rows).rank(axis=1).to_numpy().reshape(np.shape(values))


def rank_rows(kind: str, *sides: np.ndarray) -> list[np.ndarray]:
    """Prepare corresponding rows (m, n) for `pearson`: ranks for "spearman", NaN if any side is NaN."""
    has_all = np.logical_and.reduce([np.isfinite(side) for side in sides])
    complete = [np.where(has_all, side, np.nan) for side in sides]
    return complete if kind == "pearson" else [_rank(side) for side in complete]


def correlate_rows(
    x: np.ndarray, y: np.ndarray, kind: str, n_resamples: int, seed: int, clusters: np.ndarray | None = None
) -> Correlations:
    """Correlate each row of x (m, n) with y (n,), with intervals over the cases, or over clusters (n,) of cases.

    `kind` is one of CORRELATIONS. Resamples in which a side is constant do not count for the interval, which is NaN for
    fewer than MIN_CLUSTERS cases or clusters.
    """
    has_both = np.isfinite(x) & np.isfinite(y)
    value, p, n = pearson(*rank_rows(kind, x, np.broadcast_to(y, x.shape)))
    if kind == "spearman":  # the share of the orders that can be as far as any
        p = np.maximum(p, 2 / special.factorial(n))
    low, high = np.full((2, len(x)), np.nan)
    resampled = np.full((len(x), n_resamples), np.nan)
    clusters = np.arange(len(y)) if clusters is None else clusters
    patterns, members = np.unique(has_both, axis=0, return_inverse=True)
    for number, pattern in enumerate(patterns):
        rows = (members.ravel() == number) & np.isfinite(value)
        if rows.any():
            n_both = int(pattern.sum())
            if kind == "spearman" and n_both <= MAX_LISTED:
                p[rows] = [_list_orders(*np.vstack([row, y])[:, pattern]) for row in x[rows]]
            own_clusters, names = pd.factorize(clusters[pattern])
            if len(names) < MIN_CLUSTERS:
                continue
            weights = draw_weights(tuple(own_clusters.tolist()), n_resamples, seed)
            distinct, places = np.unique(x[rows][:, pattern], axis=0, return_inverse=True)
            values = correlate_resamples(distinct, y[pattern], kind, weights)
            percentile = np.nanpercentile if np.isnan(values).any() else np.percentile  # percentile is much faster
            low[rows], high[rows] = percentile(values, expanded_levels(len(names)), axis=1)[:, places.ravel()]
            resampled[rows] = values[places.ravel()]
    return Correlations(value, p, low, high, n, resampled)


def _list_orders(x: np.ndarray, y: np.ndarray) -> float:
    """Compute the two-sided p of Spearman's correlation from all orders of few cases, which t approximates badly."""
    x, y = (side - side.mean() for side in _rank(np.stack([x, y])))
    found = np.abs(np.array(list(permutations(x))) @ y)  # the first order is that of the cases
    return float((found >= found[0] - ROUNDING).mean())


def correlate_resamples(x: np.ndarray, y: np.ndarray, kind: str, weights: np.ndarray) -> np.ndarray:
    """Correlate each row of x (m, n) with y (n,) in resamples that draw cases `weights` (n_resamples, n) times.

    Returns an array (m, n_resamples); NaN if one side is constant. Ties get their mean rank within a resample.
    """
    if kind == "pearson":
        return weighted_correlations(x, y, weights)
    times = np.ascontiguousarray(weights.T, np.float32)  # sums over the first axis are much faster
    own = _resampled_ranks(y, times)
    products, squares, results = times * own, np.einsum("ij,ij,ij->j", times, own, own, dtype=np.float64), []
    for row in x:
        ranks = _resampled_ranks(row, times)
        lengths = np.sqrt(squares * np.einsum("ij,ij,ij->j", times, ranks, ranks, dtype=np.float64))
        with np.errstate(invalid="ignore"):
            results.append(np.einsum("ij,ij->j", products, ranks, dtype=np.float64) / lengths)
    return np.stack(results)


def _resampled_ranks(values: np.ndarray, times: np.ndarray) -> np.ndarray:
    """Compute the mean ranks of values (n,), minus their mean, in resamples that draw them `times` (n, n_resamples).

    Single precision is exact for these halves of integers. The mean rank of a value is ½ more than the mean of the
    numbers of cases below it, and not above it.
    """
    order = np.argsort(values)
    n_below = np.zeros((len(values) + 1, times.shape[1]), np.float32)
    np.cumsum(times[order], axis=0, out=n_below[1:])
    first, last = (np.searchsorted(values[order], values, side) for side in ("left", "right"))
    return (n_below[first] + n_below[last] - n_below[-1]) / 2


def weighted_correlations(x: np.ndarray, y: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Compute Pearson correlations of x (…, n) and y (n,) for each row of weights (n_resamples, n): (…, n_resamples).

    NaN if one side is constant among the cases with a weight.
    """
    x, y = (side - side.mean(axis=-1, keepdims=True) for side in (x, y))
    (mean_x, var_x), (mean_y, var_y) = _weighted_moments(x, weights), _weighted_moments(y, weights)
    with np.errstate(invalid="ignore", divide="ignore"):
        r = (weighted_means(x * y, weights) - mean_x * mean_y) / np.sqrt(var_x * var_y)
    return np.clip(r, -1, 1)


def _weighted_moments(values: np.ndarray, weights: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Compute means and variances of centred values (…, n) for each row of weights; a variance of 0 becomes NaN."""
    means = weighted_means(values, weights)
    variances = weighted_means(values**2, weights) - means**2
    return means, np.where(variances > 1e-12 * values.var(axis=-1)[..., None], variances, np.nan)


def fisher_interval(r: np.ndarray, n: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Compute 95 % intervals of Pearson correlations r (m,) of n (m,) cases by Fisher's transform; NaN if n < 4, or if
    |r| = 1, because the interval would have no width."""
    with np.errstate(divide="ignore", invalid="ignore"):
        width = special.ndtri(0.975) / np.sqrt(np.where((n > 3) & (np.abs(r) < 1 - ROUNDING), n - 3.0, np.nan))
        return np.tanh(np.arctanh(r) - width), np.tanh(np.arctanh(r) + width)


def compare_dependent(
    r_1: float | np.ndarray, r_2: float | np.ndarray, r_12: float | np.ndarray, n: int | np.ndarray
) -> tuple[float | np.ndarray, float | np.ndarray]:
    """Compare two correlations with the same ground truth by Steiger's z (1980), elementwise.

    r_1 and r_2 are the correlations of two scores with the ground truth, r_12 is that of the scores with each other, n
    the number of cases. The covariance of Fisher's transforms uses the mean correlation (Z̄1*). Returns z, which is
    positive if r_1 is larger, and the two-sided p; NaN if n < 4, a correlation is NaN or the scores are equal.
    """
    largest = np.max(np.abs(np.broadcast_arrays(r_1, r_2, r_12)), axis=0)
    usable = (np.asarray(n) >= 4) & (largest < 1)
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = np.add(r_1, r_2) / 2
        covariance = (r_12 * (1 - 2 * mean**2) - 0.5 * mean**2 * (1 - 2 * mean**2 - np.square(r_12))) / (
            1 - mean**2
        ) ** 2
        z = (np.arctanh(r_1) - np.arctanh(r_2)) * np.sqrt(np.subtract(n, 3) / (2 * (1 - covariance)))
    z = np.where(usable, z, np.nan)[()]
    return z, 2 * special.ndtr(-np.abs(z))


def compare_resampled(first: Correlations, second: Correlations) -> tuple[np.ndarray, np.ndarray]:
    """Compare correlations with the same ground truth, row by row, by their values in the same resamples.

    z is the difference of Fisher's transforms divided by its standard deviation over the resamples, without those in
    which a correlation is NaN or ±1. Unlike `compare_dependent`, it allows for cases that depend on each other within
    the clusters of `correlate_rows`. Returns z, which is positive if the first is larger, and the two-sided p, each
    (m,); NaN if a correlation is NaN or ±1, or the scores are equal.
    """
    resampled = np.stack([first.resampled, second.resampled])
    transformed = np.arctanh(np.where(np.abs(resampled) < 1 - ROUNDING, resampled, np.nan))
    spread = pd.DataFrame(transformed[0] - transformed[1]).std(axis=1).to_numpy()  # without NaN
    with np.errstate(invalid="ignore", divide="ignore"):
        z = (np.arctanh(first.value) - np.arctanh(second.value)) / np.where(spread > ROUNDING, spread, np.nan)
    return z, 2 * special.ndtr(-np.abs(z))


def describe_test(z: float, p: float, level: float = 0.05) -> str:
    """Describe a test of two correlations: "first", "second" or "not significant", "undefined" for NaN."""
    if np.isnan(p):
        return "undefined"
    return "not significant" if p >= level else "first" if z > 0 else "second"
