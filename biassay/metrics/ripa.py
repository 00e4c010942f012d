"""RIPA (relational inner product association): how far does a target extend along the bias direction?

w·g,  g the first principal component, or (a − b)/‖a − b‖ of each pair of group words
set: mean of the absolute values
"""

from typing import Annotated, Literal

import numpy as np

from biassay.measurement.metric import Level, Metric
from biassay.statistics.directions import (
    growing_pair_mean,
    growing_principal_component,
    measure_pairings,
    pair_mean,
    principal_components,
)
from biassay.statistics.growth import Growth

METRIC = Metric(
    summary="inner product of a target with the bias direction (principal component or differences of pairs)",
    source="Ethayarajh et al. 2019; intrinsic-2023 §3.2",
    cite=("ethayarajh2019", "schroeder2023"),
    avoid=(
        "To compare words of different frequency, or embeddings: it has no bounds and grows with the length of a "
        "vector, which depends on frequency. If the groups' words do not form pairs, its direction is arbitrary."
    ),
    groups=(2, None),
    word=Level(
        lambda n: None if n == 2 else 0.0,
        None,
        signed=lambda n: n == 2,
        undefined="a vector of a group is zero, or there is no component, as with identical groups",
    ),
    set=Level(0.0, None, undefined="a vector of a group is zero, or there is no component, as with identical groups"),
    scale_invariant=False,
    paired=True,
    aggregate="mean of absolute values",
)


def word_bias(
    targets: np.ndarray,
    groups: list[np.ndarray],
    *,
    direction: Literal["component", "pairs"] = "component",
    normalize: bool = True,
    n_pairings: Annotated[int, "1 <= x <= 100000"] | None = None,
    seed: Annotated[int, "0 <= x < 4294967296"] = 1,
) -> np.ndarray:
    """Compute w·g of each target; targets are not normalised, and the i-th words of all groups belong together.

    Unbounded; positive towards the first of two groups. The sign is arbitrary if the component is orthogonal to the
    difference of the groups' means. |w·g| for more than two groups. 0 for a zero target; NaN for identical groups.

    Parameters
    ----------
    direction : {"component", "pairs"}
        "component": g is the first component of Direct Bias (intrinsic-2023 §3.2). "pairs": the mean
        over pairs of w·(a − b)/‖a − b‖ of raw vectors (Ethayarajh et al. 2019; WEFE), for two groups.
    normalize : bool
        Whether the component is that of unit vectors; otherwise long vectors count more (intrinsic-2023).
    n_pairings : int, optional
        For words that do not form pairs: average over this number of random pairings.
    """
    return _measure_pairings(targets, groups, direction, normalize, n_pairings, seed).mean(axis=0)


def set_bias(
    targets: np.ndarray,
    groups: list[np.ndarray],
    *,
    direction: Literal["component", "pairs"] = "component",
    normalize: bool = True,
    n_pairings: Annotated[int, "1 <= x <= 100000"] | None = None,
    seed: Annotated[int, "0 <= x < 4294967296"] = 1,
) -> float:
    """Compute the mean of the absolute values (over random pairings, too): 0 or more; 0 means no bias."""
    return float(np.abs(_measure_pairings(targets, groups, direction, normalize, n_pairings, seed)).mean())


def set_bias_by_pairing(targets: np.ndarray, groups: list[np.ndarray], **options: object) -> np.ndarray:
    """Compute `set_bias` for each random pairing: (n_pairings,)."""
    return np.abs(_measure_pairings(targets, groups, **options)).mean(axis=1)


def set_bias_growing_targets(
    targets: np.ndarray,
    groups: list[np.ndarray],
    growth: Growth,
    *,
    direction: str = "component",
    normalize: bool = True,
    n_pairings: int | None = None,
    seed: int = 1,
) -> np.ndarray:
    """Compute `set_bias` of growing targets; word-level values are computed once: (n_shuffles, steps)."""
    values = np.abs(_measure_pairings(targets, groups, direction, normalize, n_pairings, seed)).mean(axis=0)
    return growth.means([values])[0]


def set_bias_growing_groups(
    targets: np.ndarray, groups: list[np.ndarray], growth: Growth, *, direction: str = "component"
) -> np.ndarray:
    """Compute `set_bias` with two growing groups: (n_shuffles, steps)."""
    words = np.asarray(targets, np.float64).T
    find = growing_pair_mean if direction == "pairs" else growing_principal_component
    blocks = growth.blocks(max(words.shape))
    return np.concatenate([np.abs(part.draw(find(groups, part) @ words)).mean(axis=-1) for part in blocks])


def _measure_pairings(
    targets: np.ndarray,
    groups: list[np.ndarray],
    direction: str = "component",
    normalize: bool = True,
    n_pairings: int | None = None,
    seed: int = 1,
) -> np.ndarray:
    """Compute the word-level values for each pairing, or for the groups as they are: (n_pairings or 1, n)."""
    words = np.asarray(targets, np.float64)

    def measure(paired: list[np.ndarray]) -> np.ndarray:
        if direction == "pairs":
            return words @ pair_mean(paired)
        component = principal_components(paired, 1, normalize)
        return words @ component[0] if len(component) else np.full(len(words), np.nan)

    values = measure_pairings(measure, groups, n_pairings, seed)
    return values if len(groups) == 2 else np.abs(values)
