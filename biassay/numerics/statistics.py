"""Correlations with bootstrap intervals, and tests of two correlations with the same ground truth."""

from dataclasses import dataclass

import numpy as np
import scipy

CORRELATIONS = ("spearman", "pearson")


@dataclass(frozen=True)
class Correlation:
    """A correlation, its two-sided p-value (H0: none), its 95 % bootstrap interval and the number of pairs.

    Of several correlations, each is an array (m,).
    """

    value: float | np.ndarray
    p: float | np.ndarray
    low: float | np.ndarray
    high: float | np.ndarray
    n: int | np.ndarray


def draw_resamples(n: int, n_resamples: int, seed: int) -> np.ndarray:
    """Bootstrap resamples of n cases: (draws, n) indices. Use the same for scores that are to be compared."""
    return np.random.default_rng(seed).integers(0, n, (n_resamples, n))


def correlate(x: np.ndarray, y: np.ndarray, kind: str, samples: np.ndarray) -> Correlation:
    """Correlate x and y (n,), "spearman" or "pearson"; `samples` are `resamples` of the cases.

    NaN where n < 3 or x or y is constant; resamples that come out constant are left out of the interval.
    """
    n = len(x)
    if n < 3 or np.ptp(x) == 0 or np.ptp(y) == 0:
        return Correlation(np.nan, np.nan, np.nan, np.nan, n)
    result = {"spearman": scipy.stats.spearmanr, "pearson": scipy.stats.pearsonr}[kind](x, y)
    n_resamples = _of_resamples(np.asarray(x)[None], y, kind, samples)[0]
    low, high = np.nanpercentile(n_resamples, (2.5, 97.5))
    return Correlation(float(result.statistic), float(result.pvalue), float(low), float(high), n)


def correlate_rows(x: np.ndarray, y: np.ndarray, kind: str, n_resamples: int, seed: int) -> Correlation:
    """Correlate each row of x (m, n) with y (n,), as `correlate` does, with `resamples` of the pairs that it has.

    Pairs with a NaN are left out.
    """
    both = np.isfinite(x) & np.isfinite(y)
    value, p, n = pearson_rows(*rank_rows(kind, x, np.broadcast_to(y, x.shape)))
    low, high = np.full((2, len(x)), np.nan)
    words, members = np.unique(both, axis=0, return_inverse=True)
    for number, known in enumerate(words):
        rows = (members.ravel() == number) & np.isfinite(value)
        if rows.any():
            samples = draw_resamples(int(known.sum()), n_resamples, seed)
            drawn = _of_resamples(x[rows][:, known], y[known], kind, samples)
            percentile = np.nanpercentile if np.isnan(drawn).any() else np.percentile  # the latter is much faster
            low[rows], high[rows] = percentile(drawn, (2.5, 97.5), axis=1)
    return Correlation(value, p, low, high, n)


def _of_resamples(x: np.ndarray, y: np.ndarray, kind: str, samples: np.ndarray) -> np.ndarray:
    from biassay.numerics import resampling  # here, since numba takes long to import

    return resampling.correlations(x, y, samples, ranks=kind == "spearman")


def rank_rows(kind: str, *sides: np.ndarray) -> list[np.ndarray]:
    """Rows (m, n) of values that correspond, of which "pearson" or "spearman" is to be taken, as Pearson's takes them.

    They become NaN where one side is, and ranks, for "spearman".
    """
    both = np.logical_and.reduce([np.isfinite(side) for side in sides])
    if kind == "pearson":
        return [np.where(both, side, np.nan) for side in sides]
    ranks = [scipy.stats.rankdata(np.where(both, side, np.inf), axis=1) for side in sides]  # NaN come last
    return [np.where(both, of_side, np.nan) for of_side in ranks]


def correlation(x: np.ndarray, y: np.ndarray, kind: str) -> float:
    """Correlation of x and y (n,), "spearman" or "pearson"; NaN for a constant."""
    return float(_row_correlations(_ranked(x[None], kind), _ranked(y[None], kind))[0])


def _ranked(values: np.ndarray, kind: str) -> np.ndarray:
    return scipy.stats.rankdata(values, axis=-1) if kind == "spearman" else values


def _row_correlations(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Pearson correlations of corresponding rows; NaN for a constant row."""
    x, y = x - x.mean(axis=1, keepdims=True), y - y.mean(axis=1, keepdims=True)
    with np.errstate(invalid="ignore", divide="ignore"):
        return (x * y).sum(axis=1) / np.sqrt((x * x).sum(axis=1) * (y * y).sum(axis=1))


def pearson_rows(x: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Pearson correlations of corresponding rows of x and y (m, n): r, two-sided p-values, numbers of pairs, each (m,).

    Pairs with a NaN are left out. r and p are NaN where fewer than 3 pairs are left or one side is constant.
    """
    both = np.isfinite(x) & np.isfinite(y)
    n = both.sum(axis=1)
    far, varied = [], n >= 3
    for side in (x, y):
        mean = np.where(both, side, 0).sum(axis=1) / np.maximum(n, 1)
        far.append(np.where(both, side - mean[:, None], 0))
        least = np.where(both, side, np.inf).min(axis=1, initial=np.inf)
        varied = varied & (np.where(both, side, -np.inf).max(axis=1, initial=-np.inf) > least)
    with np.errstate(invalid="ignore", divide="ignore"):
        r = (far[0] * far[1]).sum(axis=1) / np.sqrt((far[0] ** 2).sum(axis=1) * (far[1] ** 2).sum(axis=1))
        r = np.where(varied, np.clip(r, -1, 1), np.nan)
        p = 2 * scipy.stats.t.sf(np.abs(r) * np.sqrt((n - 2) / (1 - r**2)), n - 2)
    return r, p, n


def fisher_interval(r: np.ndarray, n: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """95 % intervals of Pearson correlations r (m,) of n (m,) cases by Fisher's transform; NaN for fewer than 4."""
    with np.errstate(divide="ignore", invalid="ignore"):
        width = scipy.stats.norm.ppf(0.975) / np.sqrt(np.where(n > 3, n - 3.0, np.nan))
        return np.tanh(np.arctanh(r) - width), np.tanh(np.arctanh(r) + width)


def wilson_interval(k: int, n: int) -> tuple[float, float]:
    """Wilson's 95 % interval of a share k of n; NaN for n = 0."""
    if not n:
        return np.nan, np.nan
    return tuple(map(float, scipy.stats.binomtest(int(k), int(n)).proportion_ci(method="wilson")))


def correct_holm(p: np.ndarray) -> np.ndarray:
    """p-values (n,) corrected for their number by Holm's (1979) step-down method; NaN are no tests and stay NaN."""
    p = np.asarray(p, float)
    order = np.argsort(p)[: np.isfinite(p).sum()]
    corrected = np.full(len(p), np.nan)
    corrected[order] = np.minimum(np.maximum.accumulate(p[order] * np.arange(len(order), 0, -1)), 1)
    return corrected


def standardised_slopes(y: np.ndarray, causes: np.ndarray, samples: np.ndarray) -> np.ndarray:
    """Slopes of the least-squares regression of y (n,) on causes (n, k), all standardised: (k, 3).

    Each row is a slope with the ends of its 95 % bootstrap interval over `resamples` of the cases.
    """
    values = np.column_stack([causes, y])
    values = (values - values.mean(axis=0)) / values.std(axis=0)
    n, k = values.shape
    times = np.array([np.bincount(cases, minlength=n) for cases in (np.arange(n), *samples)]) / n
    means = times @ values
    covariances = (times @ (values[:, :, None] * values[:, None]).reshape(n, -1)).reshape(-1, k, k)
    covariances -= means[:, :, None] * means[:, None]
    deviations = np.sqrt(np.maximum(np.einsum("dii->di", covariances), 0))
    defined = (deviations > 1e-6).all(axis=1)  # the others drew one side constant
    slopes = np.full((len(times), k - 1), np.nan)
    with np.errstate(invalid="ignore", divide="ignore"):
        r = (covariances / (deviations[:, :, None] * deviations[:, None]))[defined]
    slopes[defined] = (np.linalg.pinv(r[:, :-1, :-1]) @ r[:, :-1, -1:])[..., 0]
    if not defined[1:].any():
        return np.column_stack([slopes[0], *np.full((2, k - 1), np.nan)])
    return np.column_stack([slopes[0], *np.nanpercentile(slopes[1:], (2.5, 97.5), axis=0)])


def describe_test(z: float, p: float, level: float = 0.05) -> str:
    """What a test of two correlations says: "first", "second" or "no difference" at the level, "undefined" for NaN."""
    if np.isnan(p):
        return "undefined"
    return "no difference" if p >= level else "first" if z > 0 else "second"


def compare_dependent(
    r_1: float | np.ndarray, r_2: float | np.ndarray, r_12: float | np.ndarray, n: int | np.ndarray
) -> tuple[float | np.ndarray, float | np.ndarray]:
    """Test two correlations r_1, r_2 of scores with the same ground truth; r_12 is the correlation of the two scores.

    Steiger's (1980) z with the mean correlation in the covariance of Fisher's transforms (his Z̄1*): (z, two-sided p),
    z > 0 if r_1 is the larger. NaN if n < 4, a correlation is NaN or the scores are the same. Arrays are tested one by
    one.
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
