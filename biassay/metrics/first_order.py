"""First-order bias: direct co-occurrence with definitional words (first-order paper, eq 7).

Λ1(w, z) = Σ_{c in W_z} e_{w:c} / ‖e_w‖
Λ1(w, first) − Λ1(w, second)
"""

import numpy as np

from biassay.measurement.metric import Level, Metric

METRIC = Metric(
    summary="difference of the summed explicit values of two groups' definitional words, over the explicit length",
    source="first-order paper, eq 7",
    cite=("rekabsaz2021",),
    avoid=(
        "On vectors without context vectors, which it cannot be computed for, and with rare words. On generated "
        "text it followed the planted bias better than the cosine for GloVe only (first-order study)."
    ),
    takes="associations",
    word=Level(None, None, signed=True, undefined="a word has no co-occurrence"),
)


def factor(norms: np.ndarray, associations: np.ndarray) -> np.ndarray:
    """Λ1 = Σ_c e_{w:c} / ‖e_w‖ from lengths ‖e_w‖ (n,) and explicit values (n, m) with a group's words: (n,).

    By Cauchy–Schwarz |Λ1| ≤ √m. NaN where ‖e_w‖ = 0, a word without any co-occurrence.
    """
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(norms > 0, associations.sum(axis=1, dtype=np.float64) / norms, np.nan)


def word_bias(targets: np.ndarray, groups: list[np.ndarray]) -> np.ndarray:
    """Factor of the first group less that of the second, from lengths (n,) and explicit values (n, m_i): (n,),
    positive towards the first; no bounds that do not depend on the number of words.
    """
    return factor(targets, groups[0]) - factor(targets, groups[1])
