"""What silhouettes say: curves, robustness, accuracy, convergence, and how many words a metric needs.

Equations of silhouette-2021 §3.2–3.3. `values` are (n, steps), a row a shuffle; `words` (steps,) how many each subset
has, |W_∪| at the end. Undefined values (NaN) are left out of minima, maxima and means; sizes without any, of areas.
"""

import warnings

import numpy as np
import pandas as pd

from biassay.measurement.metric import Range

QUANTILES = {"q05": 0.05, "q25": 0.25, "q75": 0.75, "q95": 0.95}
DECIMALS = 9  # of distances that are compared, as shares of the largest
NEAR, SHARE = 0.05, 0.95  # so near to the value on all words, in such a share of the shuffles


def summarise_values(values: np.ndarray, words: np.ndarray) -> pd.DataFrame:
    """The silhouette, a row a size: k, min, max, mean, quantiles, and in how many shuffles the value is undefined."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # of sizes at which no shuffle has a value
        found = {"n_words": words, "min": np.nanmin(values, axis=0), "max": np.nanmax(values, axis=0)}
        found["mean"] = np.nanmean(values, axis=0)
        found |= dict(zip(QUANTILES, np.nanquantile(values, list(QUANTILES.values()), axis=0), strict=True))
    return pd.DataFrame(found | {"n_undefined": np.isnan(values).sum(axis=0)})


def complete_range(declared: Range, *models: np.ndarray) -> Range:
    """A metric's range; where a bound lacks, the largest |value| on all models takes its place.

    Raises ValueError if b_min and b_max are equal, for then nothing can be scaled.
    """
    b_min, b_max, b_0, signed = declared
    largest = max(float(np.nanmax(np.abs(values), initial=0.0)) for values in models)
    b_max = largest if b_max is None else b_max
    b_min = (-largest if signed else 0.0) if b_min is None else b_min
    if not b_min < b_max:
        raise ValueError(f"b_min is {b_min:g} and b_max {b_max:g}; the range of a metric needs b_min < b_max")
    return Range(b_min, b_max, b_0, signed)


def robustness(values: np.ndarray, words: np.ndarray, bounds: Range) -> np.ndarray:
    """r_M = 1 − area of the silhouette / ((b_max − b_min)·|W_∪|) of the first 1, 2, … n shuffles: (n,)."""
    heights = np.fmax.accumulate(values, axis=0) - np.fmin.accumulate(values, axis=0)
    return 1 - _areas(heights, words) / ((bounds.b_max - bounds.b_min) * words[-1])


def accuracy(
    biased: np.ndarray, unbiased: np.ndarray, words: np.ndarray, bounds: Range, *, published_code: bool = False
) -> np.ndarray:
    """a = ½ + ½ ∫ (|μ_max(k) − b_0| − |μ_min(k) − b_0|) dk / ((b_max − b_0)·|W_∪|) of the first 1, 2, … n shuffles, μ
    the means of the biased and unbiased model: (n,); NaN for a metric without b_0.

    The paper prints |μ|, which is the same for its metrics, whose b_0 is 0. `published_code`: as the paper's tables
    have it, whose code takes |μ| and, where b_0 is 0, divides by b_max − b_min.
    """
    if bounds.b_0 is None:
        return np.full(len(biased), np.nan)
    zero, width = bounds.b_0, bounds.b_max - bounds.b_0
    if published_code:
        zero, width = 0.0, (bounds.b_max - bounds.b_min if bounds.b_0 == 0 else width)
    gaps = np.abs(_means(biased) - zero) - np.abs(_means(unbiased) - zero)
    return 0.5 + 0.5 * _areas(gaps, words) / (width * words[-1]) if width else np.full(len(biased), np.nan)


def auc(biased: np.ndarray, unbiased: np.ndarray, words: np.ndarray, b_0: float | None) -> float:
    """How surely the metric tells the models apart, whatever its range: the chance that a subset of the biased model is
    farther from b_0 than one of the same size of the unbiased model, ties half, as a mean over sizes: 0 to 1.

    Of our own: the paper's accuracy is near ½ for a metric that orders the models without fail within a small part of
    its range. NaN without b_0, or without values.
    """
    if b_0 is None:
        return np.nan
    far = distances(biased, unbiased, b_0)
    chances = np.array([_chance(*pair) for pair in zip(far[0].T, far[1].T, strict=True)])
    known = np.isfinite(chances)
    if known.sum() < 2:
        return float(chances[known].mean()) if known.any() else np.nan
    return float(np.trapezoid(chances[known], words[known]) / np.ptp(words[known]))


def distances(biased: np.ndarray, unbiased: np.ndarray, b_0: float) -> list[np.ndarray]:
    """How far the values of both models are from b_0, rounded so that values at a metric's bound are equal."""
    far = [np.abs(values - b_0) for values in (biased, unbiased)]
    largest = max((float(np.nanmax(part, initial=0.0)) for part in far), default=0.0)
    return [np.round(part / largest, DECIMALS) for part in far] if largest > 0 else far


def _chance(above: np.ndarray, below: np.ndarray) -> float:
    """Share of pairs in which a value of `above` exceeds one of `below`, ties half."""
    above, below = np.sort(above[np.isfinite(above)]), np.sort(below[np.isfinite(below)])
    if not len(above) or not len(below):
        return np.nan
    lower, upper = (np.searchsorted(below, above, side) for side in ("left", "right"))
    return float((lower + upper).mean() / (2 * len(below)))


def count_words_needed(values: np.ndarray, words: np.ndarray, b_0: float | None) -> float:
    """The least number of words from which on 95 % of the shuffles are within 5 % of the value b on all words, 5 % of
    |b − b_0|; NaN if b is undefined."""
    value = np.nanmean(values[:, -1]) if np.isfinite(values[:, -1]).any() else np.nan
    near = np.abs(values - value) <= NEAR * abs(value - (b_0 or 0.0)) + 1e-12
    unsettled = np.flatnonzero(near.mean(axis=0) < SHARE)
    if not len(unsettled):
        return float(words[0])
    return float(words[unsettled[-1] + 1]) if unsettled[-1] + 1 < len(words) else np.nan


def _means(values: np.ndarray) -> np.ndarray:
    """Means of the first 1, 2, … n shuffles at every size, undefined values left out."""
    with np.errstate(invalid="ignore"):
        return np.cumsum(np.nan_to_num(values), axis=0) / np.cumsum(np.isfinite(values), axis=0)


def _areas(heights: np.ndarray, words: np.ndarray) -> np.ndarray:
    """Trapezoidal areas of curves (n, steps) over the number of words, sizes without a value left out."""
    if np.isfinite(heights).all():
        return np.trapezoid(heights, words, axis=1)
    known = np.isfinite(heights)
    return np.array([np.trapezoid(row[part], words[part]) for row, part in zip(heights, known, strict=True)])
