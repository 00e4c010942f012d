"""SAME (scoring association means of word embeddings): which group is a target associated with, and how strongly?

cos(w, â_0 − â_1) for two groups, ‖w_B‖ for more,  w_B the part of w/‖w‖ in the span B of all â_i − â_0
set: mean of the absolute values
"""

from collections.abc import Iterator

import numpy as np

from biassay.measurement.metric import Level, Metric
from biassay.statistics.directions import contrasts, group_basis
from biassay.statistics.geometry import ZERO, project, unit
from biassay.statistics.growth import Growth

METRIC = Metric(
    summary="cosine with the difference of two group means; for more groups, norm in the space they span",
    source="same-2021 eq 33–43",
    cite=("schroeder2021", "schroeder2024"),
    avoid=(
        "To test whether there is any bias: every difference between the groups' mean vectors counts, and the mean of "
        "absolute values is above 0 for noise, so compare with an unbiased control (intrinsic study)."
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
    """Compute w_B, the cosines of targets with the Gram–Schmidt basis of all â_i − â_0 (same-2021 eq 38–42).

    Returns (n, k); k is at most the number of groups minus 1: linearly dependent directions are omitted.
    """
    return project(targets, group_basis(groups))


def word_bias(targets: np.ndarray, groups: list[np.ndarray]) -> np.ndarray:
    """Compute cos(w, â_0 − â_1) for two groups (same-2021 eq 33–36), or ‖w_B‖ for more (eq 43).

    Two groups: from −1 to 1, positive towards the first. More groups: from 0 to 1, without sign. NaN for a zero vector,
    or if all groups have the same mean â.
    """
    if len(groups) == 2:
        direction = contrasts(groups).get((0, 1))
        return np.full(len(targets), np.nan) if direction is None else np.clip(project(targets, direction), -1.0, 1.0)
    vectors = bias_vectors(targets, groups)
    return np.minimum(np.linalg.norm(vectors, axis=1), 1.0 if vectors.shape[1] else np.nan)


def set_bias(targets: np.ndarray, groups: list[np.ndarray]) -> float:
    """Compute the mean absolute value over targets (eq 37 and 43): 0 to 1; 0 means no bias."""
    return float(np.abs(word_bias(targets, groups)).mean())


def word_bias_growing_groups(targets: np.ndarray, groups: list[np.ndarray], growth: Growth) -> Iterator[np.ndarray]:
    """Compute the signed word-level values (b, steps, n) with two growing groups, for blocks of b shuffles."""
    words, units = unit(targets).T, [unit(group) for group in groups]
    for part in growth.blocks(max(words.shape)):
        first, second = part.means(units)
        lengths = np.linalg.norm(first - second, axis=-1, keepdims=True)
        yield part.draw((first - second) / np.where(lengths <= ZERO, np.nan, lengths) @ words)


def set_bias_growing_groups(targets: np.ndarray, groups: list[np.ndarray], growth: Growth) -> np.ndarray:
    """Compute `set_bias` with two growing groups: (n_shuffles, steps)."""
    word_values = word_bias_growing_groups(targets, groups, growth)
    return np.concatenate([np.abs(values).mean(axis=-1) for values in word_values])
