"""Random rows of a source of vectors, chosen by their numbers while it is read."""

from bisect import bisect_left

import numpy as np

CHUNK = 1 << 16  # rows decided on at a time


class Sample:
    """Which rows, numbered from 0, are drawn: row r with the chance min(1, density / (r + 1)).

    So there are as many of every order of magnitude: where the order of rows is that of frequency, rare and frequent
    words alike; about density · (1 + ln(n / density)) of n rows. The choice hangs on the seed only, not on how the
    rows are read. With `flatten`, all have the same chance, as for words in alphabetical order.
    """

    def __init__(self, density: float, seed: int):
        self.density, self.share = density, None
        self._random = np.random.default_rng(seed)
        self._rows: list[int] = []
        self._known, self._drawn = 0, set()

    def flatten(self, n: int) -> None:
        """Give all of n rows the same chance, for about as many rows."""
        self.share = min(1.0, self.density * (1 + np.log(max(1.0, n / self.density))) / max(1, n))

    def among(self, first: int, end: int) -> list[int]:
        """The rows drawn from `first` on and before `end`."""
        self._decide(end)
        return self._rows[bisect_left(self._rows, first) : bisect_left(self._rows, end)]

    def __contains__(self, row: int) -> bool:
        self._decide(row + 1)
        return row in self._drawn

    def _decide(self, end: int) -> None:
        while self._known < end:
            numbers = np.arange(self._known, self._known + CHUNK)
            chance = self.density / (numbers + 1) if self.share is None else self.share
            found = numbers[self._random.random(CHUNK) < chance].tolist()
            self._rows += found
            self._drawn.update(found)
            self._known += CHUNK
