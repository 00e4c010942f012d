"""Correlations with bootstrap intervals, and tests of two correlations with the same ground truth."""

from dataclasses import dataclass

import numpy as np
import scipy

CORRELATIONS = ("spearman", "pearson")


@dataclass(frozen=True)
class Correlation:
    """Correlation, two-sided p-value (H0: no correlation), 95 % bootstrap interval and number of pairs.

    For several correlations, each field is an array (m,).
    """

    value: float | np.ndarray
    p: float | np.ndarray
    low: float | np.ndarray
    high: float | np.ndarray
    n: int | np.ndarray


def draw_resamples(n: int, n_resamples: int, seed: int) -> np.ndarray:
    """Draw bootstrap resamples of n cases, as indices (n_resamples, n). Scores that are compared need the same ones."""
    return np.random.default_rng(seed).integers(0, n, (n_resamples, n))


def correlate(x: np.ndarray, y: np.ndarray, kind: str, samples: np.ndarray) -> Correlation:
    """Correlate x and y.

    Parameters
    ----------
    x, y : ndarray of shape (n,)
    kind : {"spearman", "pearson"}
    samples : ndarray of shape (n_resamples, n)
        Resamples of the cases, from `draw_resamples`.

    Returns
    -------
    Correlation
        NaN if n < 3, or if x or y is constant. Constant resamples do not count for the interval.
    """
    n = len(x)
    if n < 3 or np.ptp(x) == 0 or np.ptp(y) == 0:
        return Correlation(np.nan, np.nan, np.nan, np.nan, n)
    result = {"spearman": scipy.stats.spearmanr, "pearson": scipy.stats.pearsonr}[kind](x, y)
    resampled = _correlate_resamples(np.asarray(x)[None], y, kind, samples)[0]
    low, high = np.nanpercentile(resampled, (2.5, 97.5))
    return Correlation(float(result.statistic), float(result.pvalue), float(low), float(high), n)


def correlate_rows(x: np.ndarray, y: np.ndarray, kind: str, n_resamples: int, seed: int) -> Correlation:
    """Correlate each row of x (m, n) with y (n,) as `correlate` does, without pairs that contain NaN."""
    has_both = np.isfinite(x) & np.isfinite(y)
    value, p, n = pearson_rows(*rank_rows(kind, x, np.broadcast_to(y, x.shape)))
    low, high = np.full((2, len(x)), np.nan)
    patterns, members = np.unique(has_both, axis=0, return_inverse=True)
    for number, pattern in enumerate(patterns):
        rows = (members.ravel() == number) & np.isfinite(value)
        if rows.any():
            samples = draw_resamples(int(pattern.sum()), n_resamples, seed)
            resampled = _correlate_resamples(x[rows][:, pattern], y[pattern], kind, samples)
            percentile = np.nanpercentile if np.isnan(resampled).any() else np.percentile  # percentile is much faster
            low[rows], high[rows] = percentile(resampled, (2.5, 97.5), axis=1)
    return Correlation(value, p, low, high, n)


def _correlate_resamples(x: np.ndarray, y: np.ndarray, kind: str, samples: np.ndarray) -> np.ndarray:
    from biassay.statistics import resampling  # numba takes long to import

    return resampling.correlations(x, y, samples, ranks=kind == "spearman")


def rank_rows(kind: str, *sides: np.ndarray) -> list[np.ndarray]:
    """Prepare corresponding rows (m, n) for Pearson's correlation: ranks for "spearman", NaN if any side is NaN."""
    has_all = np.logical_and.reduce([np.isfinite(side) for side in sides])
    if kind == "pearson":
        return [np.where(has_all, side, np.nan) for side in sides]
    ranks = [scipy.stats.rankdata(np.where(has_all, side, np.inf), axis=1) for side in sides]  # NaN get the last ranks
    return [np.where(has_all, side_ranks, np.nan) for side_ranks in ranks]


def correlation(x: np.ndarray, y: np.ndarray, kind: str) -> float:
    """Compute the correlation of x and y (n,), "spearman" or "pearson"; NaN for a constant."""
    return float(_row_correlations(_ranked(x[None], kind), _ranked(y[None], kind))[0])


def _ranked(values: np.ndarray, kind: str) -> np.ndarray:
    return scipy.stats.rankdata(values, axis=-1) if kind == "spearman" else values


def _row_correlations(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Compute Pearson correlations of corresponding rows; NaN for a constant row."""
    x, y = x - x.mean(axis=1, keepdims=True), y - y.mean(axis=1, keepdims=True)
    with np.errstate(invalid="ignore", divide="ignore"):
        return (x * y).sum(axis=1) / np.sqrt((x * x).sum(axis=1) * (y * y).sum(axis=1))


def pearson_rows(x: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Compute Pearson correlations of corresponding rows of x and y (m, n), without pairs that contain NaN.

    Returns r, two-sided p-values and numbers of pairs, each (m,). r and p are NaN for fewer than 3 pairs or a constant.
    """
    has_both = np.isfinite(x) & np.isfinite(y)
    n = has_both.sum(axis=1)
    deviations, varies = [], n >= 3
    for side in (x, y):
        mean = np.where(has_both, side, 0).sum(axis=1) / np.maximum(n, 1)
        deviations.append(np.where(has_both, side - mean[:, None], 0))
        minima = np.where(has_both, side, np.inf).min(axis=1, initial=np.inf)
        varies = varies & (np.where(has_both, side, -np.inf).max(axis=1, initial=-np.inf) > minima)
    with np.errstate(invalid="ignore", divide="ignore"):
        first, second = deviations
        r = (first * second).sum(axis=1) / np.sqrt((first**2).sum(axis=1) * (second**2).sum(axis=1))
        r = np.where(varies, np.clip(r, -1, 1), np.nan)
        p = 2 * scipy.stats.t.sf(np.abs(r) * np.sqrt((n - 2) / (1 - r**2)), n - 2)
    return r, p, n


def fisher_interval(r: np.ndarray, n: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Compute 95 % intervals of Pearson correlations r (m,) of n (m,) cases by Fisher's transform; NaN if n < 4."""
    with np.errstate(divide="ignore", invalid="ignore"):
        width = scipy.stats.norm.ppf(0.975) / np.sqrt(np.where(n > 3, n - 3.0, np.nan))
        return np.tanh(np.arctanh(r) - width), np.tanh(np.arctanh(r) + width)


def wilson_interval(n_successes: int, n: int) -> tuple[float, float]:
    """Compute Wilson's 95 % interval of the share n_successes / n; NaN for n = 0."""
    if not n:
        return np.nan, np.nan
    return tuple(map(float, scipy.stats.binomtest(int(n_successes), int(n)).proportion_ci(method="wilson")))


def correct_holm(p: np.ndarray) -> np.ndarray:
    """Correct p-values (n,) by Holm's (1979) step-down method; NaN stay NaN and do not count as tests."""
    p = np.asarray(p, float)
    order = np.argsort(p)[: np.isfinite(p).sum()]
    corrected = np.full(len(p), np.nan)
    corrected[order] = np.minimum(np.maximum.accumulate(p[order] * np.arange(len(order), 0, -1)), 1)
    return corrected


def standardised_slopes(y: np.ndarray, causes: np.ndarray, samples: np.ndarray) -> np.ndarray:
    """Compute standardised slopes of the least-squares regression of y (n,) on causes (n, k): (k, 3).

    A row contains a slope and its 95 % bootstrap interval over `samples` (n_resamples, n) of the cases.
    """
    values = np.column_stack([causes, y])
    values = (values - values.mean(axis=0)) / values.std(axis=0)
    n, k = values.shape
    weights = np.array([np.bincount(cases, minlength=n) for cases in (np.arange(n), *samples)]) / n
    means = weights @ values
    covariances = (weights @ (values[:, :, None] * values[:, None]).reshape(n, -1)).reshape(-1, k, k)
    covariances -= means[:, :, None] * means[:, None]
    deviations = np.sqrt(np.maximum(np.einsum("dii->di", covariances), 0))
    defined = (deviations > 1e-6).all(axis=1)  # in the other resamples one side is constant
    slopes = np.full((len(weights), k - 1), np.nan)
    with np.errstate(invalid="ignore", divide="ignore"):
        r = (covariances / (deviations[:, :, None] * deviations[:, None]))[defined]
    slopes[defined] = (np.linalg.pinv(r[:, :-1, :-1]) @ r[:, :-1, -1:])[..., 0]
    if not defined[1:].any():
        return np.column_stack([slopes[0], *np.full((2, k - 1), np.nan)])
    return np.column_stack([slopes[0], *np.nanpercentile(slopes[1:], (2.5, 97.5), axis=0)])


def describe_test(z: float, p: float, level: float = 0.05) -> str:
    """Describe a test of two correlations: "first", "second" or "no difference", "undefined" for NaN."""
    if np.isnan(p):
        return "undefined"
    return "no difference" if p >= level else "first" if z > 0 else "second"


def compare_dependent(
    r_1: float | np.ndarray, r_2: float | np.ndarray, r_12: float | np.ndarray, n: int | np.ndarray
) -> tuple[float | np.ndarray, float | np.ndarray]:
    """Compare two correlations with the same ground truth by Steiger's z (1980).

    The covariance of Fisher's transforms uses the mean correlation (Z̄1*). Arrays are compared elementwise.

    Parameters
    ----------
    r_1, r_2 : float or ndarray
        Correlations of two scores with the ground truth.
    r_12 : float or ndarray
        Correlation of the two scores with each other.
    n : int or ndarray
        Number of cases.

    Returns
    -------
    z, p : float or ndarray
        z > 0 if r_1 is larger; p is two-sided. NaN if n < 4, a correlation is NaN or the scores are equal.
    """
    largest = np.max(np.abs(np.broadcast_arrays(r_1, r_2, r_12)), axis=0)
    usable = (np.asarray(n) >= 4) & (largest < 1)
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = np.add(r_1, r_2) / 2
        covariance = (r_12 * (1 - 2 * mean**2) - 0.5 * mean**2 * (1 - 2 * mean**2 - np.square(r_12))) / (
            1 - mean**2
        ) ** 2
        z = (np.arctanh(r_1) - np.arctanh(r_2)) * np.sqrt(np.subtract(n, 3) / (2 * (1 - covariance)))
    z = np.where(usable, z, np.nan)[()]
    return z, 2 * scipy.stats.norm.sf(np.abs(z))
