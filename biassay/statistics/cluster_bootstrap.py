"""Bootstrap intervals for cases in clusters, such as several models with the same bias distribution."""

from collections.abc import Callable
from functools import lru_cache

import numpy as np

from biassay.statistics.statistics import draw_resamples

MIN_CLUSTERS = 5


def confidence_interval(
    statistic: Callable[[np.ndarray], np.ndarray], clusters: np.ndarray, n_resamples: int, seed: int
) -> tuple[float, float]:
    """Compute the 95 % bootstrap interval of a statistic by resampling whole clusters.

    Parameters
    ----------
    statistic : callable
        Maps read-only weights (n_resamples, n), how often each case is drawn, to values (n_resamples,). NaN values are
        ignored.
    clusters : ndarray of shape (n,)
    n_resamples, seed : int

    Returns
    -------
    low, high : float
        NaN with fewer than MIN_CLUSTERS clusters.
    """
    names, members = np.unique(clusters, return_inverse=True)
    if len(names) < MIN_CLUSTERS:
        return np.nan, np.nan
    values = statistic(_draw_weights(tuple(members.tolist()), n_resamples, seed))
    values = values[np.isfinite(values)]
    return tuple(map(float, np.percentile(values, (2.5, 97.5)))) if len(values) else (np.nan, np.nan)


@lru_cache(maxsize=1)  # many statistics use the same cases
def _draw_weights(members: tuple[int, ...], n_resamples: int, seed: int) -> np.ndarray:
    """Draw how often each case, in cluster 0, 1, …, is resampled: (n_resamples, n), read-only."""
    n_clusters = max(members) + 1
    drawn = draw_resamples(n_clusters, n_resamples, seed) + n_clusters * np.arange(n_resamples)[:, None]
    counts = np.bincount(drawn.ravel(), minlength=n_resamples * n_clusters).reshape(n_resamples, n_clusters)
    weights = counts[:, members].astype(float)
    weights.flags.writeable = False
    return weights


def weighted_means(values: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Compute the means of values (n,) for each row of weights (n_resamples, n)."""
    return weights @ values / weights.sum(axis=1)


def weighted_correlations(x: np.ndarray, y: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Compute Pearson correlations of x and y (n,) for each row of weights (n_resamples, n); NaN for a constant."""
    x, y = (side - side.mean() for side in (x, y))
    mean_x, mean_y = weighted_means(x, weights), weighted_means(y, weights)
    variances = [weighted_means(s**2, weights) - mean**2 for s, mean in ((x, mean_x), (y, mean_y))]
    varies = np.all([variance > 1e-12 * s.var() for s, variance in zip((x, y), variances, strict=True)], axis=0)
    with np.errstate(invalid="ignore", divide="ignore"):
        r = (weighted_means(x * y, weights) - mean_x * mean_y) / np.sqrt(np.prod(np.maximum(variances, 0), axis=0))
    return np.where(varies, np.clip(r, -1, 1), np.nan)
