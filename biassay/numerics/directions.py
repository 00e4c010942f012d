"""Bias directions: differences of group means with their Gram–Schmidt basis, and principal components.

A direction that does not exist, since groups coincide, is left out; a NaN in an attribute makes every direction NaN.
"""

from collections.abc import Iterator

import numpy as np
from scipy.linalg import eigh

from biassay.numerics.caching import cached
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


@cached
def group_basis(groups: list[np.ndarray]) -> np.ndarray:
    """Orthonormal basis of the bias space spanned by â_i − â_0: (at most n − 1, d)."""
    means = mean_units(groups)
    return orthonormal(means[1:] - means[0])


def contrasts(groups: list[np.ndarray], contrast: str = "pairwise") -> dict[tuple[int, int | None], np.ndarray]:
    """Unit directions (d,) between groups: â_i − â_j for i < j, or â_i less â of the union of the others, as (i, None).

    Two groups have one, (0, 1). Directions of length 0 are left out.
    """
    if contrast not in CONTRASTS:
        raise ValueError(f"contrast: unknown value {contrast!r}; expected one of: {', '.join(CONTRASTS)}")
    means = mean_units(groups)
    n = len(means)
    if n == 2 or contrast == "pairwise":
        found = {(i, j): means[i] - means[j] for i in range(n) for j in range(i + 1, n)}
    else:
        sizes = [len(group) for group in groups]
        rests = [np.average(np.delete(means, i, axis=0), axis=0, weights=np.delete(sizes, i)) for i in range(n)]
        found = {(i, None): means[i] - rests[i] for i in range(n)}
    lengths = {key: np.linalg.norm(direction) for key, direction in found.items()}
    return {key: found[key] / lengths[key] for key in found if not lengths[key] <= ZERO}


@cached
def principal_components(groups: list[np.ndarray], n_directions: int | None = None) -> np.ndarray:
    """First k principal components of the centred defining sets: (at most k, d), orthonormal; k = n − 1 by default.

    The i-th defining set holds the i-th word of every group that has one, unit-normalised; a word without a partner
    says nothing. Components point towards the first group. Fewer than k where the sets span fewer dimensions, none
    where they span nothing (same-2021 §2.2.3; same-2024 eq 25).
    """
    n_directions = len(groups) - 1 if n_directions is None else n_directions
    if n_directions < 1:
        raise ValueError(f"n_directions: expected an integer ≥ 1, got {n_directions}")
    centred = centre_defining_sets([unit(group) for group in groups])
    if not np.isfinite(centred).all():
        return np.full((1, centred.shape[1]), np.nan)
    _, lengths, components = np.linalg.svd(centred, full_matrices=False)
    components = components[:n_directions][lengths[:n_directions] > ZERO * max(1.0, lengths.max(initial=0.0))]
    means = mean_units(groups)
    towards = components @ (means[0] - means[1:].mean(axis=0))
    return np.where(towards < 0, -1.0, 1.0)[:, None] * components


def growing_principal_component(groups: list[np.ndarray], growth: Growth) -> Iterator[np.ndarray]:
    """For each shuffle the first component (steps, d) of two growing groups' defining sets, its sign at random; NaN
    where they span nothing.

    Centred, a set is ± half the difference of its two words: the component follows from the differences' Gram matrix.
    """
    first, second = map(unit, groups)
    for rows, sizes in _pairs_growing(first, second, growth):
        gram, found = rows @ rows.T, {}
        for size in np.unique(sizes):
            value, vector = eigh(gram[:size, :size], subset_by_index=[size - 1, size - 1])
            found[size] = vector[:, 0] @ rows[:size] / np.sqrt(value[0]) if value[0] > 2 * ZERO**2 else np.nan
        yield np.stack([found[size] + np.zeros(rows.shape[1]) for size in sizes])


def pair_mean(groups: list[np.ndarray]) -> np.ndarray:
    """Mean of (a − b)/‖a − b‖ over the pairs of two groups' i-th words, raw vectors: (d,), of length 1 for one pair.

    Pairs of the same vector are left out; NaN where no other is left (Ethayarajh et al. 2019; WEFE).
    """
    if len(groups) != 2:
        raise ValueError(f"pairs are of two groups, not {len(groups)}")
    least = min(map(len, groups))
    first, second = (np.asarray(group[:least], np.float64) for group in groups)
    return _mean_directions(first - second, np.array([least]))[0]


def growing_pair_mean(groups: list[np.ndarray], growth: Growth) -> Iterator[np.ndarray]:
    """For each shuffle `pair_mean` (steps, d) of two growing groups."""
    first, second = (np.asarray(group, np.float64) for group in groups)
    for rows, sizes in _pairs_growing(first, second, growth):
        yield _mean_directions(rows, sizes)


def _pairs_growing(first: np.ndarray, second: np.ndarray, growth: Growth) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """For each shuffle the differences (pairs, d) of the groups' words of the same place, and pairs at each step."""
    least = min(order.shape[1] for order in growth.shuffles)
    sizes = growth.sizes.min(axis=1)
    for one, other in zip(*growth.shuffles, strict=True):
        yield first[one[:least]] - second[other[:least]], sizes


def _mean_directions(differences: np.ndarray, sizes: np.ndarray) -> np.ndarray:
    """Means of the first unit rows, for each size, rows of length 0 left out: (steps, d); NaN where all are."""
    lengths = np.linalg.norm(differences, axis=1, keepdims=True)
    there = ~(lengths <= ZERO)
    units = np.divide(differences, lengths, out=np.zeros_like(differences), where=there)
    counts = np.cumsum(there)[sizes - 1][:, None]
    return np.cumsum(units, axis=0)[sizes - 1] / np.where(counts > 0, counts, np.nan)


def draw_pairings(groups: list[np.ndarray], n_pairings: int, seed: int | tuple) -> Iterator[list[np.ndarray]]:
    """The groups (m_i, d), each in a random order of its own: their i-th words are random pairs."""
    random = np.random.default_rng(seed)
    for _ in range(n_pairings):
        yield [group[random.permutation(len(group))] for group in groups]


def centre_defining_sets(groups: list[np.ndarray]) -> np.ndarray:
    """Words of the defining sets less their set's mean: (number of words with a partner, d)."""
    rows = []
    for i in range(max(len(group) for group in groups)):
        words = np.stack([group[i] for group in groups if len(group) > i])
        if len(words) > 1:
            rows.append(words - words.mean(axis=0))
    return np.concatenate(rows) if rows else np.empty((0, groups[0].shape[1]))
