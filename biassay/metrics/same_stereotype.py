"""SAME stereotype: do targets differ in which group they are near?

standard deviation over w in W of cos(w, â_0 − â_1)
"""

from typing import Literal

import numpy as np

from biassay.measurement.metric import Level, Metric
from biassay.metrics.same import word_bias_growing_groups, word_bias
from biassay.numerics.directions import contrasts
from biassay.numerics.geometry import project
from biassay.numerics.growth import Growth

METRIC = Metric(
    summary="standard deviation of the signed SAME values of the targets",
    source="same-2021 eq 45, §4.4.2, as a standard deviation (Theorem 18)",
    cite=("schroeder2021",),
    avoid=("Alone: it is 0 where all targets lean equally to one group (properties study). Read same_skew beside it."),
    groups=(2, None),
    set=Level(0.0, 1.0, undefined="a vector is zero, or the mean unit vectors of the groups are equal"),
)


def by_contrast(
    targets: np.ndarray, groups: list[np.ndarray], *, contrast: Literal["pairwise", "one_against_rest"] = "pairwise"
) -> dict[tuple[int, int | None], float]:
    """Stereotype of targets (n, d) for every pair of groups (i, j), or every group against the union of the rest
    (i, None): 0 to 1. Contrasts without a direction, since the means are the same, are left out.
    """
    directions = contrasts(groups, contrast)
    return {key: float(project(targets, direction).std()) for key, direction in directions.items()}


def set_bias(
    targets: np.ndarray, groups: list[np.ndarray], *, contrast: Literal["pairwise", "one_against_rest"] = "pairwise"
) -> float:
    """Standard deviation (ddof = 0) of cos(w, â_0 − â_1) over targets (n, d) with two groups (m_i, d): 0 to 1, no sign.

    Eq 45 prints 1/|W| before the root; Lemma 2 and Theorem 18 need it inside. With more groups the mean over contrasts,
    "pairwise" or "one_against_rest". A single target gives 0; NaN where all groups have the same mean, and for a zero
    vector.
    """
    values = list(by_contrast(targets, groups, contrast=contrast).values())
    return float(np.mean(values)) if values else np.nan


def set_bias_growing_targets(targets: np.ndarray, groups: list[np.ndarray], growth: Growth) -> np.ndarray:
    """Values of growing targets with two groups, whose SAME is computed once: (n, steps)."""
    values = word_bias(targets, groups)
    middle = values.mean()  # taken off, so that little is lost to rounding
    columns = np.stack([values - middle, (values - middle) ** 2], axis=1)
    return np.stack([np.sqrt(np.maximum(m[:, 1] - m[:, 0] ** 2, 0)) for (m,) in growth.means([columns])])


def set_bias_growing_groups(targets: np.ndarray, groups: list[np.ndarray], growth: Growth) -> np.ndarray:
    """Values with two growing groups: (n, steps)."""
    return np.stack([values.std(axis=1) for values in word_bias_growing_groups(targets, groups, growth)])
