"""First-order bias: direct co-occurrence with definitional words (first-order paper, eq 7)."""

import numpy as np

from biassay.metric import Metric

METRIC = Metric(
    summary="difference of the summed explicit values of two groups' definitional words, over the explicit length",
    source="first-order paper, eq 7",
    takes="associations",
    b_min=None,
    b_max=None,
)


def factor(associations: np.ndarray, norms: np.ndarray) -> np.ndarray:
    """Λ1 = Σ_c e_{w:c} / ‖e_w‖ from explicit values (n, m) with a concept's words and lengths ‖e_w‖ (n,): (n,).

    By Cauchy–Schwarz |Λ1| ≤ √m. NaN where ‖e_w‖ = 0, a word without any co-occurrence.
    """
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(norms > 0, associations.sum(axis=1, dtype=np.float64) / norms, np.nan)


def sample(associations: list[np.ndarray], norms: np.ndarray) -> np.ndarray:
    """Factor of the first concept less that of the second: (n,), positive towards the first."""
    return factor(associations[0], norms) - factor(associations[1], norms)
