"""Scores of single orders of the words, for paired tests between metrics; their means are the scores of all orders.

`values` are (n, steps), a row an order; the i-th rows of both models are of the same words. An undefined value counts
as the mean of the others of its size.
"""

import numpy as np

from biassay.measurement.metric import Range
from biassay.studies.silhouette import scores


def accuracy(biased: np.ndarray, unbiased: np.ndarray, words: np.ndarray, bounds: Range) -> np.ndarray:
    """Parts of `scores.accuracy`: b − b_0 of each order, turned as the mean of all orders is: (n,); NaN without b_0."""
    if bounds.b_0 is None or bounds.b_max == bounds.b_0:
        return np.full(len(biased), np.nan)
    (biased, unbiased), words = _filled(words, biased - bounds.b_0, unbiased - bounds.b_0)
    gaps = np.sign(biased.mean(axis=0)) * biased - np.sign(unbiased.mean(axis=0)) * unbiased
    return 0.5 + 0.5 * np.trapezoid(gaps, words[0], axis=1) / ((bounds.b_max - bounds.b_0) * words[1])


def auc(biased: np.ndarray, unbiased: np.ndarray, words: np.ndarray, b_0: float | None) -> np.ndarray:
    """Parts of `scores.auc`: the share of the unbiased model's orders that an order exceeds on the biased model,
    and of the biased model's by which it is exceeded on the unbiased one, together less their mean: (n,), as DeLong et
    al. (1988) take apart an area under a curve. NaN without b_0.
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
    """How near an order's values stay to the mean of all orders: 1 − area between them / (range · words): (n,).

    Robustness is of the least and the greatest value of all orders and is not a mean over them.
    """
    (values,), words = _filled(words, values)
    strays = np.trapezoid(np.abs(values - values.mean(axis=0)), words[0], axis=1)
    return 1 - strays / ((bounds.b_max - bounds.b_min) * words[1])


def _filled(words: np.ndarray, *models: np.ndarray) -> tuple[list[np.ndarray], tuple[np.ndarray, float]]:
    """Values at the sizes that have some, the means of their size for undefined ones; these sizes, and all words."""
    known = np.all([np.isfinite(values).any(axis=0) for values in models], axis=0)
    filled = []
    for values in models:
        part = values[:, known]
        filled.append(np.where(np.isfinite(part), part, np.nanmean(part, axis=0)) if known.any() else part)
    return filled, (words[known], words[-1])
