"""Confidence intervals: bootstrap over cases or over clusters of cases, and Wilson's interval of a share."""

from collections.abc import Callable
from functools import lru_cache

import numpy as np
from scipy import special, stats

MIN_CLUSTERS = 5
ROUNDING = 1e-12  # an interval that is not wider has no width


def draw_resamples(n: int, n_resamples: int, seed: int) -> np.ndarray:
    """Draw bootstrap resamples of n cases, as indices (n_resamples, n). Scores that are compared need the same ones."""
    return np.random.default_rng(seed).integers(0, n, (n_resamples, n))


def count_cases(samples: np.ndarray, n: int) -> np.ndarray:
    """Count how often each of n cases is drawn in samples, indices (n_samples, k): floats (n_samples, n)."""
    numbers = samples + n * np.arange(len(samples))[:, None]
    return np.bincount(numbers.ravel(), minlength=n * len(samples)).reshape(-1, n).astype(float)


def confidence_interval(
    statistic: Callable[[np.ndarray], np.ndarray], clusters: np.ndarray, n_resamples: int, seed: int
) -> tuple[float, float]:
    """Compute the 95 % bootstrap interval (expanded_levels) of a statistic by resampling whole clusters (n,), such as
    the models with the same bias distribution.

    `statistic` maps read-only weights (n_resamples, n), how often each case is drawn, to values (n_resamples,), of
    which NaN are ignored. The interval is NaN with fewer than MIN_CLUSTERS clusters.
    """
    names, members = np.unique(clusters, return_inverse=True)
    if len(names) < MIN_CLUSTERS:
        return np.nan, np.nan
    values = statistic(draw_weights(tuple(members.tolist()), n_resamples, seed))
    return percentile_interval(values, expanded_levels(len(names)))


def expanded_levels(n: int) -> tuple[float, float]:
    """Return the percentages of resamples of n cases between which a 95 % interval lies (Hesterberg, 2015).

    Resamples vary less than samples, by the factor (n − 1) / n of the variance, and their middle 95 % is an interval of
    the normal distribution, not of t.

    >>> [round(expanded_levels(n)[0], 2) for n in (5, 20, 1000)]
    [0.1, 1.59, 2.48]
    """
    low = 100 * float(special.ndtr(-special.stdtrit(n - 1, 0.975) * np.sqrt(n / (n - 1))))
    return low, 100 - low


def percentile_interval(values: np.ndarray, levels: tuple[float, float] = (2.5, 97.5)) -> tuple[float, float]:
    """Compute the values between two percentages of resampled values, without NaN.

    NaN if it has no width: resamples that agree, such as those of a share of 1, say nothing about other samples.
    """
    values = values[np.isfinite(values)]
    low, high = np.percentile(values, levels).tolist() if len(values) else (np.nan, np.nan)
    return (low, high) if high - low > ROUNDING else (np.nan, np.nan)


@lru_cache(maxsize=1)  # many statistics use the same cases
def draw_weights(members: tuple[int, ...], n_resamples: int, seed: int) -> np.ndarray:
    """Draw how often each case, in cluster 0, 1, …, is resampled: (n_resamples, n), read-only."""
    n = max(members) + 1
    weights = count_cases(draw_resamples(n, n_resamples, seed), n)[:, members]
    weights.flags.writeable = False
    return weights


def interval_of_mean(values: np.ndarray, clusters: np.ndarray, n_resamples: int, seed: int) -> tuple[float, float]:
    """Compute the 95 % interval of the mean of values (n,) by resampling whole clusters (n,)."""
    return confidence_interval(lambda weights: weighted_means(values, weights), clusters, n_resamples, seed)


def weighted_means(values: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Compute the means of values (…, n) for each row of weights (n_resamples, n): (…, n_resamples)."""
    return (weights @ values.T).T / weights.sum(axis=1)


def wilson_interval(n_successes: int, n: int) -> tuple[float, float]:
    """Compute Wilson's 95 % interval of the share n_successes / n; NaN for n = 0."""
    if not n:
        return np.nan, np.nan
    return tuple(map(float, stats.binomtest(int(n_successes), int(n)).proportion_ci(method="wilson")))


def judge_rate(low: float, high: float, level: float = 0.05) -> str:
    """Compare the interval of a false-positive rate with the level of the test; "" without an interval.

    Examples
    --------
    >>> judge_rate(0.6, 0.78), judge_rate(0.0, 0.037), judge_rate(0.02, 0.11)
    ('liberal', 'conservative', 'nominal')
    """
    if np.isnan([low, high]).any():
        return ""
    return "liberal" if low > level else "conservative" if high < level else "nominal"
