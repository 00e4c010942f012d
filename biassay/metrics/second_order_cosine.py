"""Second-order bias (cosine): which group's mean vector is a target closer to?

cos(v_first, w) − cos(v_second, w),  v_z the mean vector of a group's words
"""

from collections.abc import Iterator

import numpy as np

from biassay.measurement.metric import Level, Metric
from biassay.statistics.geometry import project, unit
from biassay.statistics.growth import Growth

METRIC = Metric(
    summary="difference of the cosines with the mean vectors of two groups",
    source="first-order paper, eq 3–4",
    cite=("rekabsaz2021",),
    avoid=(
        "To compare lists whose vectors differ in length or words in frequency, because long vectors weigh more in a "
        "group's mean; as evidence of direct co-occurrence, which it does not measure."
    ),
    word=Level(-2.0, 2.0, signed=True, undefined="a target, or the mean vector of a group, is zero"),
    scale_invariant=False,
    exempt="its groups are raw mean vectors, in which lengths count, not associations s(w, A)",
)


def factor(targets: np.ndarray, groups: np.ndarray) -> np.ndarray:
    """Compute cos(v_z, w) of targets (n, d), v_z the mean of a group's words (m, d): (n,), −1 to 1; NaN for zero."""
    return project(targets, unit(groups.mean(axis=0)))


def word_bias(targets: np.ndarray, groups: list[np.ndarray]) -> np.ndarray:
    """Compute the cosine with the first group's mean minus that with the second's (first-order paper, eq 3–4).

    From −2 to 2, positive towards the first group; NaN for a zero vector.
    """
    return factor(targets, groups[0]) - factor(targets, groups[1])


def word_bias_growing_groups(targets: np.ndarray, groups: list[np.ndarray], growth: Growth) -> Iterator[np.ndarray]:
    """Compute the word-level values (b, steps, n) with two growing groups, for blocks of b shuffles."""
    words = unit(targets).T
    for part in growth.blocks(max(words.shape)):
        first, second = (unit(mean) @ words for mean in part.means(groups))
        yield part.draw(first - second)
