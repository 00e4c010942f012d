"""Tests of paired values, such as those of two metrics on the same models, shuffles or seeds; Holm's correction.

Cases come in clusters, such as the models with the same bias distribution, which are flipped or swapped as wholes.
"""

from collections.abc import Mapping
from functools import lru_cache
from itertools import combinations

import numpy as np
import pandas as pd
import scipy

from biassay.statistics.correlation import pearson, signed_r2, weighted_correlations
from biassay.statistics.intervals import confidence_interval, interval_of_mean

COLUMNS = ["first", "second", "n", "clusters", "difference", "low", "high", "p"]
TOLERANCE = 1e-9  # smaller differences of R² are rounding


def correct_holm(p: np.ndarray) -> np.ndarray:
    """Correct p-values (n,) by Holm's (1979) step-down method; NaN stay NaN and do not count as tests."""
    p = np.asarray(p, float)
    order = np.argsort(p)[: np.isfinite(p).sum()]
    corrected = np.full(len(p), np.nan)
    corrected[order] = np.minimum(np.maximum.accumulate(p[order] * np.arange(len(order), 0, -1)), 1)
    return corrected


def compare_means(
    values: Mapping[str, np.ndarray], clusters: np.ndarray, *, n_resamples: int = 9999, seed: int = 1
) -> pd.DataFrame:
    """Compare every pair of named values (n,) of the same n cases, in clusters (n,).

    One row per pair: first, second, the number n of cases with both values and of their clusters, the mean
    difference (first minus second), its 95 % cluster bootstrap interval (low, high), and p of `sign_flip_test`. The
    caller corrects p for the family of tests (`correct_holm`).
    """
    rows, clusters = [], np.asarray(clusters)
    for first, second in combinations(values, 2):
        difference = np.asarray(values[first], float) - np.asarray(values[second], float)
        has_both = np.isfinite(difference)
        usable, used_clusters = difference[has_both], clusters[has_both]
        mean = usable.mean() if len(usable) else np.nan
        interval = interval_of_mean(usable, used_clusters, n_resamples, seed)
        p = sign_flip_test(usable, used_clusters, n_resamples, seed)
        rows.append([first, second, len(usable), len(np.unique(used_clusters)), mean, *interval, p])
    return pd.DataFrame(rows, columns=COLUMNS)


def sign_flip_test(differences: np.ndarray, clusters: np.ndarray, n_resamples: int, seed: int) -> float:
    """Test whether the mean of differences (n,) is 0 by flipping the signs of whole clusters (n,).

    The test is exact if there are at most `n_resamples` sign combinations; otherwise it samples this number. The
    two-sided p-value is (k + 1) / (n_resamples + 1) if sampled, NaN for fewer than two clusters.
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
        (sums,), np.sum, permutation_type="samples", n_resamples=n_resamples, vectorized=True
    )
    return float(test.pvalue)


@lru_cache(maxsize=1)  # many tests have the same number of clusters
def _draw_signs(n_resamples: int, n_clusters: int, seed: int) -> np.ndarray:
    """Draw whether each cluster keeps its sign, 1, or is flipped, 0: (n_resamples, n_clusters), read-only."""
    keeps_sign = np.random.default_rng(seed).integers(0, 2, (n_resamples, n_clusters), dtype=np.int8).astype(float)
    keeps_sign.flags.writeable = False
    return keeps_sign


def compare_r2(
    values: Mapping[str, np.ndarray],
    ground_truth: np.ndarray,
    clusters: np.ndarray,
    *,
    n_resamples: int = 9999,
    seed: int = 1,
) -> pd.DataFrame:
    """Compare the signed R² with a ground truth (n,) of every pair of named scores (n,), in clusters (n,).

    The table is that of `compare_means`, with the difference of signed R² (first minus second) and p of
    `swap_permutation_test`. The caller corrects p for the family of tests.
    """
    rows, clusters = [], np.asarray(clusters)
    for first, second in combinations(values, 2):
        pair = np.array([values[first], values[second], ground_truth], float)
        is_complete = np.isfinite(pair).all(axis=0)
        (x, z, y), used_clusters = pair[:, is_complete], clusters[is_complete]
        n_clusters = len(np.unique(used_clusters))
        results = [np.nan] * 4
        if n_clusters > 1 and all(np.ptp(side) > 0 for side in (x, z, y)):

            def difference(weights: np.ndarray, x=x, z=z, y=y) -> np.ndarray:
                return signed_r2(weighted_correlations(x, y, weights)) - signed_r2(weighted_correlations(z, y, weights))

            interval = confidence_interval(difference, used_clusters, n_resamples, seed)
            p = swap_permutation_test(x, z, y, used_clusters, n_resamples, seed)
            results = [signed_r2(pearson(x, y)[0]) - signed_r2(pearson(z, y)[0]), *interval, p]
        rows.append([first, second, int(is_complete.sum()), n_clusters, *results])
    return pd.DataFrame(rows, columns=COLUMNS)


def swap_permutation_test(
    first: np.ndarray, second: np.ndarray, ground_truth: np.ndarray, clusters: np.ndarray, n_resamples: int, seed: int
) -> float:
    """Test whether two scores (n,) have the same signed R² with a ground truth (n,) by swapping them in whole clusters.

    Scores are standardised first. The test is exact if there are at most `n_resamples` swaps; otherwise it samples this
    number. The two-sided p-value is (k + 1) / (n_resamples + 1) if sampled, NaN for fewer than two clusters or a
    constant.
    """
    sides, y = [first, second], ground_truth - ground_truth.mean()
    names, members = np.unique(clusters, return_inverse=True)
    if len(names) < 2 or any(np.ptp(side) == 0 for side in (*sides, ground_truth)):
        return np.nan
    standardised = [(side - side.mean()) / side.std() for side in sides]
    moments = [  # sums of x, x² and xy in each cluster
        np.column_stack([np.bincount(members, weights) for weights in (x, x * x, x * y)]) for x in standardised
    ]
    is_exact = 2 ** len(names) <= n_resamples
    if is_exact:
        swaps = (np.arange(2 ** len(names))[:, None] >> np.arange(len(names))) % 2 == 1
    else:
        swaps = np.random.default_rng(seed).random((n_resamples, len(names))) < 0.5
    change = swaps @ (moments[1] - moments[0])
    totals = [cluster_moments.sum(axis=0) for cluster_moments in moments]
    swapped = _r2(totals[0] + change, y) - _r2(totals[1] - change, y)
    observed = _r2(totals[0][None], y) - _r2(totals[1][None], y)
    n_reached = (np.abs(swapped) >= np.abs(observed) - TOLERANCE).sum()
    return float(n_reached / len(swaps) if is_exact else (n_reached + 1) / (len(swaps) + 1))


def _r2(sums: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Compute signed R² with centred y (n,) from sums of x, x² and xy (m, 3); 0 if x is constant."""
    spread = sums[:, 1] - sums[:, 0] ** 2 / len(y)
    return np.where(spread > TOLERANCE, signed_r2(sums[:, 2]) / np.maximum(spread, TOLERANCE) / (y @ y), 0)
