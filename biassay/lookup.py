"""Vectors of words from whatever holds them: stores, mappings, gensim KeyedVectors, files, encoders."""

from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np

from biassay.vectors import Embedding

KINDS = (
    "an Embedding, a mapping word → vector, (words, array), gensim KeyedVectors, the path of a store or vector file, "
    "an encoder: a function of texts, or an object with encode(texts)"
)


def find(vectors: object, words: list[str]) -> dict[str, np.ndarray]:
    """Vectors (d,) of those words that have one, by word.

    A word whose vector is zero has none. Raises ValueError naming the words whose vectors are not finite.
    """
    if isinstance(vectors, str | Path):
        vectors = store(vectors) or vectors
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
    if isinstance(vectors, Embedding):
        known = [word for word in words if word in vectors.index]
        return known, vectors.rows(known) if known else []
    if isinstance(vectors, Mapping):
        known = [word for word in words if word in vectors]
        return known, [np.asarray(vectors[word]) for word in known]
    if hasattr(vectors, "wv") or hasattr(vectors, "key_to_index"):  # a gensim model or its KeyedVectors
        vectors = getattr(vectors, "wv", vectors)
        return _pair(vectors.key_to_index, vectors.vectors, words)
    if isinstance(vectors, tuple | list) and len(vectors) == 2:
        return _pair({word: row for row, word in enumerate(vectors[0])}, np.asarray(vectors[1]), words)
    if (hasattr(vectors, "encode") and not isinstance(vectors, str)) or callable(vectors):
        return words, _encoded(getattr(vectors, "encode", vectors), words)
    if isinstance(vectors, str | Path):
        from biassay import readers  # only files need the readers and what they import

        return readers.read_vectors(vectors, words)
    raise ValueError(f"vectors: {type(vectors).__name__} is none of {KINDS}")


def _pair(index: Mapping[str, int], array: np.ndarray, words: list[str]) -> tuple[list[str], np.ndarray]:
    """Rows of an array (|W|, d), by the row of each word."""
    if len(index) != len(array):
        raise ValueError(f"vectors: {len(index)} different words, but {len(array)} rows")
    known = [word for word in words if word in index]
    return known, array[[index[word] for word in known]]


def _encoded(encode: Callable[[list[str]], np.ndarray], words: list[str]) -> np.ndarray:
    """Vectors from an encoder of texts."""
    rows = np.asarray(encode(words))
    if rows.ndim != 2 or len(rows) != len(words):
        raise ValueError(f"vectors: {len(words)} texts were encoded as an array of shape {rows.shape}, not (n, d)")
    return rows
