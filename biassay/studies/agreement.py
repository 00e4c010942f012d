"""Agreement of scores with the bias of models: correlations with intervals over clusters of models.

Models of one cluster, such as a distribution of planted bias, are alike, so whole clusters are resampled.
"""

from typing import NamedTuple

import numpy as np

from biassay.statistics.correlation import pearson, weighted_correlations
from biassay.statistics.intervals import confidence_interval

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
    """Correlate x and y (n,) without pairs that contain NaN; the 95 % interval is that of r or (squared) r².

    It is NaN where `intervals.confidence_interval` is, or r is undefined.
    """
    r, p, n = pearson(x, y)
    is_complete = np.isfinite(x) & np.isfinite(y)
    x, y, clusters = x[is_complete], y[is_complete], clusters[is_complete]

    def statistic(weights: np.ndarray) -> np.ndarray:
        return weighted_correlations(x, y, weights) ** (2 if squared else 1)

    interval = (np.nan, np.nan) if np.isnan(r) else confidence_interval(statistic, clusters, n_resamples, seed)
    return Correlation(r, *interval, p, n, len(np.unique(clusters)))
