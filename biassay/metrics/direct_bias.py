"""Direct Bias: how far targets lie along the principal components of the groups' defining sets.

‖(cos(w, b_1), …, cos(w, b_k))‖^c,  b_1 … b_k the first principal components of the centred defining sets
set: mean over the targets
"""

from typing import Annotated

import numpy as np

from biassay.measurement.metric import Level, Metric
from biassay.numerics.directions import draw_pairings, growing_principal_component, principal_components
from biassay.numerics.geometry import project, unit
from biassay.numerics.growth import Growth

METRIC = Metric(
    summary="length of a target's cosines with the bias directions, by PCA of centred defining sets, to a power",
    source="Bolukbasi et al. 2016; same-2021 eq 9; same-2024 eq 25",
    cite=("bolukbasi2016", "schroeder2021", "schroeder2024"),
    avoid=(
        "Where groups are no pairs of words, or their differences point into several directions: it is 0 for "
        "words that are biased along a direction that the first component leaves out (properties study). It has "
        "no sign."
    ),
    groups=(2, None),
    word=Level(0.0, 1.0, undefined="a vector is zero, or there is no component, as for identical groups"),
    set=Level(0.0, 1.0, undefined="a vector is zero, or there is no component, as for identical groups"),
    paired=True,
    aggregate="mean",
)


def word_bias(
    targets: np.ndarray,
    groups: list[np.ndarray],
    *,
    n_directions: Annotated[int, "1 <= x <= 10000"] | None = None,
    c: Annotated[float, "0 < x <= 1e12"] = 1.0,
    n_pairings: Annotated[int, "1 <= x <= 100000"] | None = None,
    seed: Annotated[int, "0 <= x < 4294967296"] = 1,
) -> np.ndarray:
    """‖(cos(w,b_1) … cos(w,b_k))‖^c of targets (n, d) with groups (m_i, d) whose i-th words belong together:
    (n,), 0 to 1, no sign; k = n − 1 for n groups by default, thus |cos(w,g)|^c for two.

    Fewer components where the sets span fewer dimensions; NaN where they span none (identical groups), and for a
    zero vector. c = 0 gives 1 for everything. `pairings`: for groups whose words do not belong together, the mean over
    so many random pairings.
    """
    return _of_pairings(targets, groups, n_directions, c, n_pairings, seed).mean(axis=0)


def set_bias(
    targets: np.ndarray,
    groups: list[np.ndarray],
    *,
    n_directions: Annotated[int, "1 <= x <= 10000"] | None = None,
    c: Annotated[float, "0 < x <= 1e12"] = 1.0,
    n_pairings: Annotated[int, "1 <= x <= 100000"] | None = None,
    seed: Annotated[int, "0 <= x < 4294967296"] = 1,
) -> float:
    """Mean over targets, and over random pairings if there are some: 0 to 1, 0 means no bias."""
    return float(_of_pairings(targets, groups, n_directions, c, n_pairings, seed).mean())


def set_bias_by_pairing(
    targets: np.ndarray,
    groups: list[np.ndarray],
    *,
    n_directions: Annotated[int, "1 <= x <= 10000"] | None = None,
    c: Annotated[float, "0 < x <= 1e12"] = 1.0,
    n_pairings: Annotated[int, "1 <= x <= 100000"] | None = None,
    seed: Annotated[int, "0 <= x < 4294967296"] = 1,
) -> np.ndarray:
    """The set's value of each random pairing, of which it is the mean: (pairings,)."""
    return _of_pairings(targets, groups, n_directions, c, n_pairings, seed).mean(axis=1)


def set_bias_growing_groups(
    targets: np.ndarray, groups: list[np.ndarray], growth: Growth, *, c: Annotated[float, "0 < x <= 1e12"] = 1.0
) -> np.ndarray:
    """Values with two growing groups, side by side: (n, steps)."""
    words = unit(targets).T
    directions = growing_principal_component(groups, growth)
    return np.stack([_power(np.abs(of_shuffle @ words), c).mean(axis=1) for of_shuffle in directions])


def _of_pairings(
    targets: np.ndarray, groups: list[np.ndarray], n_directions: int | None, c: float, n_pairings: int | None, seed: int
) -> np.ndarray:
    """Sample values of each pairing, the groups as they are if there is none: (pairings or 1, n)."""
    found = []
    for paired in draw_pairings(groups, n_pairings, seed) if n_pairings else [groups]:
        directions = principal_components(paired, n_directions)
        empty = np.full(len(targets), np.nan)
        found.append(_power(np.linalg.norm(project(targets, directions), axis=1) if len(directions) else empty, c))
    return np.stack(found)


def _power(lengths: np.ndarray, c: float) -> np.ndarray:
    """Lengths, at most 1, to the power c; raises ValueError for c below 0."""
    if c < 0:
        raise ValueError(f"c: the strictness is at least 0, not {c}")
    lengths = np.minimum(lengths, 1.0)
    return np.where(np.isnan(lengths), np.nan, lengths**c)  # NaN ** 0 would be 1
