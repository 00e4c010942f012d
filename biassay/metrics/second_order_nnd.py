"""Second-order bias (negative norm difference): which group's mean vector is a target closer to?

nnd(z, w) = −‖v_z/‖v_z‖ − w/‖w‖‖,  v_z the mean vector of a group's words
nnd(first, w) − nnd(second, w)
"""

from collections.abc import Iterator

import numpy as np

from biassay.measurement.metric import Level, Metric
from biassay.statistics.geometry import project, unit
from biassay.statistics.growth import Growth

METRIC = Metric(
    summary="difference of the negative distances to the mean vectors of two groups",
    source="first-order paper, §3.2, after Garg et al. 2018",
    cite=("rekabsaz2021", "garg2018"),
    avoid=(
        "To compare lists whose vectors differ in length or words in frequency, because long vectors weigh more in a "
        "group's mean. It ranks words nearly as second_order_cosine does."
    ),
    word=Level(-2.0, 2.0, signed=True, undefined="a target, or the mean vector of a group, is zero"),
    scale_invariant=False,
    exempt="its groups are raw mean vectors, in which lengths count, not associations s(w, A)",
)


def factor(targets: np.ndarray, groups: np.ndarray) -> np.ndarray:
    """Compute −‖v_z/‖v_z‖ − w/‖w‖‖ of targets (n, d), v_z the mean of a group's words (m, d): (n,), −2 to 0."""
    return -np.sqrt(np.maximum(2 - 2 * project(targets, unit(groups.mean(axis=0))), 0))


def word_bias(targets: np.ndarray, groups: list[np.ndarray]) -> np.ndarray:
    """Compute the value for the first group minus that for the second (first-order paper §3.2; Garg et al. 2018).

    From −2 to 2, positive towards the first group; NaN for a zero vector.
    """
    return factor(targets, groups[0]) - factor(targets, groups[1])


def word_bias_growing_groups(targets: np.ndarray, groups: list[np.ndarray], growth: Growth) -> Iterator[np.ndarray]:
    """Compute the word-level values (b, steps, n) with two growing groups, for blocks of b shuffles."""
    words = unit(targets).T
    for part in growth.blocks(max(words.shape)):
        first, second = (-np.sqrt(np.maximum(2 - 2 * (unit(mean) @ words), 0)) for mean in part.means(groups))
        yield part.draw(first - second)
