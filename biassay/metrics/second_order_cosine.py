"""Second-order bias: cosine to the mean vectors of two concepts (first-order paper, eq 3–4)."""

import numpy as np

from biassay.geometry import cosine
from biassay.metric import Metric

METRIC = Metric(
    summary="difference of the cosines to the mean vectors of two groups' definitional words",
    source="first-order paper, eq 3–4",
    takes="vectors",
    b_min=-2.0,
    b_max=2.0,
)


def factor(targets: np.ndarray, concept: np.ndarray) -> np.ndarray:
    """cos(v_z, v_w) of targets (n, d) with the concept's vector v_z (d,), the mean of its words: (n,), −1 to 1.

    NaN for a zero vector.
    """
    return cosine(targets, concept[None])[:, 0]


def bias(targets: np.ndarray, concepts: np.ndarray) -> np.ndarray:
    """Factor of the first concept less that of the second: (n,), −2 to 2, positive towards the first."""
    return factor(targets, concepts[0]) - factor(targets, concepts[1])
