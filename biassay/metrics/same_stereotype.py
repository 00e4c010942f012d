"""SAME stereotype: do targets differ in the group that they are close to?

standard deviation over w in W of cos(w, â_0 − â_1)
"""

from typing import Literal

import numpy as np

from biassay.measurement.metric import Level, Metric
from biassay.metrics.same import word_bias, word_bias_growing_groups
from biassay.statistics.directions import contrasts
from biassay.statistics.geometry import project
from biassay.statistics.growth import Growth

METRIC = Metric(
    summary="standard deviation of the signed SAME values of the targets",
    source="same-2021 eq 45, §4.4.2, as a standard deviation (Theorem 18)",
    cite=("schroeder2021",),
    avoid="Alone: it is 0 if all targets are equally biased to one group (properties study). Report same_skew as well.",
    groups=(2, None),
    set=Level(0.0, 1.0, undefined="a vector is zero, or the mean unit vectors of the groups are equal"),
)


def by_contrast(targets: np.ndarray, groups: list[np.ndarray], *, contrast: str = "pairwise") -> dict[tuple, float]:
    """Compute the stereotype for every pair of groups (i, j), or every group against the union of the rest (i, None).

    Values: 0 to 1. Contrasts of groups with equal means are omitted.
    """
    directions = contrasts(groups, contrast)
    return {key: float(project(targets, direction).std()) for key, direction in directions.items()}


def set_bias(
    targets: np.ndarray, groups: list[np.ndarray], *, contrast: Literal["pairwise", "one_against_rest"] = "pairwise"
) -> float:
    """Compute the standard deviation (ddof = 0) of cos(w, â_0 − â_1) over targets (same-2021 eq 45).

    Eq 45 prints 1/|W| outside the root; Lemma 2 and Theorem 18 need it inside. More than two groups: the mean over all
    contrasts (pairwise or one_against_rest). From 0 to 1, without sign; 0 means no bias, as with a single target. NaN
    for a zero vector, or if all groups have the same mean.
    """
    values = list(by_contrast(targets, groups, contrast=contrast).values())
    return float(np.mean(values)) if values else np.nan


def set_bias_growing_targets(targets: np.ndarray, groups: list[np.ndarray], growth: Growth) -> np.ndarray:
    """Compute `set_bias` of growing targets with two groups; SAME is computed once: (n_shuffles, steps)."""
    values = word_bias(targets, groups)
    centred = values - values.mean()  # reduces rounding errors
    columns = np.stack([centred, centred**2], axis=1)
    (means,) = growth.means([columns])
    return np.sqrt(np.maximum(means[..., 1] - means[..., 0] ** 2, 0))


def set_bias_growing_groups(targets: np.ndarray, groups: list[np.ndarray], growth: Growth) -> np.ndarray:
    """Compute `set_bias` with two growing groups: (n_shuffles, steps)."""
    return np.concatenate([values.std(axis=-1) for values in word_bias_growing_groups(targets, groups, growth)])
