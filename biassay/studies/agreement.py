"""Agreement of scores with the bias of models: correlations with intervals over clusters of models.

Models of one cluster, such as a distribution of planted bias, are alike, so whole clusters are resampled.
"""

from typing import NamedTuple

import numpy as np

from biassay.statistics import correlation

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
    """Correlate x and y (n,) without pairs that contain NaN; the 95 % interval is that of r or (squared) r²."""
    r, p, n = correlation.pearson(x, y)
    low, high = correlation.cluster_interval(x, y, clusters, n_resamples, seed, squared=squared)
    return Correlation(r, low, high, p, n, len(np.unique(clusters[np.isfinite(x) & np.isfinite(y)])))
