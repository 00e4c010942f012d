"""TPR gap: does a classifier recognise a class more often in texts of one group than of another?

TPR_1 − TPR_2,  TPR_g = true positives of the class in group g / texts of the class in group g
set: mean over the classes of the absolute values
"""

from math import sqrt
from typing import Literal

import numpy as np

from biassay.measurement.metric import Level, Metric, Range


def largest_variance(n: int) -> float:
    """Compute the largest variance (ddof = 0) of n rates: half of them 0, half 1."""
    return (n // 2) * (n - n // 2) / n**2


METRIC = Metric(
    summary="difference of a class's true positive rates in two groups; for more groups, their variance",
    source="De-Arteaga et al. 2019; same-2024 eq 9, §4.3.3",
    cite=("dearteaga2019", "schroeder2024"),
    avoid=(
        "If a group has few texts of a class: with two texts a rate is 0, ½ or 1. It ignores false positives and does "
        "not show whether the ground truth itself is biased."
    ),
    takes="predictions",
    groups=(2, None),
    word=Level(
        lambda n: -1.0 if n == 2 else 0.0,
        lambda n: 1.0 if n == 2 else largest_variance(n),
        signed=lambda n: n == 2,
        undefined="a group has no text of the class",
    ),
    set=Level(0.0, lambda n: 1.0 if n == 2 else largest_variance(n), undefined="for every class, a group has no text"),
    aggregate="mean of absolute values",
    exempt="it takes predictions of a classifier, not vectors",
)


def rates(predictions: np.ndarray, ground_truth: np.ndarray, groups: np.ndarray) -> np.ndarray:
    """Compute the true positive rates P(Ŷ = y | G = g, Y = y) of every group and class: (n_groups, c).

    predictions and ground_truth (n, c) are 0 or 1 for each text and class; a text may have several classes or none.
    groups (n,) are numbers from 0. NaN if a group has no text of the class.
    """
    predictions, ground_truth, groups = (np.asarray(array) for array in (predictions, ground_truth, groups))
    true_positives = ground_truth * predictions
    members = [groups == group for group in range(int(groups.max()) + 1)]
    hits, texts = (
        np.array([array[rows].sum(axis=0) for rows in members], np.float64) for array in (true_positives, ground_truth)
    )
    return np.divide(hits, texts, out=np.full(texts.shape, np.nan), where=texts > 0)


def word_bias(
    predictions: np.ndarray,
    ground_truth: np.ndarray,
    groups: np.ndarray,
    *,
    spread: Literal["variance", "std"] = "variance",
) -> np.ndarray:
    """Compute the TPR gap of each class (same-2024 eq 9; §4.3.3 for more than two groups).

    Takes the parameters of `rates`; returns (c,). Two groups: from −1 to 1, positive if the class is recognised more
    often in the first group. k > 2 groups: variance (ddof = 0) of their rates, from 0 to ⌊k/2⌋⌈k/2⌉/k² ≤ ¼, or with
    spread="std" its root, without sign. NaN if a group has no text of the class.
    """
    return compare_rates(rates(predictions, ground_truth, groups), spread=spread)


def compare_rates(group_rates: np.ndarray, *, spread: Literal["variance", "std"] = "variance") -> np.ndarray:
    """Compute `word_bias` from rates of shape (…, n_groups, c): (…, c)."""
    n = group_rates.shape[-2]
    if n == 2:
        return group_rates[..., 0, :] - group_rates[..., 1, :]
    differences = group_rates - group_rates[..., :1, :]  # exactly 0 for equal rates
    variance = np.minimum(differences.var(axis=-2), largest_variance(n))
    return np.sqrt(variance) if spread == "std" else variance


def set_bias(
    predictions: np.ndarray,
    ground_truth: np.ndarray,
    groups: np.ndarray,
    *,
    spread: Literal["variance", "std"] = "variance",
) -> float:
    """Compute the mean of the absolute values over classes, without those that are undefined.

    From 0 to the upper bound of a class (1 for two groups), without sign; 0 means no bias. NaN if all classes are
    undefined.
    """
    values = word_bias(predictions, ground_truth, groups, spread=spread)
    defined = np.abs(values[~np.isnan(values)])
    return float(defined.mean()) if len(defined) else np.nan


def adjust_range(declared: Range, level: str, labels: object, options: dict) -> Range:
    """Return the range for spread="std": its upper bound is the root of that of the variance."""
    return declared._replace(b_max=sqrt(declared.b_max)) if options.get("spread") == "std" else declared
