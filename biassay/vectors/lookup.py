"""Vectors of words from an encoder or from any source that `vectors.readers` reads."""

from pathlib import Path

import numpy as np

from biassay.core import arrays
from biassay.vectors import readers
from biassay.vectors.embedding import Embedding


def find_vectors(vectors: object, words: list[str]) -> dict[str, np.ndarray]:
    """Find the vectors (d,) of words, by word; words without a vector and words with a zero vector are left out.

    Raises ValueError if a vector is not finite.
    """
    words, rows = readers.read_vectors(vectors, words)
    found = dict(zip(words, rows, strict=True))
    invalid_words = [word for word, row in found.items() if not (np.abs(row) <= arrays.LARGEST).all()]
    if invalid_words:
        raise ValueError(
            f"vectors: expected finite float32 values, got NaN, infinite or larger ones: {', '.join(invalid_words[:5])}"
        )
    return {word: row for word, row in found.items() if (np.abs(row) >= arrays.SMALLEST).any()}


def open_embedding(path: str | Path) -> Embedding | None:
    """Open the embedding at a path; return None if biassay did not write it."""
    return Embedding.open(path) if (Path(path) / "embedding.json").is_file() else None
