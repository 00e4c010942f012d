"""SAME skew: are targets on average nearer one group than another?

(1/|W|) Σ_w cos(w, â_0 − â_1)
"""

from typing import Literal

import numpy as np

from biassay.measurement.metric import Level, Metric
from biassay.metrics.same import word_bias_growing_groups, word_bias
from biassay.numerics.directions import contrasts
from biassay.numerics.geometry import project
from biassay.numerics.growth import Growth

METRIC = Metric(
    summary="mean of the signed SAME values of the targets",
    source="same-2021 eq 44, §4.4.2",
    cite=("schroeder2021",),
    avoid=(
        "Alone: it is 0 where some targets lean to one group as far as others to the other (properties study). "
        "Read same_stereotype beside it."
    ),
    groups=(2, None),
    set=Level(
        lambda n: -1.0 if n == 2 else 0.0,
        1.0,
        signed=lambda n: n == 2,
        undefined="a vector is zero, or the mean unit vectors of the groups are equal",
    ),
)


def by_contrast(
    targets: np.ndarray, groups: list[np.ndarray], *, contrast: Literal["pairwise", "one_against_rest"] = "pairwise"
) -> dict[tuple[int, int | None], float]:
    """Skew of targets (n, d) for every pair of groups (i, j), or every group against the union of the rest (i, None):
    −1 to 1, positive towards group i. Contrasts without a direction, since the means are the same, are left out.
    """
    directions = contrasts(groups, contrast)
    return {key: float(project(targets, direction).mean()) for key, direction in directions.items()}


def set_bias(
    targets: np.ndarray, groups: list[np.ndarray], *, contrast: Literal["pairwise", "one_against_rest"] = "pairwise"
) -> float:
    """Mean of cos(w, â_0 − â_1) over targets (n, d): −1 to 1, positive towards the first of two groups (m_i, d).

    With more groups the mean absolute skew over contrasts, "pairwise" or "one_against_rest": 0 to 1. NaN where all
    groups have the same mean, and for a zero vector.
    """
    values = list(by_contrast(targets, groups, contrast=contrast).values())
    if not values:
        return np.nan
    return values[0] if len(groups) == 2 else float(np.abs(values).mean())


def set_bias_growing_targets(targets: np.ndarray, groups: list[np.ndarray], growth: Growth) -> np.ndarray:
    """Values of growing targets with two groups, whose SAME is computed once: (n, steps)."""
    return np.stack([mean for (mean,) in growth.means([word_bias(targets, groups)])])


def set_bias_growing_groups(targets: np.ndarray, groups: list[np.ndarray], growth: Growth) -> np.ndarray:
    """Values with two growing groups: (n, steps)."""
    return np.stack([values.mean(axis=1) for values in word_bias_growing_groups(targets, groups, growth)])
