"""Unit vectors, cosines, and the association s(w, A) that most metrics are made of."""

import numpy as np

from biassay.numerics.caching import cached

ZERO = 1e-9  # lengths of differences of unit vectors below this are rounding


def unit(vectors: np.ndarray) -> np.ndarray:
    """Rows (n, d) divided by their lengths, in float64; a zero row becomes NaN, for it has no direction."""
    vectors = np.asarray(vectors, dtype=np.float64)
    lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(lengths > 0, vectors / lengths, np.nan)


def cosine(left: np.ndarray, right: np.ndarray) -> np.ndarray:
    """Cosines of rows (n, d) with rows (m, d): (n, m); NaN for a zero row."""
    return unit(left) @ unit(right).T


def mean_unit(vectors: np.ndarray) -> np.ndarray:
    """â, the mean of the unit vectors of rows (m, d): (d,); NaN if a row is zero.

    The unit vectors are never stored: â is the rows weighted by 1 / (m ‖row‖).
    """
    vectors = np.asarray(vectors, dtype=np.float64)
    lengths = np.sqrt(np.einsum("ij,ij->i", vectors, vectors))
    return np.reciprocal(np.where(lengths > 0, lengths, np.nan)) @ vectors / len(vectors)


@cached
def mean_units(groups: list[np.ndarray]) -> np.ndarray:
    """â of each group: (number of groups, d)."""
    return np.stack([mean_unit(group) for group in groups])


def association(targets: np.ndarray, groups: np.ndarray) -> np.ndarray:
    """s(w, A) = mean_a cos(w, a) = w/‖w‖ · â of targets (n, d) with groups (m, d): (n,), −1 to 1."""
    return project(targets, mean_unit(groups))


def project(targets: np.ndarray, vectors: np.ndarray) -> np.ndarray:
    """w/‖w‖ · v of targets (n, d) with vectors (d,) or (k, d), whose lengths count: (n,) or (n, k).

    Products row by row keep a NaN row to itself.
    """
    targets = np.asarray(targets, dtype=np.float64)
    lengths = np.sqrt(np.einsum("ij,ij->i", targets, targets))
    lengths = np.where(lengths > 0, lengths, np.nan)
    return ((targets @ vectors.T).T / lengths).T
