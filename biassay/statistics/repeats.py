"""Differences between repeated measurements."""

import numpy as np


def relative_difference(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Compute |a − b| / ((|a| + |b|) / 2): 0 to 2, 0 for equal values; NaN if both are 0."""
    with np.errstate(invalid="ignore"):
        return np.abs(a - b) / ((np.abs(a) + np.abs(b)) / 2)
