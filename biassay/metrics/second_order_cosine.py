"""Second-order bias: cosine to the mean vectors of two groups (first-order paper, eq 3–4).

cos(v_first, w) − cos(v_second, w),  v_z the mean vector of a group's words
"""

import numpy as np

from biassay.measurement.metric import Level, Metric
from biassay.numerics.geometry import project, unit

METRIC = Metric(
    summary="difference of the cosines to the mean vectors of two groups' definitional words",
    source="first-order paper, eq 3–4",
    cite=("rekabsaz2021",),
    avoid=(
        "To compare lists whose words have unlike lengths or frequencies, for long vectors weigh more in a "
        "group's mean; and as evidence of direct co-occurrence, which it does not measure."
    ),
    word=Level(-2.0, 2.0, signed=True, undefined="a target, or the mean vector of a group, is zero"),
    scale_invariant=False,
    exempt="its groups are raw mean vectors, in which lengths count, not associations s(w, A)",
)


def factor(targets: np.ndarray, groups: np.ndarray) -> np.ndarray:
    """cos(v_z, v_w) of targets (n, d) with v_z, the mean of a group's words (m, d): (n,), −1 to 1.

    NaN for a zero vector.
    """
    return project(targets, unit(groups.mean(axis=0)))


def word_bias(targets: np.ndarray, groups: list[np.ndarray]) -> np.ndarray:
    """Factor of the first group less that of the second: (n,), −2 to 2, positive towards the first."""
    return factor(targets, groups[0]) - factor(targets, groups[1])
