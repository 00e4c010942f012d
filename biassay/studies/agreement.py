"""Agreement of scores with the bias of models: correlations with intervals over clusters of models.

Models of one cluster, such as a distribution of planted bias, are alike, so whole clusters are resampled.
"""

from types import ModuleType
from typing import NamedTuple

import numpy as np

from biassay.measurement.metric import Range
from biassay.statistics.correlation import pearson, signed_r2, weighted_correlations
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


def bias_magnitude(values: np.ndarray, module: ModuleType, bounds: Range) -> np.ndarray:
    """Convert scores of a metric to magnitudes of bias, so that a larger one means more bias.

    That is the distance from b_0 if scores are signed, or if b_0 is above the smallest value, as MAC's is. A score of a
    label-based metric below b_0 is that of predictions worse than chance, which is no bias: it stays as it is.
    """
    b_min, _, b_0, signed = bounds
    is_above = module.METRIC.groups != (0, 0) and b_0 is not None and (b_min is None or b_min < b_0)
    return np.abs(values - (b_0 or 0.0)) if signed or is_above else values


def orient_scores(values: np.ndarray, module: ModuleType, bounds: Range) -> np.ndarray:
    """Convert scores without a sign to magnitudes of bias, and signed ones so that positive means the first group."""
    if not bounds.signed:
        return bias_magnitude(values, module, bounds)
    return module.METRIC.towards_first(values - (bounds.b_0 or 0.0))


def correlate(
    x: np.ndarray, y: np.ndarray, clusters: np.ndarray, n_resamples: int, seed: int, *, squared: bool = False
) -> Correlation:
    """Correlate x and y (n,) without pairs that contain NaN; the 95 % interval is that of r or (squared) signed R².

    It is NaN where `intervals.confidence_interval` is, or r is undefined.
    """
    r, p, n = pearson(x, y)
    is_complete = np.isfinite(x) & np.isfinite(y)
    x, y, clusters = x[is_complete], y[is_complete], clusters[is_complete]

    def statistic(weights: np.ndarray) -> np.ndarray:
        r = weighted_correlations(x, y, weights)
        return signed_r2(r) if squared else r

    interval = (np.nan, np.nan) if np.isnan(r) else confidence_interval(statistic, clusters, n_resamples, seed)
    return Correlation(r, *interval, p, n, len(np.unique(clusters)))
