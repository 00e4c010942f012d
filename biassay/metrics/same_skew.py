"""SAME skew: are targets, on average, closer to one group than to another?

(1/|W|) Σ_w cos(w, â_0 − â_1)
"""

from typing import Literal

import numpy as np

from biassay.measurement.metric import Level, Metric
from biassay.metrics.same import word_bias, word_bias_growing_groups
from biassay.statistics.directions import contrasts
from biassay.statistics.geometry import project
from biassay.statistics.growth import Growth

METRIC = Metric(
    summary="mean of the signed SAME values of the targets",
    source="same-2021 eq 44, §4.4.2",
    cite=("schroeder2021",),
    avoid=(
        "Alone: it is 0 if biases towards one group cancel biases towards the other (properties study). Report "
        "same_stereotype as well."
    ),
    groups=(2, None),
    set=Level(
        lambda n: -1.0 if n == 2 else 0.0,
        1.0,
        signed=lambda n: n == 2,
        undefined="a vector is zero, or the mean unit vectors of the groups are equal",
    ),
)


def by_contrast(targets: np.ndarray, groups: list[np.ndarray], *, contrast: str = "pairwise") -> dict[tuple, float]:
    """Compute the skew for every pair of groups (i, j), or every group against the union of the rest (i, None).

    Values: −1 to 1, positive towards group i. Contrasts of groups with equal means are omitted.
    """
    directions = contrasts(groups, contrast)
    return {key: float(project(targets, direction).mean()) for key, direction in directions.items()}


def set_bias(
    targets: np.ndarray, groups: list[np.ndarray], *, contrast: Literal["pairwise", "one_against_rest"] = "pairwise"
) -> float:
    """Compute the mean of cos(w, â_0 − â_1) over targets (same-2021 eq 44).

    Two groups: from −1 to 1, positive towards the first. More groups: the mean of the absolute skews of all contrasts
    (pairwise or one_against_rest), from 0 to 1, without sign. 0 means no bias. NaN for a zero vector, or if all groups
    have the same mean.
    """
    values = list(by_contrast(targets, groups, contrast=contrast).values())
    if not values:
        return np.nan
    return values[0] if len(groups) == 2 else float(np.abs(values).mean())


def set_bias_growing_targets(targets: np.ndarray, groups: list[np.ndarray], growth: Growth) -> np.ndarray:
    """Compute `set_bias` of growing targets with two groups; SAME is computed once: (n_shuffles, steps)."""
    return growth.means([word_bias(targets, groups)])[0]


def set_bias_growing_groups(targets: np.ndarray, groups: list[np.ndarray], growth: Growth) -> np.ndarray:
    """Compute `set_bias` with two growing groups: (n_shuffles, steps)."""
    return np.concatenate([values.mean(axis=-1) for values in word_bias_growing_groups(targets, groups, growth)])
