"""Bias directions: differences of group means with their Gram–Schmidt basis, and principal components.

A direction that does not exist, since groups coincide, is left out; a NaN in an attribute makes every direction NaN.
"""

from collections.abc import Iterator

import numpy as np
from scipy.linalg import eigh

from biassay.numerics.geometry import ZERO, mean_units, unit
from biassay.numerics.growth import Growth

CONTRASTS = ("pairwise", "one_against_rest")


def orthonormal(directions: np.ndarray) -> np.ndarray:
    """Gram–Schmidt basis (at most k, d) of directions (k, d), a dependent one left out (same-2021 eq 38–40)."""
    if not np.isfinite(directions).all():
        return np.full((1, directions.shape[1]), np.nan)
    basis = np.empty((0, directions.shape[1]))
    for direction in directions:
        rest = direction - basis.T @ (basis @ direction)
        rest -= basis.T @ (basis @ rest)  # twice is enough: once leaves rounding along the basis
        length = np.linalg.norm(rest)
        if length > ZERO:
            basis = np.vstack([basis, rest / length])
    return basis


def group_basis(attributes: list[np.ndarray]) -> np.ndarray:
    """Orthonormal basis of the bias space spanned by â_i − â_0: (at most n − 1, d)."""
    means = mean_units(attributes)
    return orthonormal(means[1:] - means[0])


def contrasts(attributes: list[np.ndarray], contrast: str = "pairwise") -> dict[tuple[int, int | None], np.ndarray]:
    """Unit directions (d,) between groups: â_i − â_j for i < j, or â_i less â of the union of the others, as (i, None).

    Two groups have one, (0, 1). Directions of length 0 are left out.
    """
    if contrast not in CONTRASTS:
        raise ValueError(f"contrast: unknown value {contrast!r}; choices: {', '.join(CONTRASTS)}")
    means = mean_units(attributes)
    n = len(means)
    if n == 2 or contrast == "pairwise":
        found = {(i, j): means[i] - means[j] for i in range(n) for j in range(i + 1, n)}
    else:
        sizes = [len(group) for group in attributes]
        rests = [np.average(np.delete(means, i, axis=0), axis=0, weights=np.delete(sizes, i)) for i in range(n)]
        found = {(i, None): means[i] - rests[i] for i in range(n)}
    lengths = {key: np.linalg.norm(direction) for key, direction in found.items()}
    return {key: found[key] / lengths[key] for key in found if not lengths[key] <= ZERO}


def principal(attributes: list[np.ndarray], k: int | None = None) -> np.ndarray:
    """First k principal components of the centred defining sets: (at most k, d), orthonormal; k = n − 1 by default.

    The i-th defining set holds the i-th word of every group that has one, unit-normalised; a word without a partner
    says nothing. Components point towards the first group. Fewer than k where the sets span fewer dimensions, none
    where they span nothing (same-2021 §2.2.3; same-2024 eq 25).
    """
    k = len(attributes) - 1 if k is None else k
    if k < 1:
        raise ValueError(f"k: the number of components is at least 1, not {k}")
    centred = centred_sets([unit(group) for group in attributes])
    if not np.isfinite(centred).all():
        return np.full((1, centred.shape[1]), np.nan)
    _, lengths, components = np.linalg.svd(centred, full_matrices=False)
    components = components[:k][lengths[:k] > ZERO * max(1.0, lengths.max(initial=0.0))]
    means = mean_units(attributes)
    towards = components @ (means[0] - means[1:].mean(axis=0))
    return np.where(towards < 0, -1.0, 1.0)[:, None] * components


def principal_growing(attributes: list[np.ndarray], growth: Growth) -> Iterator[np.ndarray]:
    """For each shuffle the first component (steps, d) of two growing groups' defining sets, its sign at random; NaN
    where they span nothing.

    Centred, a set is ± half the difference of its two words: the component follows from the differences' Gram matrix.
    The groups must grow side by side (`growth.grow` with aligned).
    """
    least = min(map(len, attributes))
    differences = unit(attributes[0][:least]) - unit(attributes[1][:least])
    sizes = np.minimum(growth.sizes.min(axis=1), least)
    for order in growth.orders[0][:, :least]:
        rows = differences[order]
        gram, found = rows @ rows.T, {}
        for size in np.unique(sizes):
            value, vector = eigh(gram[:size, :size], subset_by_index=[size - 1, size - 1])
            found[size] = vector[:, 0] @ rows[:size] / np.sqrt(value[0]) if value[0] > 2 * ZERO**2 else np.nan
        yield np.stack([found[size] + np.zeros(rows.shape[1]) for size in sizes])


def centred_sets(groups: list[np.ndarray]) -> np.ndarray:
    """Words of the defining sets less their set's mean: (number of words with a partner, d)."""
    rows = []
    for i in range(max(len(group) for group in groups)):
        words = np.stack([group[i] for group in groups if len(group) > i])
        if len(words) > 1:
            rows.append(words - words.mean(axis=0))
    return np.concatenate(rows) if rows else np.empty((0, groups[0].shape[1]))
