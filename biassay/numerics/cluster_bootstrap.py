"""Bootstrap intervals of cases that come in clusters, such as the repeats of a distribution."""

from collections.abc import Callable
from functools import lru_cache

import numpy as np

from biassay.numerics.statistics import draw_resamples

FEWEST_CLUSTERS = 5  # a bootstrap of fewer would say little


def confidence_interval(
    statistic: Callable[[np.ndarray], np.ndarray], clusters: np.ndarray, n_resamples: int, seed: int
) -> tuple[float, float]:
    """95 % bootstrap interval of a statistic of n cases that come in clusters (n,), which are drawn as wholes.

    `statistic` maps weights (draws, n), how often each case is drawn, not to be written to, to values (draws,), whose
    NaN are left out. NaN with fewer than FEWEST_CLUSTERS.
    """
    names, members = np.unique(clusters, return_inverse=True)
    if len(names) < FEWEST_CLUSTERS:
        return np.nan, np.nan
    values = statistic(_weights(tuple(members.tolist()), n_resamples, seed))
    values = values[np.isfinite(values)]
    return tuple(map(float, np.percentile(values, (2.5, 97.5)))) if len(values) else (np.nan, np.nan)


@lru_cache(maxsize=1)  # many statistics are of the same cases
def _weights(members: tuple[int, ...], n_resamples: int, seed: int) -> np.ndarray:
    """How often each case is drawn, of cases in clusters 0, 1, …: (draws, n), not to be written to."""
    number = max(members) + 1
    drawn = draw_resamples(number, n_resamples, seed) + number * np.arange(n_resamples)[:, None]
    times = np.bincount(drawn.ravel(), minlength=n_resamples * number).reshape(n_resamples, number)
    weights = times[:, members].astype(float)
    weights.flags.writeable = False
    return weights


def weighted_means(values: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Means of values (n,) under each row of weights (draws, n)."""
    return weights @ values / weights.sum(axis=1)


def weighted_correlations(x: np.ndarray, y: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Pearson correlations of x and y (n,) under each row of weights (draws, n); NaN where one side is constant."""
    x, y = (side - side.mean() for side in (x, y))
    mean_x, mean_y = weighted_means(x, weights), weighted_means(y, weights)
    spreads = [weighted_means(s**2, weights) - mean**2 for s, mean in ((x, mean_x), (y, mean_y))]
    varied = np.all([spread > 1e-12 * s.var() for s, spread in zip((x, y), spreads, strict=True)], axis=0)
    with np.errstate(invalid="ignore", divide="ignore"):
        r = (weighted_means(x * y, weights) - mean_x * mean_y) / np.sqrt(np.prod(np.maximum(spreads, 0), axis=0))
    return np.where(varied, np.clip(r, -1, 1), np.nan)
