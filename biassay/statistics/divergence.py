"""Divergence of probabilities from uniform."""

import numpy as np
from scipy.special import rel_entr


def from_uniform(probabilities: np.ndarray) -> np.ndarray:
    """Compute the Jensen–Shannon divergence (nats, not its root) of probabilities (…, n) from uniform: (…).

    Rows sum to 1 and may contain zeros. Values are from 0 to `maximum(n)`; NaN for a row with a NaN.
    """
    p = np.asarray(probabilities, np.float64)
    n = p.shape[-1]
    middle = (p + 1 / n) / 2
    divergences = (rel_entr(p, middle) + rel_entr(1 / n, middle)).sum(axis=-1) / 2
    return np.clip(divergences, 0.0, maximum(n))


def maximum(n: int) -> float:
    """Return the divergence from uniform if one of n cases is certain; it approaches log 2 for large n."""
    certain, uniform = np.log(2 * n / (n + 1)), (np.log(2 / (n + 1)) + (n - 1) * np.log(2)) / n
    return float(certain + uniform) / 2
