"""Scores of single shuffles, for tests between metrics; their means are the scores of all shuffles.

In all functions, `values` has the shape (n shuffles, steps), and the i-th rows of both models use the same words. The
mean of the other values of its size replaces an undefined value.
"""

import numpy as np

from biassay.measurement.metric import Range
from biassay.studies.silhouette import scores


def accuracy(biased: np.ndarray, unbiased: np.ndarray, words: np.ndarray, bounds: Range) -> np.ndarray:
    """Compute the accuracy of each shuffle: (n,); NaN without a range or b_0.

    b − b_0 of a shuffle gets the sign that makes the mean over all shuffles positive.
    """
    if bounds.b_0 is None or np.isnan(bounds.width) or bounds.b_max == bounds.b_0:
        return np.full(len(biased), np.nan)
    (biased, unbiased), words = _filled(words, biased - bounds.b_0, unbiased - bounds.b_0)
    gaps = np.sign(biased.mean(axis=0)) * biased - np.sign(unbiased.mean(axis=0)) * unbiased
    return 0.5 + 0.5 * np.trapezoid(gaps, words[0], axis=1) / ((bounds.b_max - bounds.b_0) * words[1])


def auc(biased: np.ndarray, unbiased: np.ndarray, words: np.ndarray, b_0: float | None) -> np.ndarray:
    """Compute the contribution of each shuffle to the AUC, as DeLong et al. (1988) decompose it: (n,); NaN without b_0.

    It is the share of the unbiased model's shuffles that a shuffle exceeds on the biased model, plus the share of the
    biased model's that exceed it on the unbiased model, minus the mean of these shares.
    """
    if b_0 is None:
        return np.full(len(biased), np.nan)
    (biased, unbiased), (sizes, _) = _filled(words, *scores.distances(biased, unbiased, b_0))
    above = np.zeros((2, len(biased), len(sizes)))
    for step, (high, low) in enumerate(zip(biased.T, unbiased.T, strict=True)):
        wins = (high[:, None] > low) + 0.5 * (high[:, None] == low)
        above[:, :, step] = wins.mean(axis=1), wins.mean(axis=0)
    width = np.ptp(sizes)
    parts = np.trapezoid(above, sizes, axis=2) / width if width else above.mean(axis=2)
    return parts.sum(axis=0) - parts[0].mean()


def steadiness(values: np.ndarray, words: np.ndarray, bounds: Range) -> np.ndarray:
    """Compute the steadiness of each shuffle: 1 − area between its values and the mean / (range · words): (n,).

    It replaces robustness in tests, because robustness depends on the extremes of all shuffles and is not a mean. NaN
    without a range.
    """
    (values,), words = _filled(words, values)
    areas = np.trapezoid(np.abs(values - values.mean(axis=0)), words[0], axis=1)
    return 1 - areas / (bounds.width * words[1])


def _filled(words: np.ndarray, *models: np.ndarray) -> tuple[list[np.ndarray], tuple[np.ndarray, float]]:
    """Select the sizes with values and fill in undefined values; return also these sizes and the number of words."""
    is_defined = np.all([np.isfinite(values).any(axis=0) for values in models], axis=0)
    filled = []
    for values in models:
        part = values[:, is_defined]
        filled.append(np.where(np.isfinite(part), part, np.nanmean(part, axis=0)) if is_defined.any() else part)
    return filled, (words[is_defined], words[-1])
