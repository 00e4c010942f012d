"""Random rows of a source of vectors, drawn by number while it is read."""

from bisect import bisect_left

import numpy as np

CHUNK = 1 << 16  # rows drawn at a time


class Sample:
    """Random row numbers, from 0: row r with probability min(1, density / (r + 1)).

    All orders of magnitude get equally many rows, thus frequent and rare words if rows are sorted by frequency: about
    density · (1 + ln(n / density)) of n rows. The sample depends only on the seed, not on how rows are read. After
    `flatten`, all rows have the same probability, as needed for alphabetical order.
    """

    def __init__(self, density: float, seed: int):
        self.density, self.probability = density, None
        self._random = np.random.default_rng(seed)
        self._rows: list[int] = []
        self._n_decided, self._row_set = 0, set()

    def flatten(self, n: int) -> None:
        """Give all of n rows the same probability, for about as many rows."""
        self.probability = min(1.0, self.density * (1 + np.log(max(1.0, n / self.density))) / max(1, n))

    def rows_between(self, first: int, end: int) -> list[int]:
        """Return the drawn rows from `first` to `end`, exclusive."""
        self._decide(end)
        return self._rows[bisect_left(self._rows, first) : bisect_left(self._rows, end)]

    def __contains__(self, row: int) -> bool:
        self._decide(row + 1)
        return row in self._row_set

    def _decide(self, end: int) -> None:
        while self._n_decided < end:
            numbers = np.arange(self._n_decided, self._n_decided + CHUNK)
            probability = self.density / (numbers + 1) if self.probability is None else self.probability
            rows = numbers[self._random.random(CHUNK) < probability].tolist()
            self._rows += rows
            self._row_set.update(rows)
            self._n_decided += CHUNK
