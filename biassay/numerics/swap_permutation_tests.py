"""Is one correlation with a ground truth stronger than another? A permutation test that exchanges the two scores."""

from collections.abc import Mapping
from itertools import combinations

import numpy as np
import pandas as pd

from biassay.numerics import cluster_bootstrap
from biassay.numerics.paired_tests import COLUMNS

TOLERANCE = 1e-9  # differences of R² up to that are rounding


def swap_permutation_test(
    first: np.ndarray, second: np.ndarray, ground_truth: np.ndarray, clusters: np.ndarray, n_resamples: int, seed: int
) -> float:
    """Two-sided p-value of a paired permutation test: are the R² of two scores (n,) with a ground truth (n,) the same?

    Both scores are standardised and turned to correlate positively. Under the null hypothesis they may change places,
    in a cluster (n,) of cases as a whole. Exact where there are at most `n_resamples` ways to do so, else
    (k + 1) / (draws + 1) over random ones. NaN for fewer than two clusters, and if a side does not vary.
    """
    sides, y = [first, second], ground_truth - ground_truth.mean()
    names, members = np.unique(clusters, return_inverse=True)
    if len(names) < 2 or any(np.ptp(side) == 0 for side in (*sides, ground_truth)):
        return np.nan
    turned = [(side - side.mean()) / side.std() * (1 if side @ y >= 0 else -1) for side in sides]
    moments = [  # of the cases of each cluster: sums of x, x² and xy
        np.column_stack([np.bincount(members, weights) for weights in (x, x * x, x * y)]) for x in turned
    ]
    exact = 2 ** len(names) <= n_resamples
    ways = _all(len(names)) if exact else np.random.default_rng(seed).random((n_resamples, len(names))) < 0.5
    change = ways @ (moments[1] - moments[0])
    of_first, of_second = (
        _r2(moments[side].sum(axis=0) + sign * change, y) for side, sign in ((0, 1), (1, -1))
    )  # fmt: skip
    start = _r2(moments[0].sum(axis=0)[None], y) - _r2(moments[1].sum(axis=0)[None], y)
    as_far = (np.abs(of_first - of_second) >= np.abs(start) - TOLERANCE).sum()
    return float(as_far / len(ways) if exact else (as_far + 1) / (len(ways) + 1))


def _all(n: int) -> np.ndarray:
    return (np.arange(2**n)[:, None] >> np.arange(n)) % 2 == 1


def _r2(sums: np.ndarray, y: np.ndarray) -> np.ndarray:
    """R² from sums of x, x² and xy, (m, 3), with centred y (n,); 0 where x does not vary."""
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
    """Compare the R² of each two of the named scores (n,) with a ground truth (n,), over the same cases, in clusters
    (n,).

    A row a pair, with the columns of `paired_tests.compare`: n cases that have both scores, the difference of R² (first less
    second), its 95 % bootstrap interval (clusters drawn as wholes) and p of `swap_permutation_test`. Holm's correction
    is left to the caller.
    """
    rows, clusters, ground_truth = [], np.asarray(clusters), np.asarray(ground_truth, float)
    for first, second in combinations(values, 2):
        pair = np.array([values[first], values[second], ground_truth], float)
        both = np.isfinite(pair).all(axis=0)
        (x, z, y), of = pair[:, both], clusters[both]
        number = len(np.unique(of))
        found = [np.nan] * 4
        if number > 1 and all(np.ptp(side) > 0 for side in (x, z, y)):
            difference = np.corrcoef(x, y)[0, 1] ** 2 - np.corrcoef(z, y)[0, 1] ** 2
            interval = cluster_bootstrap.confidence_interval(_difference(x, z, y), of, n_resamples, seed)
            found = [difference, *interval, swap_permutation_test(x, z, y, of, n_resamples, seed)]
        rows.append([first, second, int(both.sum()), number, *found])
    return pd.DataFrame(rows, columns=COLUMNS)


def _difference(x: np.ndarray, z: np.ndarray, y: np.ndarray):
    return lambda w: cluster_bootstrap.weighted_correlations(x, y, w) ** 2 - cluster_bootstrap.weighted_correlations(z, y, w) ** 2
