"""RIPA: relational inner product association, the projection of a target on the bias direction.

w·g,  g the first principal component, or (a − b)/‖a − b‖ of each pair
set: mean of the absolute values
"""

from typing import Annotated, Literal

import numpy as np

from biassay.measurement.metric import Level, Metric
from biassay.numerics.directions import (
    draw_pairings,
    growing_pair_mean,
    growing_principal_component,
    pair_mean,
    principal_components,
)
from biassay.numerics.growth import Growth

METRIC = Metric(
    summary="inner product of a target with the bias direction: a principal component, or the differences of pairs",
    source="Ethayarajh et al. 2019; intrinsic-2023 §3.2",
    cite=("ethayarajh2019", "schroeder2023"),
    avoid=(
        "To compare words of different frequency, or embeddings: it grows with a vector's length, which frequency "
        "changes, and has no bounds. Where groups are no pairs of words its direction is arbitrary."
    ),
    groups=(2, None),
    word=Level(
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


def word_bias(
    targets: np.ndarray, groups: list[np.ndarray], *, direction: Literal["component", "pairs"] = "component",
    n_pairings: Annotated[int, "1 <= x <= 100000"] | None = None, seed: Annotated[int, "0 <= x < 4294967296"] = 1,
) -> np.ndarray:  # fmt: skip
    """w·g of targets (n, d), not normalised, with groups (m_i, d) whose i-th words belong together: (n,), unbounded,
    positive towards the first of two groups; |w·g| with more, for g names no group then.

    "component": g is Direct Bias's first component, from unit vectors (intrinsic-2023); where it is orthogonal to the
    difference of the groups' means, its sign says nothing. "pairs": w·(a − b)/‖a − b‖ of raw vectors of a pair, the
    mean over pairs, as Ethayarajh et al. and WEFE have it, of two groups only. `pairings`: for groups whose words do
    not belong together, the mean over so many random pairings. NaN where the groups are identical; 0 for a zero target.
    """
    return _of_pairings(targets, groups, direction, n_pairings, seed).mean(axis=0)


def set_bias(
    targets: np.ndarray, groups: list[np.ndarray], *, direction: Literal["component", "pairs"] = "component",
    n_pairings: Annotated[int, "1 <= x <= 100000"] | None = None, seed: Annotated[int, "0 <= x < 4294967296"] = 1,
) -> float:  # fmt: skip
    """Mean of the absolute values, of each pairing if there are some: at least 0, unbounded."""
    return float(np.abs(_of_pairings(targets, groups, direction, n_pairings, seed)).mean())


def set_bias_by_pairing(
    targets: np.ndarray, groups: list[np.ndarray], *, direction: Literal["component", "pairs"] = "component",
    n_pairings: Annotated[int, "1 <= x <= 100000"] | None = None, seed: Annotated[int, "0 <= x < 4294967296"] = 1,
) -> np.ndarray:  # fmt: skip
    """The set's value of each random pairing, of which it is the mean: (pairings,)."""
    return np.abs(_of_pairings(targets, groups, direction, n_pairings, seed)).mean(axis=1)


def set_bias_growing_targets(
    targets: np.ndarray, groups: list[np.ndarray], growth: Growth, *,
    direction: Literal["component", "pairs"] = "component", n_pairings: Annotated[int, "1 <= x <= 100000"] | None = None,
    seed: Annotated[int, "0 <= x < 4294967296"] = 1,
) -> np.ndarray:  # fmt: skip
    """Values of growing targets, whose absolute values are computed once: (n, steps)."""
    samples = np.abs(_of_pairings(targets, groups, direction, n_pairings, seed)).mean(axis=0)
    return np.stack([mean for (mean,) in growth.means([samples])])


def set_bias_growing_groups(
    targets: np.ndarray, groups: list[np.ndarray], growth: Growth, *,
    direction: Literal["component", "pairs"] = "component",
) -> np.ndarray:  # fmt: skip
    """Values with two growing groups: (n, steps)."""
    words = np.asarray(targets, np.float64).T
    directions = (growing_pair_mean if direction == "pairs" else growing_principal_component)(groups, growth)
    return np.stack([np.abs(of_shuffle @ words).mean(axis=1) for of_shuffle in directions])


def _of_pairings(
    targets: np.ndarray, groups: list[np.ndarray], direction: str, n_pairings: int | None, seed: int
) -> np.ndarray:
    """Sample values of each pairing, the groups as they are if there is none: (pairings or 1, n)."""
    words, found = np.asarray(targets, np.float64), []
    for paired in draw_pairings(groups, n_pairings, seed) if n_pairings else [groups]:
        if direction == "pairs":
            found.append(words @ pair_mean(paired))
            continue
        component = principal_components(paired, 1)
        found.append(words @ component[0] if len(component) else np.full(len(words), np.nan))
    return np.stack(found) if len(groups) == 2 else np.abs(found)
