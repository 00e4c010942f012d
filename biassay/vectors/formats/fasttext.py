"""fastText's .bin models: vectors of words and of their subwords, read row by row from the matrix on disk."""

import logging
import os
import struct
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import BinaryIO

import numpy as np

from biassay.core import guard
from biassay.vectors.formats import files
from biassay.vectors.formats.rows import Rows

LOG = logging.getLogger(__name__)
BATCH = 4096  # words added at a time
MAX_WORD = 1 << 13  # bytes
MAX_SUBWORD = 30  # characters
_HEADER = struct.Struct("<2i12id3i2q")  # magic, version; options; threshold; entries, words, labels; tokens, pruned
_END = 10  # bytes after a word: a zero, its count, and whether it is a label
_MATRIX = struct.Struct("<?2q")  # whether it is quantised; rows, columns


@dataclass(frozen=True)
class _Model:
    """Numbers of words and of dimensions, how words are cut into subwords, and where the matrix starts."""

    file: BinaryIO
    n_entries: int
    n_words: int
    dimensions: int
    n_buckets: int
    shortest: int
    longest: int
    start: int = 0

    def find_vector(self, word: str, row: int | None) -> np.ndarray | None:
        """Return the mean (d,) of a word's own row, if it has one, and its subwords' rows; None without any."""
        from gensim.models.fasttext import ft_ngram_hashes

        rows = [] if row is None else [row]
        if self.n_buckets and self.longest:
            hashes = ft_ngram_hashes(word, self.shortest, self.longest, self.n_buckets)
            rows += [self.n_words + number for number in hashes]
        size, total = 4 * self.dimensions, np.zeros(self.dimensions, np.float32)
        with np.errstate(invalid="ignore", over="ignore"):  # `Rows` names the word of a vector that is not finite
            for number in rows:  # one at a time: a long word has thousands of subwords
                total += np.frombuffer(os.pread(self.file.fileno(), size, self.start + number * size), "<f4")
            return total / np.float32(len(rows)) if rows else None


def read(path: str | Path, rows: Rows) -> None:
    """Read the vectors of words in the vocabulary and, by their subwords, of wanted words outside it.

    As in fastText and gensim, a word's vector is the mean of its own row and the rows of its subwords (character
    n-grams). A word outside the vocabulary has only the latter, and ranks behind all others; it is left out if its
    lower case is wanted and in the vocabulary. Memory does not grow with the model. Raises ValueError, naming the file,
    if it is broken, truncated or quantised.
    """
    wanted = None if rows.wanted is None else {word.encode("utf-8", "replace") for word in rows.wanted}
    with guard.reading(path, "fastText model"), open(path, "rb") as file:
        model = _read_header(path, file)
        words = [
            (rows.decode(word), row)
            for row, word in enumerate(_read_words(path, model))
            if wanted is None or word in wanted or rows.is_sampled(row)
        ]
        model = _find_matrix(path, model)
        rows.n_rows = model.n_words
        for start in range(0, len(words), BATCH):
            batch = words[start : start + BATCH]
            vectors = np.stack([model.find_vector(word or "", row) for word, row in batch])
            rows.add([word for word, _ in batch], vectors, [row for _, row in batch])
        known = {word for word, _ in words}
        outside = {
            word: vector
            for word in rows.wanted or []
            if word not in known and word.lower() not in known
            if (vector := model.find_vector(word, None)) is not None
        }
        if outside:
            rows.add(list(outside), np.stack(list(outside.values())), [model.n_words] * len(outside))
            names = ", ".join(map(repr, list(outside)[:5])) + (", …" if len(outside) > 5 else "")
            text = "%s: %d words are outside the vocabulary; their vectors are the means of their subwords: %s"
            LOG.warning(text, rows.source, len(outside), names)


def _read_header(path: str | Path, file: BinaryIO) -> _Model:
    """Read and check the numbers before the vocabulary."""
    values = _HEADER.unpack(file.read(_HEADER.size))
    dimensions, (n_buckets, shortest, longest), (n_entries, n_words, _), n_pruned = (
        values[2], values[10:13], values[15:18], values[19],
    )  # fmt: skip
    if n_pruned > 0:
        raise ValueError(f"{path}: a quantised fastText model; give the model from before it was quantised")
    expected = {
        "dimensions": (dimensions, 1, files.MAX_ROW // 4), "words": (n_words, 1, n_entries),
        "buckets": (n_buckets, 0, 1 << 31), "characters of the longest subword": (longest, 0, MAX_SUBWORD),
    }  # fmt: skip
    for name, (value, low, high) in expected.items():
        if not low <= value <= high:
            raise ValueError(f"{path}: broken fastText model: {name}: expected {low} to {high}, got {value}")
    return _Model(file, n_entries, n_words, dimensions, n_buckets, max(0, shortest), longest)


def _read_words(path: str | Path, model: _Model) -> Iterator[bytes]:
    """Yield the words, which come before the labels; leave the file at the matrix."""
    buffer, at, place = b"", 0, _HEADER.size
    for row in range(model.n_entries):
        while (end := buffer.find(b"\0", at)) < 0 or end + _END > len(buffer):
            block = model.file.read(files.BLOCK)
            if not block or len(buffer) - at > MAX_WORD:
                raise ValueError(
                    f"{path}: broken or truncated fastText model: expected {model.n_entries} words, got {row}"
                )
            buffer, at, place = buffer[at:] + block, 0, place + at
        if row < model.n_words:
            yield buffer[at:end]
        at = end + _END
    model.file.seek(place + at)


def _find_matrix(path: str | Path, model: _Model) -> _Model:
    """Check the shape of the matrix, at which the file stands; return the model with its place."""
    is_quantised, *shape = _MATRIX.unpack(model.file.read(_MATRIX.size))
    expected, start = [model.n_words + model.n_buckets, model.dimensions], model.file.tell()
    if is_quantised:
        raise ValueError(f"{path}: a quantised fastText model; give the model from before it was quantised")
    if shape != expected:
        raise ValueError(f"{path}: broken fastText model: expected a matrix of shape {expected}, got {shape}")
    if os.path.getsize(path) < start + 4 * shape[0] * shape[1]:
        raise ValueError(f"{path}: truncated fastText model: expected {shape[0]} rows of {shape[1]} values")
    return replace(model, start=start)
