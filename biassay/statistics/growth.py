"""Growing random subsets of word lists, as in Bias Silhouette Analysis."""

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from biassay.statistics.intervals import count_cases

BLOCK = 1 << 18  # values of words held at a time


@dataclass(frozen=True)
class Growth:
    """Growing subsets: the first sizes[t, i] words of list i in the order of a shuffle."""

    shuffles: list[np.ndarray]  # for each list, permutations of its m_i words, (n_shuffles, m_i)
    sizes: np.ndarray  # (steps, n_lists)
    cache: dict = field(default_factory=dict)  # what a metric computed from the growing lists alone, for other inputs
    seed: tuple[int, ...] = (1,)  # for further random choices per shuffle
    drawn: np.ndarray | None = None  # words that do not grow, drawn for each shuffle (n_shuffles, n); None: all of them

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
        drawn = None if self.drawn is None else self.drawn[[shuffle]]
        return Growth([order[[shuffle]] for order in self.shuffles], self.sizes, drawn=drawn)

    def blocks(self, width: int) -> Iterator["Growth"]:
        """Cut the shuffles into blocks for which `width` values of each subset fit into memory."""
        n = max(1, BLOCK // (width * len(self.sizes)))
        if ("blocks", n) not in self.cache:
            self.cache["blocks", n] = [
                Growth([order[start : start + n] for order in self.shuffles], self.sizes, seed=self.seed,
                       drawn=None if self.drawn is None else self.drawn[start : start + n])
                for start in range(0, self.n_shuffles, n)
            ]  # fmt: skip
        yield from self.cache["blocks", n]

    def means(self, arrays: list[np.ndarray]) -> list[np.ndarray]:
        """Compute the means (n_shuffles, steps, …) of the rows (m_i, …) of growing lists, in float64."""
        return [
            _means(np.asarray(array, np.float64), order, sizes)
            for array, order, sizes in zip(arrays, self.shuffles, self.sizes.T, strict=True)
        ]

    def draw(self, values: np.ndarray) -> np.ndarray:
        """Select, from values (n_shuffles, steps, m) of the words that do not grow, those drawn for each shuffle."""
        return values if self.drawn is None else np.take_along_axis(values, self.drawn[:, None], axis=-1)


def _means(array: np.ndarray, order: np.ndarray, sizes: np.ndarray) -> np.ndarray:
    """Compute the means of the first rows of every shuffle for each size; of a single size as a matrix product."""
    width, n = array.shape[1:], len(order)
    if len(sizes) == 1 and width and np.isfinite(array).all():
        counts = count_cases(order[:, : sizes[0]], len(array))
        return (counts @ array.reshape(len(array), -1) / sizes[0]).reshape(n, 1, *width)
    return np.cumsum(array[order[:, : sizes.max()]], axis=1)[:, sizes - 1] / sizes.reshape(-1, *[1] * len(width))


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
