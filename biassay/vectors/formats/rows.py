"""The rows that a reader of word vectors collects: those of wanted words, and random ones."""

import logging
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise

import numpy as np

from biassay.core import arrays

LOG = logging.getLogger(__name__)
CHUNK = 1 << 16  # rows drawn at a time
CONCEPT = "/c/"  # prefix of the keys of Numberbatch, before the code of a language
IN_ORDER = 0.97  # share of neighbouring words in alphabetical order that frequency order never reaches


class Sample:
    """Random row numbers, from 0: row r with probability min(1, density / (r + 1)).

    All orders of magnitude get equally many rows, thus frequent and rare words if rows are sorted by frequency: about
    density · (1 + ln(n / density)) of n rows. The sample depends only on the seed, not on how rows are read. After
    `flatten`, all rows have the same probability, as needed for alphabetical order.
    """

    def __init__(self, density: float, seed: int):
        self.density, self.probability = density, None
        self._random = np.random.default_rng(seed)
        self._n_decided, self._rows = 0, set()

    def flatten(self, n: int) -> None:
        """Give all of n rows the same probability, for about as many rows."""
        self.probability = min(1.0, self.density * (1 + np.log(max(1.0, n / self.density))) / max(1, n))

    def __contains__(self, row: int) -> bool:
        while self._n_decided <= row:
            numbers = np.arange(self._n_decided, self._n_decided + CHUNK)
            probability = self.density / (numbers + 1) if self.probability is None else self.probability
            self._rows.update(numbers[self._random.random(CHUNK) < probability].tolist())
            self._n_decided += CHUNK
        return row in self._rows


def is_alphabetical(words: Sequence[str] | Sequence[bytes]) -> bool:
    """Whether words, in the order of the source, are in alphabetical order."""
    return len(words) > 20 and np.mean([a < b for a, b in pairwise(words)]) >= IN_ORDER


class Rows:
    """Words and their vectors: the wanted words, or all, each with its first vector.

    Attributes are the `source` in messages; the `wanted` words, None for all; a `sample` of rows to keep in addition;
    the `prefix` of the language's keys in Numberbatch; `row_numbers` by word, if rows are sampled; `n_rows` of the
    source, None if unknown; numbers `skipped` by reason.
    """

    def __init__(self, source: str, wanted: list[str] | None, sample: Sample | None = None, language: str = "en"):
        self.source, self.wanted, self.sample = source, wanted, sample
        self.prefix = f"{CONCEPT}{language}/"
        self.row_numbers: dict[str, int] = {}
        self.n_rows: int | None = None
        self.skipped: Counter[str] = Counter()
        self._index: dict[str, int] = {}
        self._vectors: np.ndarray | None = None
        self._duplicates: list[str] = []
        self._missing = None if wanted is None else set(wanted)

    @property
    def is_complete(self) -> bool:
        """Whether all wanted words are found, so that reading can stop; never true if rows are sampled."""
        return self._missing is not None and not self._missing and self.sample is None

    def is_sampled(self, row: int | None) -> bool:
        """Whether the row with this number, if known, is sampled."""
        return self.sample is not None and row is not None and row in self.sample

    def is_chosen(self, word: str, row: int | None) -> bool:
        """Whether a word, in the row with this number, if known, is wanted and not yet found, or sampled."""
        return self._missing is None or word in self._missing or self.is_sampled(row)

    def decode(self, word: bytes, *, is_concept: bool = False) -> str | None:
        """Decode a word, or a key of Numberbatch such as /c/en/woman; return None, counted as skipped, for another."""
        try:
            text = word.decode("utf-8")
        except UnicodeDecodeError:
            self.skipped["words that are not UTF-8"] += 1
            return None
        if not text:
            self.skipped["rows without a word"] += 1
            return None
        if is_concept and text.startswith(CONCEPT) and not text.startswith(self.prefix):
            self.skipped[f"words without {self.prefix}"] += 1
            return None
        return text.removeprefix(self.prefix) if is_concept else text

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
        for word in words:
            if not isinstance(word, str):
                raise ValueError(f"{self.source}: expected strings as words, got {word!r}")
        shape = getattr(vectors, "shape", ())
        if len(shape) != 2 or shape[0] != len(words) or vectors.dtype.kind not in "fiu":
            actual = f"{vectors.dtype} of shape {shape}" if hasattr(vectors, "dtype") else type(vectors).__name__
            raise ValueError(f"{self.source}: expected an array of numbers of shape ({len(words)}, d), got {actual}")
        self.n_rows = len(words)
        self.add(list(map(str, words)), vectors, range(len(words)))

    def result(self) -> tuple[list[str], np.ndarray]:
        """Return the words, in wanted order or as read, and their vectors (n, d), float32; log what was skipped.

        Raises ValueError if there are none.
        """
        for reason, number in self.skipped.items():
            LOG.warning("%s: skipped %d %s", self.source, number, reason)
        if self._duplicates:
            text = "%s: skipped %d duplicate words, such as %r; kept the first of each"
            LOG.warning(text, self.source, len(self._duplicates), self._duplicates[0])
        missing = [repr(word) for word in self.wanted or [] if word not in self._index]
        examples = ", ".join(missing[:5]) + (", …" if len(missing) > 5 else "")
        if not self._index and self.wanted is None:
            raise ValueError(f"{self.source}: no word vectors found")
        if not self._index:
            raise ValueError(f"{self.source}: none of the {len(self.wanted)} words was found: {examples}")
        if len(self._vectors) != len(self._index):
            self._vectors.resize((len(self._index), self._vectors.shape[1]), refcheck=False)
        if self.wanted is None:
            return list(self._index), self._vectors
        if missing:
            LOG.warning("%s: %d of %d words are missing: %s", self.source, len(missing), len(self.wanted), examples)
        words = [word for word in self.wanted if word in self._index]
        if self.sample:
            words = list(dict.fromkeys([*words, *self._index]))
        return words, self._vectors[[self._index[word] for word in words]]

    def _register(self, word: str, row_number: int | None) -> bool:
        """Register a new word that is wanted or sampled; return whether it was new."""
        if word in self._index:
            self._duplicates.append(word)
            return False
        if not self.is_chosen(word, row_number):
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
