"""How far probabilities are from uniform."""

import numpy as np
from scipy.special import rel_entr


def from_uniform(probabilities: np.ndarray) -> np.ndarray:
    """Jensen–Shannon divergence in nats, not its root, of n probabilities (…, n) from uniform: (…), 0 to `maximum(n)`.

    Rows sum to 1 and may have zeros; NaN for a row with a NaN.
    """
    p = np.asarray(probabilities, np.float64)
    n = p.shape[-1]
    middle = (p + 1 / n) / 2
    found = (rel_entr(p, middle) + rel_entr(1 / n, middle)).sum(axis=-1) / 2
    return np.clip(found, 0.0, maximum(n))


def maximum(n: int) -> float:
    """The divergence from uniform of one certain case of n: log 2 for n beyond all bounds."""
    certain, uniform = np.log(2 * n / (n + 1)), (np.log(2 / (n + 1)) + (n - 1) * np.log(2)) / n
    return float(certain + uniform) / 2
