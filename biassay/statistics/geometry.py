"""Unit vectors, their means, and cosines, which most metrics use."""

import numpy as np
from numpy.typing import ArrayLike

from biassay.statistics.caching import cached

ZERO = 1e-9  # smaller lengths of differences of unit vectors are rounding


def unit(vectors: ArrayLike) -> np.ndarray:
    """Divide rows (n, d) by their lengths, in float64; a zero row becomes NaN."""
    vectors = np.asarray(vectors, dtype=np.float64)
    lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(lengths > 0, vectors / lengths, np.nan)


def cosine(left: ArrayLike, right: ArrayLike) -> np.ndarray:
    """Compute the cosines of all pairs of rows.

    Parameters
    ----------
    left : ndarray of shape (n, d)
    right : ndarray of shape (m, d)

    Returns
    -------
    ndarray of shape (n, m)
        From −1 to 1; NaN for a zero row.

    Examples
    --------
    >>> from biassay import cosine
    >>> cosine([[3.0, 4.0]], [[1.0, 0.0], [0.0, -2.0]])
    array([[ 0.6, -0.8]])
    """
    return unit(left) @ unit(right).T


def mean_unit(vectors: np.ndarray) -> np.ndarray:
    """Compute â, the mean of the unit vectors of rows (m, d): (d,); NaN if a row is zero.

    To save memory, rows are weighted by 1 / (m ‖row‖) instead of stored as unit vectors.
    """
    vectors = np.asarray(vectors, dtype=np.float64)
    lengths = np.sqrt(np.einsum("ij,ij->i", vectors, vectors))
    return np.reciprocal(np.where(lengths > 0, lengths, np.nan)) @ vectors / len(vectors)


@cached
def mean_units(groups: list[np.ndarray]) -> np.ndarray:
    """Compute â of each group: (n_groups, d)."""
    return np.stack([mean_unit(group) for group in groups])


def project(targets: np.ndarray, vectors: np.ndarray) -> np.ndarray:
    """Compute w/‖w‖ · v of targets (n, d) with vectors (d,) or (k, d), which are not normalised: (n,) or (n, k).

    A NaN row does not affect other rows.
    """
    targets = np.asarray(targets, dtype=np.float64)
    lengths = np.sqrt(np.einsum("ij,ij->i", targets, targets))
    lengths = np.where(lengths > 0, lengths, np.nan)
    return ((targets @ vectors.T).T / lengths).T
