"""Agreement of scores with the bias of models: correlations and means with intervals over clusters of models.

Models of one cluster, such as a distribution of planted bias, are alike, so whole clusters are resampled.
"""

from typing import NamedTuple

import numpy as np

from biassay.statistics import cluster_bootstrap
from biassay.statistics.statistics import pearson_rows

PERMUTATIONS = 9999  # of tests between set-level scores


class Correlation(NamedTuple):
    """Pearson's r over n models of n_clusters, p of its test, which treats models as independent, and an interval."""

    r: float
    low: float
    high: float
    p: float
    n: int
    n_clusters: int


def correlate(
    x: np.ndarray, y: np.ndarray, clusters: np.ndarray, n_resamples: int, seed: int, *, squared: bool = False
) -> Correlation:
    """Correlate x and y (n,) without pairs that contain NaN; low, high: 95 % bootstrap interval of r or (squared) r²."""
    is_complete = np.isfinite(x) & np.isfinite(y)
    x, y, clusters = x[is_complete], y[is_complete], clusters[is_complete]
    r, p, _ = (float(value[0]) for value in pearson_rows(x[None], y[None]))

    def resample(weights: np.ndarray) -> np.ndarray:
        return cluster_bootstrap.weighted_correlations(x, y, weights) ** (2 if squared else 1)

    low = high = np.nan
    if np.isfinite(r):
        low, high = cluster_bootstrap.confidence_interval(resample, clusters, n_resamples, seed)
    return Correlation(r, low, high, p, len(x), len(np.unique(clusters)))


def interval_of_mean(values: np.ndarray, clusters: np.ndarray, n_resamples: int, seed: int) -> tuple[float, float]:
    """Compute the 95 % bootstrap interval of the mean of values (n,); NaN for fewer than five clusters."""
    return cluster_bootstrap.confidence_interval(
        lambda weights: cluster_bootstrap.weighted_means(values, weights), clusters, n_resamples, seed
    )
