"""TPR gap: how much more often does a classifier find a class in texts of one group than of another?

TPR_1 − TPR_2,  TPR_g = found of the class in group g / all of the class in group g
set: mean over the classes of the absolute values
"""

from math import sqrt
from typing import Literal

import numpy as np

from biassay.measurement.metric import Level, Metric, Range


def largest_variance(n: int) -> float:
    """The largest variance (ddof 0) of n rates, half of them 0 and half 1."""
    return (n // 2) * (n - n // 2) / n**2


METRIC = Metric(
    summary="a class's true positive rate in texts of the first group less the second's; of more groups the variance",
    source="De-Arteaga et al. 2019; same-2024 eq 9, §4.3.3",
    cite=("dearteaga2019", "schroeder2024"),
    avoid=(
        "Where a group has few texts of a class: of two texts a rate is 0, ½ or 1. It does not see false "
        "positives, nor whether the ground truth itself is biased."
    ),
    takes="predictions",
    groups=(2, None),
    word=Level(
        lambda n: -1.0 if n == 2 else 0.0,
        lambda n: 1.0 if n == 2 else largest_variance(n),
        signed=lambda n: n == 2,
        undefined="a group has no text of the class",
    ),
    set=Level(0.0, lambda n: 1.0 if n == 2 else largest_variance(n), undefined="of every class, a group has no text"),
    aggregate="mean of absolute values",
    exempt="it takes predictions of a classifier, no vectors",
)


def rates(predictions: np.ndarray, ground_truth: np.ndarray, groups: np.ndarray) -> np.ndarray:
    """True positive rates of k groups and c classes, P(Ŷ = y | G = g, Y = y): (k, c).

    predictions, truth: (n, c) of 0 and 1, a text may have several classes or none. groups: (n,), 0 … k − 1. NaN where
    a group has no text of the class, so that there is nothing to be found.
    """
    predictions, ground_truth, groups = (np.asarray(array) for array in (predictions, ground_truth, groups))
    found = ground_truth * predictions
    members = [groups == group for group in range(int(groups.max()) + 1)]
    hits, texts = (
        np.array([array[rows].sum(axis=0) for rows in members], np.float64) for array in (found, ground_truth)
    )
    return np.divide(hits, texts, out=np.full(texts.shape, np.nan), where=texts > 0)


def word_bias(
    predictions: np.ndarray, ground_truth: np.ndarray, groups: np.ndarray, *,
    spread: Literal["variance", "std"] = "variance",
) -> np.ndarray:  # fmt: skip
    """TPR_first − TPR_second of each class, eq 9, from what `rates` takes: (c,), −1 to 1, positive where the class is
    found more often in the first group's texts.

    With more groups the variance of their rates, or its root (spread="std"), ddof 0, no sign: 0 to ⌊k/2⌋⌈k/2⌉/k², ¼ at
    most, or the root of it. NaN for a class of which a group has no text.
    """
    return of_rates(rates(predictions, ground_truth, groups), spread=spread)


def of_rates(of_groups: np.ndarray, *, spread: Literal["variance", "std"] = "variance") -> np.ndarray:
    """What `word_bias` says of rates (…, k, c) of k groups: (…, c)."""
    n = of_groups.shape[-2]
    if n == 2:
        return of_groups[..., 0, :] - of_groups[..., 1, :]
    apart = of_groups - of_groups[..., :1, :]  # of equal rates exactly 0
    variance = np.minimum(apart.var(axis=-2), largest_variance(n))
    return np.sqrt(variance) if spread == "std" else variance


def set_bias(
    predictions: np.ndarray, ground_truth: np.ndarray, groups: np.ndarray, *,
    spread: Literal["variance", "std"] = "variance",
) -> float:  # fmt: skip
    """Mean of the classes' absolute values, from what `rates` takes: 0 without bias, no sign, 1 at most with two
    groups, else the bound of a class.

    Classes without a value are left out, for they say nothing of the classifier; `rates` and the word-level values have
    NaN there. NaN if no class is left.
    """
    values = word_bias(predictions, ground_truth, groups, spread=spread)
    known = np.abs(values[~np.isnan(values)])
    return float(known.mean()) if len(known) else np.nan


def adjust_range(declared: Range, level: str, labels: object, options: dict) -> Range:
    """Standard deviations reach up to the root of the largest variance; 1, of two groups, is its own."""
    return declared._replace(b_max=sqrt(declared.b_max)) if options.get("spread") == "std" else declared
