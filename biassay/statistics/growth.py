"""Growing random subsets of word lists, as in Bias Silhouette Analysis."""

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

BATCH = 1000  # shuffles of a single step at a time, to limit memory


@dataclass(frozen=True)
class Growth:
    """Growing subsets: the first sizes[t, i] words of list i in the order of a shuffle."""

    shuffles: list[np.ndarray]  # for each list, permutations of its m_i words, (n_shuffles, m_i)
    sizes: np.ndarray  # (steps, n_lists)
    cache: dict = field(default_factory=dict)  # what a metric computed from the growing lists alone, for other inputs
    seed: tuple[int, ...] = (1,)  # for further random choices per shuffle

    @property
    def n_shuffles(self) -> int:
        return len(self.shuffles[0])

    @property
    def n_words(self) -> np.ndarray:
        """Number of words in all lists at each step: (steps,)."""
        return self.sizes.sum(axis=1)

    def subset(self, shuffle: int, step: int) -> list[np.ndarray]:
        """Return the words of each list in a subset, as numbers in the list."""
        return [order[shuffle, :size] for order, size in zip(self.shuffles, self.sizes[step], strict=True)]

    def select_shuffle(self, shuffle: int) -> "Growth":
        """Return a single shuffle."""
        return Growth([order[[shuffle]] for order in self.shuffles], self.sizes)

    def means(self, arrays: list[np.ndarray]) -> Iterator[list[np.ndarray]]:
        """Compute, for each shuffle, the means (steps, …) of the rows (m_i, …) of growing lists, in float64."""
        arrays = [np.asarray(array, np.float64) for array in arrays]
        if len(self.sizes) == 1:
            yield from self._means_of_one_step(arrays)
            return
        for shuffle in range(self.n_shuffles):
            yield [
                _means(array[order[shuffle, : sizes.max()]], sizes)
                for array, order, sizes in zip(arrays, self.shuffles, self.sizes.T, strict=True)
            ]

    def _means_of_one_step(self, arrays: list[np.ndarray]) -> Iterator[list[np.ndarray]]:
        """Compute the means of a single step for many shuffles at once, as in permutation tests."""
        for begin in range(0, self.n_shuffles, BATCH):
            batch = [
                order[begin : begin + BATCH, :size] for order, size in zip(self.shuffles, self.sizes[0], strict=True)
            ]
            means = [_sums(array, shuffles) / shuffles.shape[1] for array, shuffles in zip(arrays, batch, strict=True)]
            yield from ([mean[None] for mean in lists] for lists in zip(*means, strict=True))


def _sums(array: np.ndarray, shuffles: np.ndarray) -> np.ndarray:
    """Sum rows (m, …) in the order of shuffles (n, size), one after another as cumsum does: (n, …)."""
    sums = array[shuffles[:, 0]]
    for rows in shuffles.T[1:]:
        sums += array[rows]
    return sums


def _means(rows: np.ndarray, sizes: np.ndarray) -> np.ndarray:
    """Compute the means of the first rows for each size."""
    return np.cumsum(rows, axis=0)[sizes - 1] / sizes.reshape(-1, *[1] * (rows.ndim - 1))


def grow(sizes: list[int], step: int, n_shuffles: int, seed: list[int], *, aligned: bool = False) -> Growth:
    """Shuffle lists and determine the sizes of their growing subsets.

    All lists together take `step` words at a time, in equal shares until they are exhausted. Subsets are random, and
    the i-th words of two lists form random pairs, unless `aligned` lists, which are equally long, share their shuffles.
    The same seed and sizes give the same shuffles.
    """
    share = step // len(sizes)
    if share * len(sizes) != step or not share:
        raise ValueError(f"step: expected a positive multiple of {len(sizes)}, the number of lists, got {step}")
    if share > min(sizes):
        raise ValueError(f"step: expected at most {min(sizes)} words per list, the shortest list, got {share}")
    if aligned and len(set(sizes)) > 1:
        raise ValueError(f"aligned: expected lists of equal length, got {sizes}")
    random = np.random.default_rng(seed)
    if aligned:
        shuffles = [_permutations(random, n_shuffles, sizes[0])] * len(sizes)
    else:
        shuffles = [_permutations(random, n_shuffles, size) for size in sizes]
    grown = share * np.arange(1, -(-max(sizes) // share) + 1)
    return Growth(shuffles, np.minimum(grown[:, None], sizes), seed=tuple(seed))


def _permutations(random: np.random.Generator, n: int, size: int) -> np.ndarray:
    return random.permuted(np.tile(np.arange(size), (n, 1)), axis=1)
