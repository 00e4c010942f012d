"""Bias directions: differences of group means with their Gram–Schmidt basis, and principal components.

Directions between identical groups are omitted; a NaN in a group makes all directions NaN.
"""

from collections.abc import Callable, Iterator
from functools import partial

import numpy as np
from scipy.linalg import eigh

from biassay.statistics.caching import cached
from biassay.statistics.geometry import ZERO, mean_units, unit
from biassay.statistics.growth import Growth

CONTRASTS = ("pairwise", "one_against_rest")


def orthonormal(directions: np.ndarray) -> np.ndarray:
    """Compute the Gram–Schmidt basis of directions (k, d), without dependent ones (same-2021 eq 38–40)."""
    if not np.isfinite(directions).all():
        return np.full((1, directions.shape[1]), np.nan)
    basis = np.empty((0, directions.shape[1]))
    for direction in directions:
        remainder = direction - basis.T @ (basis @ direction)
        remainder -= basis.T @ (basis @ remainder)  # the second pass removes rounding errors
        length = np.linalg.norm(remainder)
        if length > ZERO:
            basis = np.vstack([basis, remainder / length])
    return basis


@cached
def group_basis(groups: list[np.ndarray]) -> np.ndarray:
    """Compute an orthonormal basis of the bias space, spanned by all â_i − â_0: at most n_groups − 1 rows (d,)."""
    means = mean_units(groups)
    return orthonormal(means[1:] - means[0])


def contrasts(groups: list[np.ndarray], contrast: str = "pairwise") -> dict[tuple[int, int | None], np.ndarray]:
    """Compute unit directions (d,) between groups.

    Keys are (i, j) for â_i − â_j with i < j ("pairwise"), or (i, None) for â_i minus â of the union of the others
    ("one_against_rest"). Two groups have one direction, (0, 1). Directions of length 0 are omitted.
    """
    if contrast not in CONTRASTS:
        raise ValueError(f"contrast: unknown value {contrast!r}; expected one of: {', '.join(CONTRASTS)}")
    means = mean_units(groups)
    n = len(means)
    if n == 2 or contrast == "pairwise":
        directions = {(i, j): means[i] - means[j] for i in range(n) for j in range(i + 1, n)}
    else:
        sizes = [len(group) for group in groups]
        rests = [np.average(np.delete(means, i, axis=0), axis=0, weights=np.delete(sizes, i)) for i in range(n)]
        directions = {(i, None): means[i] - rests[i] for i in range(n)}
    lengths = {key: np.linalg.norm(direction) for key, direction in directions.items()}
    return {key: directions[key] / lengths[key] for key in directions if not lengths[key] <= ZERO}


@partial(cached, max_size=100_000)
def principal_components(
    groups: list[np.ndarray], n_directions: int | None = None, normalize: bool = True
) -> np.ndarray:
    """Compute the first principal components of the centred defining sets (same-2021 §2.2.3; same-2024 eq 25).

    The i-th defining set contains the i-th words of all groups (m_i, d), unit vectors if `normalize`; words without a
    partner do not count. The components (k, d) are orthonormal and point towards the first group. k is at most
    n_directions, by default the number of groups minus 1, and limited by the dimensions that the sets span; 0 for
    identical groups.
    """
    n_directions = len(groups) - 1 if n_directions is None else n_directions
    if n_directions < 1:
        raise ValueError(f"n_directions: expected an integer ≥ 1, got {n_directions}")
    words = [unit(group) if normalize else np.asarray(group, np.float64) for group in groups]
    centred = centre_defining_sets(words)
    if not np.isfinite(centred).all():
        return np.full((1, centred.shape[1]), np.nan)
    _, lengths, components = np.linalg.svd(centred, full_matrices=False)
    components = components[:n_directions][lengths[:n_directions] > ZERO * max(1.0, lengths.max(initial=0.0))]
    means = np.array([group.mean(axis=0) for group in words])
    towards = components @ (means[0] - means[1:].mean(axis=0))
    return np.where(towards < 0, -1.0, 1.0)[:, None] * components


def growing_principal_component(groups: list[np.ndarray], growth: Growth) -> np.ndarray:
    """Compute the first components (n_shuffles, steps, d) of two growing groups, with an arbitrary sign.

    A centred set is ± half the difference of its two words, so the component follows from the Gram matrix of the
    differences. NaN if the sets span no dimension.
    """
    if "components" not in growth.cache:
        first, second = map(unit, groups)
        growth.cache["components"] = np.stack([_components(*part) for part in _pairs_growing(first, second, growth)])
    return growth.cache["components"]


def _components(rows: np.ndarray, sizes: np.ndarray) -> np.ndarray:
    """Compute the first components of the first rows (n, d) for each size: (steps, d)."""
    gram, components = rows @ rows.T, {}
    if not np.isfinite(gram).all():
        return np.full((len(sizes), rows.shape[1]), np.nan)
    for size in np.unique(sizes):
        value, vector = eigh(gram[:size, :size], subset_by_index=[size - 1, size - 1], check_finite=False)
        components[size] = vector[:, 0] @ rows[:size] / np.sqrt(value[0]) if value[0] > 2 * ZERO**2 else np.nan
    return np.stack([components[size] + np.zeros(rows.shape[1]) for size in sizes])


def pair_mean(groups: list[np.ndarray]) -> np.ndarray:
    """Compute the mean (d,) of (a − b)/‖a − b‖ over pairs of two groups' i-th words (Ethayarajh et al. 2019; WEFE).

    Vectors are not normalised. Pairs of equal vectors are ignored; NaN if there are no others.
    """
    if len(groups) != 2:
        raise ValueError(f"pairs: expected 2 groups, got {len(groups)}")
    n_pairs = min(map(len, groups))
    first, second = (np.asarray(group[:n_pairs], np.float64) for group in groups)
    return _mean_directions(first - second, np.array([n_pairs]))[0]


def growing_pair_mean(groups: list[np.ndarray], growth: Growth) -> np.ndarray:
    """Compute `pair_mean` of two growing groups: (n_shuffles, steps, d)."""
    first, second = (np.asarray(group, np.float64) for group in groups)
    return np.stack([_mean_directions(*part) for part in _pairs_growing(first, second, growth)])


def _pairs_growing(first: np.ndarray, second: np.ndarray, growth: Growth) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Compute, for each shuffle, the differences (n_pairs, d) of the i-th words, and the pairs at each step."""
    n_pairs = min(order.shape[1] for order in growth.shuffles)
    sizes = growth.sizes.min(axis=1)
    for one, other in zip(*growth.shuffles, strict=True):
        yield first[one[:n_pairs]] - second[other[:n_pairs]], sizes


def _mean_directions(differences: np.ndarray, sizes: np.ndarray) -> np.ndarray:
    """Compute the means of the first unit rows for each size, without rows of length 0: (steps, d)."""
    lengths = np.linalg.norm(differences, axis=1, keepdims=True)
    is_usable = ~(lengths <= ZERO)
    units = np.divide(differences, lengths, out=np.zeros_like(differences), where=is_usable)
    counts = np.cumsum(is_usable)[sizes - 1][:, None]
    return np.cumsum(units, axis=0)[sizes - 1] / np.where(counts > 0, counts, np.nan)


def draw_pairings(groups: list[np.ndarray], n_pairings: int, seed: int | tuple) -> Iterator[list[np.ndarray]]:
    """Shuffle each group (m_i, d) independently, so that the i-th words form random pairs."""
    random = np.random.default_rng(seed)
    for _ in range(n_pairings):
        yield [group[random.permutation(len(group))] for group in groups]


def measure_pairings(
    measure: Callable[[list[np.ndarray]], np.ndarray], groups: list[np.ndarray], n_pairings: int | None, seed: int
) -> np.ndarray:
    """Stack the values (n,) of random pairings of the groups, or of the groups as they are: (n_pairings or 1, n)."""
    pairings = draw_pairings(groups, n_pairings, seed) if n_pairings else [groups]
    return np.stack([measure(paired) for paired in pairings])


def centre_defining_sets(groups: list[np.ndarray]) -> np.ndarray:
    """Subtract from each word the mean of its defining set: (number of words with a partner, d)."""
    rows = []
    for i in range(max(len(group) for group in groups)):
        words = np.stack([group[i] for group in groups if len(group) > i])
        if len(words) > 1:
            rows.append(words - words.mean(axis=0))
    return np.concatenate(rows) if rows else np.empty((0, groups[0].shape[1]))
