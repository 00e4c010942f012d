"""Word lists that grow in seeded orders, as Bias Silhouette Analysis has them: n shuffles, one size after another."""

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np


@dataclass(frozen=True)
class Growth:
    """Subsets that grow: the first sizes[t, i] words of list i in the order of a shuffle.

    orders: for each list an array (n, m_i), a permutation of the list's m_i words a shuffle. sizes: (steps, lists).
    kept: what a metric computed from the growing lists alone, for other questions about them.
    """

    orders: list[np.ndarray]
    sizes: np.ndarray
    kept: dict = field(default_factory=dict)

    @property
    def shuffles(self) -> int:
        """Number n of shuffles."""
        return len(self.orders[0])

    @property
    def words(self) -> np.ndarray:
        """Words k in all lists together at each step: (steps,)."""
        return self.sizes.sum(axis=1)

    def subset(self, shuffle: int, step: int) -> list[np.ndarray]:
        """Words of each list in a subset, as numbers in the list."""
        return [order[shuffle, :size] for order, size in zip(self.orders, self.sizes[step], strict=True)]

    def means(self, arrays: list[np.ndarray]) -> Iterator[list[np.ndarray]]:
        """For each shuffle, the means (steps, …) of the growing lists' rows (m_i, …), in float64."""
        arrays = [np.asarray(array, np.float64) for array in arrays]
        for shuffle in range(self.shuffles):
            yield [
                _means(array[order[shuffle]], sizes)
                for array, order, sizes in zip(arrays, self.orders, self.sizes.T, strict=True)
            ]


def _means(rows: np.ndarray, sizes: np.ndarray) -> np.ndarray:
    """Means of the first rows, for each size."""
    return np.cumsum(rows, axis=0)[sizes - 1] / sizes.reshape(-1, *[1] * (rows.ndim - 1))


def grow(sizes: list[int], step: int, shuffles: int, seed: list[int], *, aligned: bool = False) -> Growth:
    """Orders and sizes for lists of `sizes` words that take `step` words together at a time, an equal share each, until
    they are exhausted; the longer then goes on alone.

    `aligned`: words of the same number stay side by side, in an order that the lists share; those beyond the shortest
    list come last. The same seed and sizes give the same orders. Raises ValueError for a step that cannot be shared
    equally or exceeds a list.
    """
    share = step // len(sizes)
    if share * len(sizes) != step or not share:
        raise ValueError(f"step: {step} words cannot be shared equally by {len(sizes)} lists")
    if share > min(sizes):
        raise ValueError(f"step: takes {share} words a list at a time, but a list has {min(sizes)} that can be used")
    random = np.random.default_rng(seed)
    if aligned:
        least = min(sizes)
        common = _permutations(random, shuffles, least)
        orders = [np.hstack([common, least + _permutations(random, shuffles, size - least)]) for size in sizes]
    else:
        orders = [_permutations(random, shuffles, size) for size in sizes]
    grown = share * np.arange(1, -(-max(sizes) // share) + 1)
    return Growth(orders, np.minimum(grown[:, None], sizes))


def _permutations(random: np.random.Generator, n: int, size: int) -> np.ndarray:
    return random.permuted(np.tile(np.arange(size), (n, 1)), axis=1)
