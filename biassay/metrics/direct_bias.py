"""Direct Bias: how far targets lie along the principal components of the groups' defining sets."""

import numpy as np

from biassay.measurement.metric import Level, Metric
from biassay.numerics.directions import principal, principal_growing
from biassay.numerics.geometry import along, unit
from biassay.numerics.growth import Growth

METRIC = Metric(
    summary="length of a target's cosines with the bias directions, by PCA of centred defining sets, to a power",
    source="Bolukbasi et al. 2016; same-2021 eq 9; same-2024 eq 25",
    groups=(2, None),
    sample=Level(0.0, 1.0),
    set=Level(0.0, 1.0),
    paired=True,
    aggregate="mean",
)


def sample_bias(
    targets: np.ndarray, attributes: list[np.ndarray], *, k: int | None = None, c: float = 1.0
) -> np.ndarray:
    """‖(cos(w,b_1) … cos(w,b_k))‖^c of targets (n, d) with groups (m_i, d) whose i-th words belong together:
    (n,), 0 to 1, no sign; k = n − 1 for n groups by default, thus |cos(w,g)|^c for two.

    Fewer components where the sets span fewer dimensions; NaN where they span none (identical groups), and for a
    zero vector. c = 0 gives 1 for everything.
    """
    directions = principal(attributes, k)
    lengths = np.linalg.norm(along(targets, directions), axis=1) if len(directions) else np.full(len(targets), np.nan)
    return _power(lengths, c)


def set_bias(targets: np.ndarray, attributes: list[np.ndarray], *, k: int | None = None, c: float = 1.0) -> float:
    """Mean over targets: 0 to 1, 0 means no bias."""
    return float(sample_bias(targets, attributes, k=k, c=c).mean())


def as_attributes_grow(
    targets: np.ndarray, attributes: list[np.ndarray], growth: Growth, *, c: float = 1.0
) -> np.ndarray:
    """Values with two growing groups, side by side: (n, steps)."""
    words = unit(targets).T
    directions = principal_growing(attributes, growth)
    return np.stack([_power(np.abs(of_shuffle @ words), c).mean(axis=1) for of_shuffle in directions])


def _power(lengths: np.ndarray, c: float) -> np.ndarray:
    """Lengths, at most 1, to the power c; raises ValueError for c below 0."""
    if c < 0:
        raise ValueError(f"c: the strictness is at least 0, not {c}")
    lengths = np.minimum(lengths, 1.0)
    return np.where(np.isnan(lengths), np.nan, lengths**c)  # NaN ** 0 would be 1
