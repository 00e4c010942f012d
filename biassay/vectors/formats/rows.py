"""The rows that a reader of word vectors collects: the wanted words, each once, with one report at the end."""

import logging
from collections import Counter
from collections.abc import Iterable, Sequence

import numpy as np

from biassay.support import arrays
from biassay.vectors.formats.sample import Sample

LOG = logging.getLogger(__name__)


class Rows:
    """Words and their vectors, the first of each word; only those in `wanted` unless it is None.

    source: the name for messages. skipped: how often something was left out, by reason, for the report. sample: rows
    that are kept too, whatever their word; then `places` has the number of each word's row, and `total` how many rows
    the source has (None: it was not told).
    """

    def __init__(self, source: str, wanted: list[str] | None, sample: Sample | None = None):
        self.source, self.wanted, self.sample = source, wanted, sample
        self.places: dict[str, int] = {}
        self.total: int | None = None
        self.skipped: Counter[str] = Counter()
        self._numbers: dict[str, int] = {}
        self._vectors: np.ndarray | None = None
        self._repeats, self._repeated = 0, ""  # words that stood there before: how many, and the first of them
        self._open = None if wanted is None else set(wanted)

    @property
    def complete(self) -> bool:
        """Whether every wanted word is found, so that reading can stop; never where rows are sampled."""
        return self._open is not None and not self._open and self.sample is None

    def draws(self, row: int) -> bool:
        """Whether the row of this number is sampled."""
        return self.sample is not None and row in self.sample

    def wants(self, word: str) -> bool:
        """Whether the word is wanted, found already or not."""
        return self.wanted is None or word in self._open or word in self._numbers

    def add(self, words: Sequence[str | None], vectors: np.ndarray, places: Iterable[int] = ()) -> None:
        """Keep those of `words` (n) and `vectors` (n, d) that are wanted or sampled, and new; None stands for no word.

        places: the numbers of their rows in the source, needed where rows are sampled.
        """
        if not len(words):
            return
        if vectors.shape[1] == 0:
            raise ValueError(f"{self.source}: has vectors of no dimension")
        numbers = list(places) if self.sample else [None] * len(words)
        kept = [row for row, word in enumerate(words) if word is not None and self._new(word, numbers[row])]
        vectors = vectors if len(kept) == len(words) else vectors[kept]
        with np.errstate(over="ignore"):
            vectors = np.asarray(vectors, dtype=np.float32)
        finite = np.isfinite(vectors).all(axis=1)
        if not finite.all():
            word = words[kept[int(np.argmin(finite))]]
            raise ValueError(f"{self.source}: the vector of {word!r} has a value that is not finite (NaN or infinite)")
        self._append(vectors)

    def table(self, words: Sequence[str], vectors: np.ndarray) -> None:
        """Keep what is wanted of a whole table: words (n), vectors (n, d), of which only these rows are read."""
        arrays.check_unmasked(self.source, vectors)
        words = [str(word) if isinstance(word, str) else word for word in words]
        for word in words:
            if not isinstance(word, str):
                raise ValueError(f"{self.source}: has the word {word!r}, which is no string")
        shape = getattr(vectors, "shape", ())
        if len(shape) != 2 or shape[0] != len(words) or vectors.dtype.kind not in "fiu":
            has = f"{vectors.dtype} of shape {vectors.shape}" if hasattr(vectors, "shape") else type(vectors).__name__
            raise ValueError(f"{self.source}: needs an array of numbers (words, d), {len(words)} words; has {has}")
        self.total = len(words)
        if self.wanted is None:
            self.add(words, vectors, range(len(words)))
        else:
            chosen = [row for row, word in enumerate(words) if self.wants(word) or self.draws(row)]
            self.add([words[row] for row in chosen], vectors[chosen], chosen)

    def result(self) -> tuple[list[str], np.ndarray]:
        """The words, in the order wanted or else as read, and their vectors (n, d) float32; logs what was left out.

        Raises ValueError if there is none.
        """
        for reason, number in self.skipped.items():
            LOG.warning("%s: skipped %d %s", self.source, number, reason)
        if self._repeats:
            LOG.warning(
                "%s: %d words that stood there before, such as %r; the first of each is kept",
                self.source, self._repeats, self._repeated,
            )  # fmt: skip
        if not self._numbers:
            if self.wanted is None:
                raise ValueError(f"{self.source}: has no word vectors")
            raise ValueError(f"{self.source}: has none of the {len(self.wanted)} words wanted, such as {self._some()}")
        if self._vectors.shape[0] != len(self._numbers):
            self._vectors.resize((len(self._numbers), self._vectors.shape[1]), refcheck=False)
        if self.wanted is None:
            return list(self._numbers), self._vectors
        lacking = [word for word in self.wanted if word not in self._numbers]
        if lacking:
            LOG.warning(
                "%s: lacks %d of %d words wanted: %s", self.source, len(lacking), len(self.wanted), self._some()
            )
        words = [word for word in self.wanted if word in self._numbers]
        if self.sample:
            known = set(words)
            words += [word for word in self._numbers if word not in known]
        return words, self._vectors[[self._numbers[word] for word in words]]

    def _new(self, word: str, place: int | None) -> bool:
        """Give the word its row unless it has one, or is neither wanted nor sampled."""
        if not self.wants(word) and not (place is not None and place in self.sample):
            return False
        if word in self._numbers:
            self._repeated = self._repeated if self._repeats else word
            self._repeats += 1
            return False
        self._numbers[word] = len(self._numbers)
        if place is not None:
            self.places[word] = int(place)
        if self._open is not None:
            self._open.discard(word)
        return True

    def _append(self, vectors: np.ndarray) -> None:
        """Write vectors behind the others; the array grows where it lies, so that memory stays near its size."""
        end = len(self._numbers)
        if self._vectors is None:
            self._vectors = np.empty((end, vectors.shape[1]), np.float32)
        elif end > len(self._vectors):
            self._vectors.resize((max(end, len(self._vectors) * 5 // 4), vectors.shape[1]), refcheck=False)
        self._vectors[end - len(vectors) : end] = vectors

    def _some(self) -> str:
        """The first few words that are wanted and not found."""
        lacking = [repr(word) for word in self.wanted if word not in self._numbers]
        return ", ".join(lacking[:5]) + (", …" if len(lacking) > 5 else "")
