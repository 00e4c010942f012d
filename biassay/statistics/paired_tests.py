"""Sign-flip tests of paired values, such as values of two metrics on the same models, shuffles or seeds."""

from collections.abc import Mapping
from functools import lru_cache
from itertools import combinations

import numpy as np
import pandas as pd
import scipy

from biassay.statistics import cluster_bootstrap

COLUMNS = ["first", "second", "n", "clusters", "difference", "low", "high", "p"]


def sign_flip_test(differences: np.ndarray, clusters: np.ndarray, n_resamples: int, seed: int) -> float:
    """Test whether the mean of differences is 0 by flipping the signs of whole clusters.

    Parameters
    ----------
    differences, clusters : ndarray of shape (n,)
        A cluster can be the models with the same bias distribution.
    n_resamples : int
        The test is exact if there are at most this number of sign combinations; otherwise it samples this number.
    seed : int

    Returns
    -------
    float
        Two-sided p-value, (k + 1) / (n_resamples + 1) if sampled. NaN for fewer than two clusters.
    """
    _, members = np.unique(clusters, return_inverse=True)
    sums = np.bincount(members, weights=differences)
    if len(sums) < 2:
        return np.nan
    if 2 ** len(sums) > n_resamples:  # same result as scipy's test in 5 % of its time
        sampled_sums = _draw_signs(n_resamples, len(sums), seed) @ (2 * sums) - sums.sum()
        rounding = 1e-12 * np.abs(sums).sum()
        tails = (sampled_sums >= sums.sum() - rounding).sum(), (sampled_sums <= sums.sum() + rounding).sum()
        return float(min(1, 2 * (min(tails) + 1) / (n_resamples + 1)))
    test = scipy.stats.permutation_test(
        (sums,),
        np.sum,
        permutation_type="samples",
        n_resamples=n_resamples,
        vectorized=True,
        rng=np.random.default_rng(seed),
    )
    return float(test.pvalue)


@lru_cache(maxsize=1)  # many tests have the same number of clusters
def _draw_signs(n_resamples: int, n_clusters: int, seed: int) -> np.ndarray:
    """Draw whether each cluster keeps its sign, 1, or is flipped, 0: (n_resamples, n_clusters), read-only."""
    keeps_sign = np.random.default_rng(seed).integers(0, 2, (n_resamples, n_clusters), dtype=np.int8).astype(float)
    keeps_sign.flags.writeable = False
    return keeps_sign


def compare(
    values: Mapping[str, np.ndarray], clusters: np.ndarray, *, n_resamples: int = 9999, seed: int = 1
) -> pd.DataFrame:
    """Compare every pair of named values (n,) of the same n cases, in clusters (n,).

    Returns
    -------
    DataFrame
        One row per pair: first, second, the number n of cases with both values and of their clusters, the mean
        difference (first minus second), its 95 % cluster bootstrap interval (low, high), and p of `sign_flip_test`.
        The caller corrects p for the family of tests (`statistics.correct_holm`).
    """
    rows, clusters = [], np.asarray(clusters)
    for first, second in combinations(values, 2):
        difference = np.asarray(values[first], float) - np.asarray(values[second], float)
        has_both = np.isfinite(difference)
        usable, used_clusters = difference[has_both], clusters[has_both]
        n_clusters = len(np.unique(used_clusters))
        mean = usable.mean() if len(usable) else np.nan
        low, high = _interval(usable, used_clusters, n_resamples, seed) if n_clusters else (np.nan, np.nan)
        p = sign_flip_test(usable, used_clusters, n_resamples, seed)
        rows.append([first, second, len(usable), n_clusters, mean, low, high, p])
    return pd.DataFrame(rows, columns=COLUMNS)


def _interval(differences: np.ndarray, clusters: np.ndarray, n_resamples: int, seed: int) -> tuple[float, float]:
    def mean(weights: np.ndarray) -> np.ndarray:
        return cluster_bootstrap.weighted_means(differences, weights)

    return cluster_bootstrap.confidence_interval(mean, clusters, n_resamples, seed)
