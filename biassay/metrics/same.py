"""SAME: scoring association means of word embeddings.

cos(w, â_0 − â_1) for two groups, ‖w_B‖ for more,  B the space that all â_i − â_0 span
set: mean of the absolute values
"""

from collections.abc import Iterator

import numpy as np

from biassay.measurement.metric import Level, Metric
from biassay.numerics.directions import contrasts, group_basis
from biassay.numerics.geometry import ZERO, project, unit
from biassay.numerics.growth import Growth

METRIC = Metric(
    summary="cosine with the difference of two group means; length of the part in the space the groups span",
    source="same-2021 eq 33–43",
    cite=("schroeder2021", "schroeder2024"),
    avoid=(
        "To test whether there is bias at all: any difference between the groups' mean vectors counts, and the "
        "mean of absolute values is above 0 on noise, so that models need a control without bias beside them "
        "(intrinsic study)."
    ),
    groups=(2, None),
    word=Level(
        lambda n: -1.0 if n == 2 else 0.0,
        1.0,
        signed=lambda n: n == 2,
        undefined="a vector is zero, or the mean unit vectors of the groups are equal",
    ),
    set=Level(0.0, 1.0, undefined="a vector is zero, or the mean unit vectors of the groups are equal"),
    aggregate="mean of absolute values",
)


def bias_vectors(targets: np.ndarray, groups: list[np.ndarray]) -> np.ndarray:
    """w_B, the cosines of targets (n, d) with the Gram–Schmidt basis of â_i − â_0, eq 38–42: (n, at most groups − 1).

    A direction that depends on earlier ones is left out, as with more groups than dimensions.
    """
    return project(targets, group_basis(groups))


def word_bias(targets: np.ndarray, groups: list[np.ndarray]) -> np.ndarray:
    """cos(w, â_0 − â_1) of targets (n, d) with two groups (m_i, d), eq 33–36: (n,), −1 to 1, positive towards the
    first; ‖w_B‖ with more groups, eq 43: 0 to 1, no sign.

    NaN for a zero vector, and where all groups have the same mean â, for there is no direction.
    """
    if len(groups) == 2:
        direction = contrasts(groups).get((0, 1))
        if direction is None:
            return np.full(len(targets), np.nan)
        return np.clip(project(targets, direction), -1.0, 1.0)
    vectors = bias_vectors(targets, groups)
    if not vectors.shape[1]:
        return np.full(len(targets), np.nan)
    return np.minimum(np.linalg.norm(vectors, axis=1), 1.0)


def set_bias(targets: np.ndarray, groups: list[np.ndarray]) -> float:
    """Mean of absolute values or of lengths, eq 37 and 43: 0 to 1, 0 means no bias."""
    return float(np.abs(word_bias(targets, groups)).mean())


def word_bias_growing_groups(targets: np.ndarray, groups: list[np.ndarray], growth: Growth) -> Iterator[np.ndarray]:
    """For each shuffle the signed values (steps, number of targets) with two growing groups."""
    words = unit(targets).T
    for first, second in growth.means([unit(group) for group in groups]):
        lengths = np.linalg.norm(first - second, axis=1, keepdims=True)
        yield (first - second) / np.where(lengths <= ZERO, np.nan, lengths) @ words


def set_bias_growing_groups(targets: np.ndarray, groups: list[np.ndarray], growth: Growth) -> np.ndarray:
    """Values with two growing groups: (n, steps)."""
    samples = word_bias_growing_groups(targets, groups, growth)
    return np.stack([np.abs(values).mean(axis=1) for values in samples])
