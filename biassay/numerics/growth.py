"""Word lists that grow in seeded orders, as Bias Silhouette Analysis has them: n shuffles, one size after another."""

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

TOGETHER = 1000  # shuffles of a single step, few enough for little memory


@dataclass(frozen=True)
class Growth:
    """Subsets that grow: the first sizes[t, i] words of list i in the order of a shuffle.

    orders: for each list an array (n, m_i), a permutation of the list's m_i words a shuffle. sizes: (steps, lists).
    cache: what a metric computed from the growing lists alone, for other questions about them. seed: for what else is
    drawn for every shuffle.
    """

    shuffles: list[np.ndarray]
    sizes: np.ndarray
    cache: dict = field(default_factory=dict)
    seed: tuple[int, ...] = (1,)

    @property
    def n_shuffles(self) -> int:
        """Number n of shuffles."""
        return len(self.shuffles[0])

    @property
    def n_words(self) -> np.ndarray:
        """Words k in all lists together at each step: (steps,)."""
        return self.sizes.sum(axis=1)

    def subset(self, shuffle: int, step: int) -> list[np.ndarray]:
        """Words of each list in a subset, as numbers in the list."""
        return [order[shuffle, :size] for order, size in zip(self.shuffles, self.sizes[step], strict=True)]

    def select_shuffle(self, shuffle: int) -> "Growth":
        """One of the shuffles."""
        return Growth([order[[shuffle]] for order in self.shuffles], self.sizes)

    def means(self, arrays: list[np.ndarray]) -> Iterator[list[np.ndarray]]:
        """For each shuffle, the means (steps, …) of the growing lists' rows (m_i, …), in float64."""
        arrays = [np.asarray(array, np.float64) for array in arrays]
        if len(self.sizes) == 1:
            yield from self._of_one_size(arrays)
            return
        for shuffle in range(self.n_shuffles):
            yield [
                _means(array[order[shuffle, : sizes.max()]], sizes)
                for array, order, sizes in zip(arrays, self.shuffles, self.sizes.T, strict=True)
            ]

    def _of_one_size(self, arrays: list[np.ndarray]) -> Iterator[list[np.ndarray]]:
        """The same of a single step, for many shuffles at a time, as in permutation tests."""
        for begin in range(0, self.n_shuffles, TOGETHER):
            together = [
                order[begin : begin + TOGETHER, :size] for order, size in zip(self.shuffles, self.sizes[0], strict=True)
            ]
            found = [
                _sums(array, shuffles) / shuffles.shape[1] for array, shuffles in zip(arrays, together, strict=True)
            ]
            yield from ([mean[None] for mean in means] for means in zip(*found, strict=True))


def _sums(array: np.ndarray, shuffles: np.ndarray) -> np.ndarray:
    """Sums of the rows (m, …) in orders (n, size), added one after another as cumsum does: (n, …)."""
    sums = array[shuffles[:, 0]]
    for rows in shuffles.T[1:]:
        sums += array[rows]
    return sums


def _means(rows: np.ndarray, sizes: np.ndarray) -> np.ndarray:
    """Means of the first rows, for each size."""
    return np.cumsum(rows, axis=0)[sizes - 1] / sizes.reshape(-1, *[1] * (rows.ndim - 1))


def grow(sizes: list[int], step: int, n_shuffles: int, seed: list[int], *, aligned: bool = False) -> Growth:
    """Orders and sizes for lists of `sizes` words that take `step` words together at a time, an equal share each, until
    they are exhausted; the longer then goes on alone.

    Every list is shuffled whole: the words of a size are a random subset of it, and the i-th words of two lists a
    random pair. `aligned`: words of the same number stay side by side, in an order that the lists share. The same seed
    and sizes give the same orders. Raises ValueError for a step that cannot be shared equally or exceeds a list, and
    for aligned lists of unequal length.
    """
    share = step // len(sizes)
    if share * len(sizes) != step or not share:
        raise ValueError(f"step: {step} words cannot be shared equally by {len(sizes)} lists")
    if share > min(sizes):
        raise ValueError(f"step: takes {share} words a list at a time, but a list has {min(sizes)} that can be used")
    if aligned and len(set(sizes)) > 1:
        raise ValueError(f"aligned: lists side by side are equally long, but these have {sizes} words")
    random = np.random.default_rng(seed)
    if aligned:
        shuffles = [_permutations(random, n_shuffles, sizes[0])] * len(sizes)
    else:
        shuffles = [_permutations(random, n_shuffles, size) for size in sizes]
    grown = share * np.arange(1, -(-max(sizes) // share) + 1)
    return Growth(shuffles, np.minimum(grown[:, None], sizes), seed=tuple(seed))


def _permutations(random: np.random.Generator, n: int, size: int) -> np.ndarray:
    return random.permuted(np.tile(np.arange(size), (n, 1)), axis=1)
