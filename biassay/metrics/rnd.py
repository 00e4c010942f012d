"""RND: relative norm distance of target words to two groups.

‖Ā_1 − c‖ − ‖Ā_2 − c‖
set: mean over the target words c
"""

import numpy as np

from biassay.measurement.metric import Level, Metric
from biassay.numerics.geometry import mean_units, unit
from biassay.numerics.growth import Growth

METRIC = Metric(
    summary="difference of a target word's distances to two groups' mean vectors",
    source="Garg et al. 2018",
    cite=("garg2018",),
    avoid=(
        "To compare embeddings, or groups of which one is spread wider: it is not 0 then for words equally near "
        "both (properties study). Its sign is the other way round, towards the second group."
    ),
    word=Level(None, None, signed=True, undefined="a vector, or the mean of a group's unit vectors, is zero"),
    set=Level(None, None, signed=True, undefined="a vector, or the mean of a group's unit vectors, is zero"),
    aggregate="mean",
)


def word_bias(targets: np.ndarray, groups: list[np.ndarray]) -> np.ndarray:
    """‖Ā_1 − c‖ − ‖Ā_2 − c‖ of target words (n, d), with the means Ā_i of two groups' unit vectors (m_i,
    d): (n,), positive where c is farther from the first group, so towards the second.

    At most ‖Ā_1 − Ā_2‖ in absolute value, which depends on the groups. Identical groups give 0. NaN for a zero vector.
    """
    words = unit(targets)
    first, second = (np.linalg.norm(words - mean, axis=1) for mean in mean_units(groups))
    return first - second


def set_bias(targets: np.ndarray, groups: list[np.ndarray]) -> float:
    """Mean over target words, with the same sign."""
    return float(word_bias(targets, groups).mean())


def set_bias_growing_groups(targets: np.ndarray, groups: list[np.ndarray], growth: Growth) -> np.ndarray:
    """Values with growing groups: (n, steps), ‖Ā − c‖² = 1 − 2 Ā·c + ‖Ā‖² for unit vectors c."""
    words = unit(targets).T
    found = []
    for means in growth.means([unit(group) for group in groups]):
        squares = [1 - 2 * mean @ words + np.square(mean).sum(axis=1)[:, None] for mean in means]
        first, second = (np.sqrt(np.maximum(square, 0)) for square in squares)
        found.append((first - second).mean(axis=1))
    return np.stack(found)
