"""RIPA: relational inner product association, the projection of a target on the bias direction."""

import numpy as np

from biassay.measurement.metric import Level, Metric
from biassay.numerics.directions import principal, principal_growing
from biassay.numerics.growth import Growth

METRIC = Metric(
    summary="inner product of a target with the first principal component of the centred defining sets",
    source="Ethayarajh et al. 2019; intrinsic-2023 §3.2",
    groups=(2, None),
    sample=Level(
        lambda n: None if n == 2 else 0.0,
        None,
        signed=lambda n: n == 2,
        undefined="a vector of a group is zero, or there is no component, as for identical groups",
    ),
    set=Level(0.0, None, undefined="a vector of a group is zero, or there is no component, as for identical groups"),
    scale_invariant=False,
    paired=True,
    aggregate="mean of absolute values",
)


def sample_bias(targets: np.ndarray, attributes: list[np.ndarray]) -> np.ndarray:
    """w·g of targets (n, d), not normalised, with the first component g of groups (m_i, d) whose i-th words belong
    together: (n,), unbounded, positive towards the first of two groups; |w·g| with more, for g names no group then.

    g is Direct Bias's, from unit vectors; where it is orthogonal to the difference of the groups' means, its sign says
    nothing. NaN where the groups are identical; 0 for a zero target.
    """
    directions = principal(attributes, 1)
    if not len(directions):
        return np.full(len(targets), np.nan)
    values = np.asarray(targets, np.float64) @ directions[0]
    return values if len(attributes) == 2 else np.abs(values)


def set_bias(targets: np.ndarray, attributes: list[np.ndarray]) -> float:
    """Mean of the absolute values: at least 0, unbounded."""
    return float(np.abs(sample_bias(targets, attributes)).mean())


def as_attributes_grow(targets: np.ndarray, attributes: list[np.ndarray], growth: Growth) -> np.ndarray:
    """Values with two growing groups, side by side: (n, steps)."""
    words = np.asarray(targets, np.float64).T
    directions = principal_growing(attributes, growth)
    return np.stack([np.abs(of_shuffle @ words).mean(axis=1) for of_shuffle in directions])
