"""Swap-permutation tests: does one of two scores correlate more strongly with a ground truth?"""

from collections.abc import Callable, Mapping
from itertools import combinations

import numpy as np
import pandas as pd

from biassay.statistics import cluster_bootstrap
from biassay.statistics.paired_tests import COLUMNS

TOLERANCE = 1e-9  # smaller differences of R² are rounding


def swap_permutation_test(
    first: np.ndarray, second: np.ndarray, ground_truth: np.ndarray, clusters: np.ndarray, n_resamples: int, seed: int
) -> float:
    """Test whether two scores have the same R² with a ground truth by swapping the scores within whole clusters.

    Scores are standardised and get the sign of a positive correlation first.

    Parameters
    ----------
    first, second, ground_truth, clusters : ndarray of shape (n,)
    n_resamples : int
        The test is exact if there are at most this number of swaps; otherwise it samples this number.
    seed : int

    Returns
    -------
    float
        Two-sided p-value, (k + 1) / (n_resamples + 1) if sampled. NaN for fewer than two clusters or a constant.
    """
    sides, y = [first, second], ground_truth - ground_truth.mean()
    names, members = np.unique(clusters, return_inverse=True)
    if len(names) < 2 or any(np.ptp(side) == 0 for side in (*sides, ground_truth)):
        return np.nan
    standardised = [(side - side.mean()) / side.std() * (1 if side @ y >= 0 else -1) for side in sides]
    moments = [  # sums of x, x² and xy in each cluster
        np.column_stack([np.bincount(members, weights) for weights in (x, x * x, x * y)]) for x in standardised
    ]
    is_exact = 2 ** len(names) <= n_resamples
    swaps = _all_swaps(len(names)) if is_exact else np.random.default_rng(seed).random((n_resamples, len(names))) < 0.5
    change = swaps @ (moments[1] - moments[0])
    first_r2, second_r2 = (
        _r2(moments[side].sum(axis=0) + sign * change, y) for side, sign in ((0, 1), (1, -1))
    )  # fmt: skip
    observed = _r2(moments[0].sum(axis=0)[None], y) - _r2(moments[1].sum(axis=0)[None], y)
    n_reached = (np.abs(first_r2 - second_r2) >= np.abs(observed) - TOLERANCE).sum()
    return float(n_reached / len(swaps) if is_exact else (n_reached + 1) / (len(swaps) + 1))


def _all_swaps(n: int) -> np.ndarray:
    return (np.arange(2**n)[:, None] >> np.arange(n)) % 2 == 1


def _r2(sums: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Compute R² with centred y (n,) from sums of x, x² and xy (m, 3); 0 if x is constant."""
    spread = sums[:, 1] - sums[:, 0] ** 2 / len(y)
    return np.where(spread > TOLERANCE, sums[:, 2] ** 2 / np.maximum(spread, TOLERANCE) / (y @ y), 0)


def compare(
    values: Mapping[str, np.ndarray],
    ground_truth: np.ndarray,
    clusters: np.ndarray,
    *,
    n_resamples: int = 9999,
    seed: int = 1,
) -> pd.DataFrame:
    """Compare the R² with a ground truth (n,) of every pair of named scores (n,), in clusters (n,).

    Returns
    -------
    DataFrame
        One row per pair, with the columns of `paired_tests.compare`. The difference is that of R² (first minus second);
        p is that of `swap_permutation_test`. The caller corrects p for the family of tests.
    """
    rows, clusters, ground_truth = [], np.asarray(clusters), np.asarray(ground_truth, float)
    for first, second in combinations(values, 2):
        pair = np.array([values[first], values[second], ground_truth], float)
        is_complete = np.isfinite(pair).all(axis=0)
        (x, z, y), used_clusters = pair[:, is_complete], clusters[is_complete]
        n_clusters = len(np.unique(used_clusters))
        results = [np.nan] * 4
        if n_clusters > 1 and all(np.ptp(side) > 0 for side in (x, z, y)):
            difference = np.corrcoef(x, y)[0, 1] ** 2 - np.corrcoef(z, y)[0, 1] ** 2
            statistic = _r2_difference(x, z, y)
            interval = cluster_bootstrap.confidence_interval(statistic, used_clusters, n_resamples, seed)
            p = swap_permutation_test(x, z, y, used_clusters, n_resamples, seed)
            results = [difference, *interval, p]
        rows.append([first, second, int(is_complete.sum()), n_clusters, *results])
    return pd.DataFrame(rows, columns=COLUMNS)


def _r2_difference(x: np.ndarray, z: np.ndarray, y: np.ndarray) -> Callable[[np.ndarray], np.ndarray]:
    """Return the function that maps weights to the differences of the R² of x and z with y."""

    def difference(weights: np.ndarray) -> np.ndarray:
        r_x, r_z = (cluster_bootstrap.weighted_correlations(side, y, weights) for side in (x, z))
        return r_x**2 - r_z**2

    return difference
