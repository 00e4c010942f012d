"""Direct Bias: how strongly do targets align with the principal components of the defining sets?

‖(cos(w, b_1), …, cos(w, b_k))‖^c,  b_1 … b_k the first principal components of the centred defining sets
set: mean over the targets
"""

from typing import Annotated

import numpy as np

from biassay.measurement.metric import Level, Metric
from biassay.statistics.directions import growing_principal_component, measure_pairings, principal_components
from biassay.statistics.geometry import project, unit
from biassay.statistics.growth import Growth

METRIC = Metric(
    summary="norm of a target's cosines with the bias directions (PCA of centred defining sets), to the power c",
    source="Bolukbasi et al. 2016; same-2021 eq 9; same-2024 eq 25",
    cite=("bolukbasi2016", "schroeder2021", "schroeder2024"),
    avoid=(
        "If the groups' words do not form pairs, or the differences of the pairs have several directions: words "
        "biased along a direction that the first component omits get 0 (properties study). It has no sign."
    ),
    groups=(2, None),
    word=Level(0.0, 1.0, undefined="a vector is zero, or there is no component, as with identical groups"),
    set=Level(0.0, 1.0, undefined="a vector is zero, or there is no component, as with identical groups"),
    paired=True,
    aggregate="mean",
)


def word_bias(
    targets: np.ndarray,
    groups: list[np.ndarray],
    *,
    n_directions: Annotated[int, "1 <= x <= 10000"] | None = None,
    normalize: bool = True,
    c: Annotated[float, "0 < x <= 1e12"] = 1.0,
    n_pairings: Annotated[int, "1 <= x <= 100000"] | None = None,
    seed: Annotated[int, "0 <= x < 4294967296"] = 1,
) -> np.ndarray:
    """Compute ‖(cos(w, b_1), …, cos(w, b_k))‖^c of each target (same-2021 eq 9; same-2024 eq 25).

    The i-th words of all groups form the i-th defining set. From 0 to 1, without sign. NaN for a zero vector, or if the
    defining sets span no dimension (identical groups).

    Parameters
    ----------
    n_directions : int, optional
        k, by default the number of groups minus 1: |cos(w, b_1)|^c for two groups. Fewer components are used if the
        defining sets span fewer dimensions.
    normalize : bool
        Whether the components are those of unit vectors; otherwise long vectors count more (intrinsic-2023).
    c : float
        Strictness.
    n_pairings : int, optional
        For words that do not form pairs: average over this number of random pairings.
    """
    return _measure_pairings(targets, groups, n_directions, normalize, c, n_pairings, seed).mean(axis=0)


def signed_word_bias(
    targets: np.ndarray,
    groups: list[np.ndarray],
    *,
    normalize: bool = True,
    c: Annotated[float, "0 < x <= 1e12"] = 1.0,
    n_pairings: Annotated[int, "1 <= x <= 100000"] | None = None,
    seed: Annotated[int, "0 <= x < 4294967296"] = 1,
) -> np.ndarray:
    """Compute cos(w, b_1) of each target, its absolute value to the power c, positive towards the first group."""

    def measure(paired: list[np.ndarray]) -> np.ndarray:
        component = principal_components(paired, 1, normalize)
        cosines = project(targets, component)[:, 0] if len(component) else np.full(len(targets), np.nan)
        return np.sign(cosines) * _power(np.abs(cosines), c)

    return measure_pairings(measure, groups, n_pairings, seed).mean(axis=0)


def set_bias(
    targets: np.ndarray,
    groups: list[np.ndarray],
    *,
    n_directions: Annotated[int, "1 <= x <= 10000"] | None = None,
    normalize: bool = True,
    c: Annotated[float, "0 < x <= 1e12"] = 1.0,
    n_pairings: Annotated[int, "1 <= x <= 100000"] | None = None,
    seed: Annotated[int, "0 <= x < 4294967296"] = 1,
) -> float:
    """Compute the mean over targets (and over random pairings): 0 to 1; 0 means no bias."""
    return float(_measure_pairings(targets, groups, n_directions, normalize, c, n_pairings, seed).mean())


def set_bias_by_pairing(targets: np.ndarray, groups: list[np.ndarray], **options: object) -> np.ndarray:
    """Compute `set_bias` for each random pairing: (n_pairings,)."""
    return _measure_pairings(targets, groups, **options).mean(axis=1)


def set_bias_growing_groups(
    targets: np.ndarray, groups: list[np.ndarray], growth: Growth, *, c: float = 1.0
) -> np.ndarray:
    """Compute `set_bias` with two growing groups of pairs: (n_shuffles, steps)."""
    words, values = unit(targets).T, []
    for part in growth.blocks(max(words.shape)):
        cosines = part.draw(growing_principal_component(groups, part) @ words)
        values.append(_power(np.abs(cosines), c).mean(axis=-1))
    return np.concatenate(values)


def _measure_pairings(
    targets: np.ndarray,
    groups: list[np.ndarray],
    n_directions: int | None = None,
    normalize: bool = True,
    c: float = 1.0,
    n_pairings: int | None = None,
    seed: int = 1,
) -> np.ndarray:
    """Compute the word-level values for each pairing, or for the groups as they are: (n_pairings or 1, n)."""

    def measure(paired: list[np.ndarray]) -> np.ndarray:
        directions = principal_components(paired, n_directions, normalize)
        cosines = project(targets, directions) if len(directions) else np.full((len(targets), 1), np.nan)
        return _power(np.linalg.norm(cosines, axis=1), c)

    return measure_pairings(measure, groups, n_pairings, seed)


def _power(lengths: np.ndarray, c: float) -> np.ndarray:
    """Raise lengths, clipped to 1, to the power c."""
    return np.minimum(lengths, 1.0) ** c
