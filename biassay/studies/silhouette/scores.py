"""Scores of silhouettes: robustness, accuracy, AUC, and the number of words needed (silhouette-2021 §3.2–3.3).

In all functions, `values` has the shape (n shuffles, steps), and `words` of shape (steps,) is the number of words at
each step; its last element is |W_∪|. Minima, maxima and means ignore undefined values (NaN). Areas ignore sizes without
values.
"""

import numpy as np
import pandas as pd

from biassay.measurement.metric import Range

QUANTILES = {"q05": 0.05, "q25": 0.25, "q75": 0.75, "q95": 0.95}
DECIMALS = 9  # of compared distances, as shares of the largest
NEAR, SHARE = 0.05, 0.95  # relative distance to the value on all words, and the share of shuffles within it


def summarise_values(values: np.ndarray, words: np.ndarray) -> pd.DataFrame:
    """Summarise the values at each size: minimum, maximum, mean, quantiles, and the number of undefined values."""
    has_values = ~np.isnan(values).all(axis=0)
    defined, summary = values[:, has_values], np.full((3 + len(QUANTILES), values.shape[1]), np.nan)
    summary[:3, has_values] = [np.nanmin(defined, axis=0), np.nanmax(defined, axis=0), np.nanmean(defined, axis=0)]
    summary[3:, has_values] = np.nanquantile(defined, list(QUANTILES.values()), axis=0)
    columns = {"n_words": words} | dict(zip(("min", "max", "mean", *QUANTILES), summary, strict=True))
    return pd.DataFrame(columns | {"n_undefined": np.isnan(values).sum(axis=0)})


def robustness(values: np.ndarray, words: np.ndarray, bounds: Range) -> np.ndarray:
    """Compute the robustness of the first 1, 2, … n shuffles: (n,).

    r_M = 1 − area of the silhouette / ((b_max − b_min)·|W_∪|); 1 if the words make no difference. NaN without a range.
    """
    heights = np.fmax.accumulate(values, axis=0) - np.fmin.accumulate(values, axis=0)
    return 1 - _areas(heights, words) / (bounds.width * words[-1])


def accuracy(
    biased: np.ndarray, unbiased: np.ndarray, words: np.ndarray, bounds: Range, *, published_code: bool = False
) -> np.ndarray:
    """Compute the accuracy of the first 1, 2, … n shuffles: (n,); NaN for a metric without a range or b_0.

    a = ½ + ½ ∫ (|μ_max(k) − b_0| − |μ_min(k) − b_0|) dk / ((b_max − b_0)·|W_∪|), where μ_max and μ_min are the means
    of the biased and the unbiased model; ½ if they are equally far from b_0. The paper writes |μ|, which is equal for
    its metrics, because their b_0 is 0. The code behind the paper's tables (`published_code`) uses |μ|, and divides by
    b_max − b_min if b_0 is 0.
    """
    if bounds.b_0 is None or np.isnan(bounds.width):
        return np.full(len(biased), np.nan)
    zero, width = bounds.b_0, bounds.b_max - bounds.b_0
    if published_code:
        zero, width = 0.0, (bounds.width if bounds.b_0 == 0 else width)
    return _relate_gaps(biased, unbiased, words, zero, width)


def relative_accuracy(biased: np.ndarray, unbiased: np.ndarray, words: np.ndarray, b_0: float | None) -> np.ndarray:
    """Compute `accuracy` with every metric on the same scale: (n,); NaN without b_0.

    The largest |b − b_0| of any shuffle and size, on both models, replaces b_max − b_0. Metrics with and without a
    range can be compared by it; it does not say how much of its range a metric uses.
    """
    if b_0 is None:
        return np.full(len(biased), np.nan)
    largest = max(float(np.nanmax(np.abs(values - b_0), initial=0.0)) for values in (biased, unbiased))
    return _relate_gaps(biased, unbiased, words, b_0, largest)


def _relate_gaps(biased: np.ndarray, unbiased: np.ndarray, words: np.ndarray, zero: float, width: float) -> np.ndarray:
    """Relate the area between the mean distances of both models from `zero` to a width: ½ + ½ · share; NaN for 0."""
    gaps = np.abs(_means(biased) - zero) - np.abs(_means(unbiased) - zero)
    return 0.5 + 0.5 * _areas(gaps, words) / (width * words[-1]) if width else np.full(len(biased), np.nan)


def auc(biased: np.ndarray, unbiased: np.ndarray, words: np.ndarray, b_0: float | None) -> float:
    """Compute the AUC: the probability that the biased model's value is farther from b_0 than the unbiased model's.

    It is the mean over sizes of the probability for two random subsets of one size; ties count half. It does not depend
    on the metric's range, unlike the paper's accuracy, which is near ½ for a metric that uses a small part of its
    range. 0 to 1; NaN without b_0, or without values. This score is not in the paper.
    """
    if b_0 is None:
        return np.nan
    above, below = distances(biased, unbiased, b_0)
    probabilities = np.array([_probability_of_superiority(*pair) for pair in zip(above.T, below.T, strict=True)])
    is_defined = np.isfinite(probabilities)
    if is_defined.sum() < 2:
        return float(probabilities[is_defined].mean()) if is_defined.any() else np.nan
    return float(np.trapezoid(probabilities[is_defined], words[is_defined]) / np.ptp(words[is_defined]))


def distances(biased: np.ndarray, unbiased: np.ndarray, b_0: float) -> list[np.ndarray]:
    """Compute the distances of both models' values from b_0, rounded so that values at a bound are equal."""
    distances = [np.abs(values - b_0) for values in (biased, unbiased)]
    largest = max((float(np.nanmax(part, initial=0.0)) for part in distances), default=0.0)
    return [np.round(part / largest, DECIMALS) for part in distances] if largest > 0 else distances


def _probability_of_superiority(above: np.ndarray, below: np.ndarray) -> float:
    """Compute the share of pairs in which a value of `above` exceeds one of `below`; ties count half."""
    above, below = np.sort(above[np.isfinite(above)]), np.sort(below[np.isfinite(below)])
    if not len(above) or not len(below):
        return np.nan
    lower, upper = (np.searchsorted(below, above, side) for side in ("left", "right"))
    return float((lower + upper).mean() / (2 * len(below)))


def count_words_needed(values: np.ndarray, words: np.ndarray, b_0: float | None) -> float:
    """Compute the number of words from which 95 % of the shuffles are near the value b on all words.

    Near means within 5 % of |b − b_0|. NaN if b is undefined, or no number of words is enough.
    """
    value = np.nanmean(values[:, -1]) if np.isfinite(values[:, -1]).any() else np.nan
    is_near = np.abs(values - value) <= NEAR * abs(value - (b_0 or 0.0)) + 1e-12
    unsettled = np.flatnonzero(is_near.mean(axis=0) < SHARE)
    if not len(unsettled):
        return float(words[0])
    return float(words[unsettled[-1] + 1]) if unsettled[-1] + 1 < len(words) else np.nan


def _means(values: np.ndarray) -> np.ndarray:
    """Compute the means of the first 1, 2, … n shuffles at every size, without undefined values."""
    with np.errstate(invalid="ignore"):
        return np.cumsum(np.nan_to_num(values), axis=0) / np.cumsum(np.isfinite(values), axis=0)


def _areas(heights: np.ndarray, words: np.ndarray) -> np.ndarray:
    """Compute the trapezoidal areas under curves (n, steps) over the number of words, without undefined sizes."""
    if np.isfinite(heights).all():
        return np.trapezoid(heights, words, axis=1)
    is_defined = np.isfinite(heights)
    return np.array([np.trapezoid(row[part], words[part]) for row, part in zip(heights, is_defined, strict=True)])
