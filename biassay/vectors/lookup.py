"""Vectors of words from whatever holds them: an encoder, or anything that `vectors.readers` reads."""

from collections.abc import Callable
from pathlib import Path

import numpy as np

from biassay.support import arrays
from biassay.vectors import readers
from biassay.vectors.embedding import Embedding


def find_vectors(vectors: object, words: list[str]) -> dict[str, np.ndarray]:
    """Vectors (d,) of those words that have one, by word.

    A word whose vector is zero has none. Raises ValueError naming the words whose vectors are not finite.
    """
    known, rows = _rows(vectors, list(dict.fromkeys(words)))
    if len(rows) == 0:
        return {}
    broken = [word for word, row in zip(known, rows, strict=True) if not (np.abs(row) <= arrays.LARGEST).all()]
    if broken:
        raise ValueError(f"vectors that are not finite (NaN, infinite, or beyond float32): {', '.join(broken[:5])}")
    return {word: row for word, row in zip(known, rows, strict=True) if (np.abs(row) >= arrays.SMALLEST).any()}


def open_embedding(path: str | Path) -> Embedding | None:
    """The embedding at a path, if biassay wrote it."""
    return Embedding.open(path) if (Path(path) / "embedding.json").is_file() else None


def _rows(vectors: object, words: list[str]) -> tuple[list[str], np.ndarray]:
    """The words that are known, and their vectors (n, d)."""
    if not isinstance(vectors, str) and (hasattr(vectors, "encode") or callable(vectors)):
        return words, _encoded(getattr(vectors, "encode", vectors), words)
    return readers.read_vectors(vectors, words)


def _encoded(encode: Callable[[list[str]], np.ndarray], words: list[str]) -> np.ndarray:
    """Vectors from an encoder of texts."""
    rows = arrays.as_array("vectors", encode(words))
    if rows.ndim != 2 or len(rows) != len(words) or rows.dtype.kind not in "fiu":
        has = f"an array of {rows.dtype} of shape {rows.shape}"
        raise ValueError(f"vectors: {len(words)} texts were encoded as {has}, not of numbers (n, d)")
    return arrays.as_floats(rows)
