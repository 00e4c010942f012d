"""Unit vectors and cosines."""

import numpy as np


def unit(vectors: np.ndarray) -> np.ndarray:
    """Rows (n, d) divided by their lengths, in float64; a zero row becomes NaN, for it has no direction."""
    vectors = np.asarray(vectors, dtype=np.float64)
    lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(lengths > 0, vectors / lengths, np.nan)


def cosine(left: np.ndarray, right: np.ndarray) -> np.ndarray:
    """Cosines of rows (n, d) with rows (m, d): (n, m); NaN for a zero row."""
    return unit(left) @ unit(right).T
