"""Collection of the rows that a reader of word vectors finds."""

import logging
from collections import Counter
from collections.abc import Iterable, Sequence

import numpy as np

from biassay.core import arrays
from biassay.vectors.formats.sample import Sample

LOG = logging.getLogger(__name__)


class Rows:
    """Words and their vectors: the wanted words, or all, each with its first vector.

    Attributes
    ----------
    source
        Name of the source in messages.
    wanted
        Words to keep; None for all.
    sample
        Row numbers to keep in addition, whatever their word; None for none.
    row_numbers
        Row number of each word in the source, if rows are sampled.
    n_rows
        Number of rows of the source; None if unknown.
    skipped
        Number of skipped rows by reason.
    """

    def __init__(self, source: str, wanted: list[str] | None, sample: Sample | None = None):
        self.source, self.wanted, self.sample = source, wanted, sample
        self.row_numbers: dict[str, int] = {}
        self.n_rows: int | None = None
        self.skipped: Counter[str] = Counter()
        self._index: dict[str, int] = {}
        self._vectors: np.ndarray | None = None
        self._n_duplicates, self._first_duplicate = 0, ""
        self._missing = None if wanted is None else set(wanted)

    @property
    def is_complete(self) -> bool:
        """Whether all wanted words are found, so that reading can stop; never true if rows are sampled."""
        return self._missing is not None and not self._missing and self.sample is None

    def is_sampled(self, row: int) -> bool:
        """Whether the row with this number is sampled."""
        return self.sample is not None and row in self.sample

    def is_wanted(self, word: str) -> bool:
        """Whether a word is wanted, found or not."""
        return self.wanted is None or word in self._missing or word in self._index

    def add(self, words: Sequence[str | None], vectors: np.ndarray, row_numbers: Iterable[int] = ()) -> None:
        """Add the new words that are wanted or sampled, with their vectors.

        `words` (n) has None for a row without a word; `vectors` is (n, d); `row_numbers` (n) is needed for samples.
        """
        if not len(words):
            return
        if vectors.shape[1] == 0:
            raise ValueError(f"{self.source}: expected vectors of one dimension or more, got none")
        numbers = list(row_numbers) if self.sample else [None] * len(words)
        new = [row for row, word in enumerate(words) if word is not None and self._register(word, numbers[row])]
        vectors = vectors if len(new) == len(words) else vectors[new]
        with np.errstate(over="ignore"):
            vectors = np.asarray(vectors, dtype=np.float32)
        finite = np.isfinite(vectors).all(axis=1)
        if not finite.all():
            word = words[new[int(np.argmin(finite))]]
            raise ValueError(f"{self.source}: the vector of {word!r} has a value that is not finite (NaN or infinite)")
        self._append(vectors)

    def add_table(self, words: Sequence[str], vectors: np.ndarray) -> None:
        """Add the wanted and sampled rows of a whole table of words (n) and vectors (n, d)."""
        arrays.check_unmasked(self.source, vectors)
        words = [str(word) if isinstance(word, str) else word for word in words]
        for word in words:
            if not isinstance(word, str):
                raise ValueError(f"{self.source}: expected strings as words, got {word!r}")
        shape = getattr(vectors, "shape", ())
        if len(shape) != 2 or shape[0] != len(words) or vectors.dtype.kind not in "fiu":
            actual = (
                f"{vectors.dtype} of shape {vectors.shape}" if hasattr(vectors, "shape") else type(vectors).__name__
            )
            raise ValueError(f"{self.source}: expected an array of numbers of shape ({len(words)}, d), got {actual}")
        self.n_rows = len(words)
        if self.wanted is None:
            self.add(words, vectors, range(len(words)))
        else:
            selected = [row for row, word in enumerate(words) if self.is_wanted(word) or self.is_sampled(row)]
            self.add([words[row] for row in selected], vectors[selected], selected)

    def result(self) -> tuple[list[str], np.ndarray]:
        """Return the words, in wanted order or as read, and their vectors (n, d), float32; log what was skipped.

        Raises ValueError if there are none.
        """
        for reason, number in self.skipped.items():
            LOG.warning("%s: skipped %d %s", self.source, number, reason)
        if self._n_duplicates:
            LOG.warning(
                "%s: skipped %d duplicate words, such as %r; kept the first of each",
                self.source, self._n_duplicates, self._first_duplicate,
            )  # fmt: skip
        if not self._index:
            if self.wanted is None:
                raise ValueError(f"{self.source}: no word vectors found")
            raise ValueError(
                f"{self.source}: none of the {len(self.wanted)} words was found: {self._missing_examples()}"
            )
        if self._vectors.shape[0] != len(self._index):
            self._vectors.resize((len(self._index), self._vectors.shape[1]), refcheck=False)
        if self.wanted is None:
            return list(self._index), self._vectors
        n_missing = sum(word not in self._index for word in self.wanted)
        if n_missing:
            LOG.warning(
                "%s: %d of %d words are missing: %s",
                self.source, n_missing, len(self.wanted), self._missing_examples(),
            )  # fmt: skip
        words = [word for word in self.wanted if word in self._index]
        if self.sample:
            wanted = set(words)
            words += [word for word in self._index if word not in wanted]
        return words, self._vectors[[self._index[word] for word in words]]

    def _register(self, word: str, row_number: int | None) -> bool:
        """Register a new word that is wanted or sampled; return whether it was new."""
        if not self.is_wanted(word) and not (row_number is not None and row_number in self.sample):
            return False
        if word in self._index:
            self._first_duplicate = self._first_duplicate if self._n_duplicates else word
            self._n_duplicates += 1
            return False
        self._index[word] = len(self._index)
        if row_number is not None:
            self.row_numbers[word] = int(row_number)
        if self._missing is not None:
            self._missing.discard(word)
        return True

    def _append(self, vectors: np.ndarray) -> None:
        """Append vectors; the array grows in place, so that memory stays near its size."""
        end = len(self._index)
        if self._vectors is None:
            self._vectors = np.empty((end, vectors.shape[1]), np.float32)
        elif end > len(self._vectors):
            self._vectors.resize((max(end, len(self._vectors) * 5 // 4), vectors.shape[1]), refcheck=False)
        self._vectors[end - len(vectors) : end] = vectors

    def _missing_examples(self) -> str:
        """Name the first few missing words."""
        missing = [repr(word) for word in self.wanted if word not in self._index]
        return ", ".join(missing[:5]) + (", …" if len(missing) > 5 else "")
