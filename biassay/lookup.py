"""Vectors of words from whatever holds them: stores, mappings, gensim KeyedVectors, files, encoders."""

from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np

from biassay.vectors import Embedding

KINDS = "an Embedding, a mapping word → vector, (words, array), gensim KeyedVectors, a path, or a function of texts"


def find(vectors: object, words: list[str]) -> dict[str, np.ndarray]:
    """Vectors (d,) of those words that have one, by word.

    A word whose vector is zero has none. Raises ValueError naming the words whose vectors are not finite.
    """
    known, rows = _rows(vectors, list(dict.fromkeys(words)))
    if len(rows) == 0:
        return {}
    broken = [word for word, row in zip(known, rows, strict=True) if not np.isfinite(row).all()]
    if broken:
        raise ValueError(f"vectors that are not finite (NaN or infinite): {', '.join(broken[:5])}")
    return {word: row for word, row in zip(known, rows, strict=True) if row.any()}


def store(path: str | Path) -> Embedding | None:
    """The embedding at a path, if biassay wrote it."""
    return Embedding.open(path) if (Path(path) / "embedding.json").is_file() else None


def _rows(vectors: object, words: list[str]) -> tuple[list[str], np.ndarray | list]:
    """The words that are known, and their vectors (n, d)."""
    if isinstance(vectors, str | Path):
        opened = store(vectors)
        if opened is None:
            from biassay import readers

            return readers.read_vectors(vectors, words)
        vectors = opened
    if isinstance(vectors, Embedding):
        known = [word for word in words if word in vectors.index]
        return known, vectors.rows(known) if known else []
    if isinstance(vectors, Mapping):
        known = [word for word in words if word in vectors]
        return known, [np.asarray(vectors[word]) for word in known]
    if hasattr(vectors, "key_to_index"):  # gensim.models.KeyedVectors
        known = [word for word in words if word in vectors.key_to_index]
        return known, vectors.vectors[[vectors.key_to_index[word] for word in known]]
    if isinstance(vectors, tuple) and len(vectors) == 2:
        return _pair(*vectors, words)
    if callable(vectors):
        return words, _encoded(vectors, words)
    raise ValueError(f"vectors: {type(vectors).__name__} is none of {KINDS}")


def _pair(all_words: list[str], array: np.ndarray, words: list[str]) -> tuple[list[str], np.ndarray]:
    """Rows of (words, array)."""
    if len(all_words) != len(array):
        raise ValueError(f"vectors: {len(all_words)} words, but {len(array)} rows")
    index = {word: row for row, word in enumerate(all_words)}
    known = [word for word in words if word in index]
    return known, array[[index[word] for word in known]]


def _encoded(encode: Callable[[list[str]], np.ndarray], words: list[str]) -> np.ndarray:
    """Vectors from an encoder of texts."""
    rows = np.asarray(encode(words))
    if rows.ndim != 2 or len(rows) != len(words):
        raise ValueError(f"vectors: {len(words)} texts were encoded as an array of shape {rows.shape}, not (n, d)")
    return rows
