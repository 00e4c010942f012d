"""Hard debiasing: take bias directions out of vectors, and make sets of words equal but for them (Bolukbasi et al.)."""

from collections.abc import Sequence

import numpy as np

from biassay.numerics.directions import principal_components
from biassay.numerics.geometry import ZERO, unit
from biassay.support import arrays

LENGTHS = ("unit", "original", "projected")


def neutralise(vectors: np.ndarray, directions: np.ndarray, *, lengths: str = "unit") -> np.ndarray:
    """Vectors (n, d) without their part along orthonormal directions (k, d): (n, d), float64.

    lengths: "unit" (Bolukbasi et al.), "original" as they were before (first-order paper), or "projected", what the plain
    projection leaves. NaN for a vector that lies in the directions' span, which has no rest to scale, and for zero.
    """
    if lengths not in LENGTHS:
        raise ValueError(f"lengths: unknown value {lengths!r}; expected one of: {', '.join(LENGTHS)}")
    vectors = np.asarray(vectors, np.float64)
    if lengths == "projected":
        return vectors - vectors @ directions.T @ directions
    rows = unit(vectors)
    rest = rows - rows @ directions.T @ directions
    rest[np.linalg.norm(rest, axis=1) < ZERO] = 0
    rest = unit(rest)
    return rest if lengths == "unit" else rest * np.linalg.norm(vectors, axis=1, keepdims=True)


def equalise(vectors: np.ndarray, directions: np.ndarray) -> np.ndarray:
    """A set of words (m, d), such as she and he, that differ along orthonormal directions (k, d) only: (m, d), unit.

    ν + √(1 − ‖ν‖²) (w_B − μ_B) / ‖w_B − μ_B‖ with μ the mean of the unit vectors, μ_B its part along the directions
    and ν = μ − μ_B. All are then equally near any neutralised vector. NaN for a word whose part is the mean's.
    """
    rows = unit(vectors)
    along = rows @ directions.T @ directions
    mean, mean_along = rows.mean(axis=0), along.mean(axis=0)
    common = mean - mean_along
    away = along - mean_along
    away[np.linalg.norm(away, axis=1) < ZERO] = 0
    return common + np.sqrt(max(0.0, 1 - common @ common)) * unit(away)


def hard_debias(
    vectors: np.ndarray, groups: list[np.ndarray], *, n_directions: int = 1, lengths: str = "unit",
    keep: Sequence[int] = (), equal: Sequence[Sequence[int]] = (),
) -> np.ndarray:  # fmt: skip
    """Debias vectors (n, d) along the first n_directions principal components of groups (m_i, d) whose i-th words belong together:
    (n, d), float64.

    Rows `keep` stay as they are, words that bear the attribute by definition; rows of every set in `equal` are
    equalised, with their mean length unless lengths are "unit"; all others are neutralised. Raises ValueError if the
    groups span no direction.
    """
    groups = [arrays.as_array("groups", group) for group in groups]
    vectors = arrays.as_array("vectors", vectors)
    directions = principal_components(groups, n_directions)
    if not len(directions) or not np.isfinite(directions).all():
        raise ValueError("hard_debias: the defining sets span no direction: the groups are identical, or hold NaN")
    debiased = neutralise(vectors, directions, lengths=lengths)
    debiased[list(keep)] = np.asarray(vectors, np.float64)[list(keep)]
    for rows in map(list, equal):
        length = 1.0 if lengths == "unit" else np.linalg.norm(vectors[rows], axis=1).mean()
        debiased[rows] = equalise(vectors[rows], directions) * length
    return debiased
