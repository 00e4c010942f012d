"""RND (relative norm distance): which of two groups is a target closer to?

‖Ā_1 − c‖ − ‖Ā_2 − c‖
set: mean over the targets c
"""

import numpy as np

from biassay.measurement.metric import Level, Metric
from biassay.statistics.geometry import mean_units, unit
from biassay.statistics.growth import Growth

METRIC = Metric(
    summary="difference of a target's distances to the mean vectors of two groups",
    source="Garg et al. 2018",
    cite=("garg2018",),
    avoid=(
        "To compare embeddings, or groups that differ in spread: it is then not 0 for words equally close to both "
        "(properties study). Its sign is reversed: positive towards the second group."
    ),
    word=Level(None, None, signed=True, undefined="a vector is zero"),
    set=Level(None, None, signed=True, undefined="a vector is zero"),
    towards_second=True,
    aggregate="mean",
)


def word_bias(targets: np.ndarray, groups: list[np.ndarray]) -> np.ndarray:
    """Compute ‖Ā_1 − c‖ − ‖Ā_2 − c‖ of each target c; Ā_i is the mean of a group's unit vectors (Garg et al. 2018).

    From −‖Ā_1 − Ā_2‖ to ‖Ā_1 − Ā_2‖; positive if the target is closer to the second group, 0 for identical groups. NaN
    for a zero vector.
    """
    words = unit(targets)
    first, second = (np.linalg.norm(words - mean, axis=1) for mean in mean_units(groups))
    return first - second


def set_bias(targets: np.ndarray, groups: list[np.ndarray]) -> float:
    """Compute the mean over targets, with the same sign; 0 means no bias."""
    return float(word_bias(targets, groups).mean())


def set_bias_growing_groups(targets: np.ndarray, groups: list[np.ndarray], growth: Growth) -> np.ndarray:
    """Compute `set_bias` with growing groups: (n_shuffles, steps). ‖Ā − c‖² = 1 − 2 Ā·c + ‖Ā‖² for unit vectors c."""
    words, units, values = unit(targets).T, [unit(group) for group in groups], []
    for part in growth.blocks(max(words.shape)):
        means = part.means(units)
        squares = [1 - 2 * mean @ words + np.square(mean).sum(axis=-1, keepdims=True) for mean in means]
        first, second = (np.sqrt(np.maximum(square, 0)) for square in squares)
        values.append(part.draw(first - second).mean(axis=-1))
    return np.concatenate(values)
