"""First-order bias: which group's words does a target co-occur with directly?

Λ1(w, z) = Σ_{c in W_z} e_{w:c} / ‖e_w‖
Λ1(w, first) − Λ1(w, second)
"""

import numpy as np

from biassay.measurement.metric import Level, Metric

METRIC = Metric(
    summary="difference of the summed explicit values of two groups' words, divided by the explicit norm",
    source="first-order paper, eq 7",
    cite=("rekabsaz2021",),
    avoid=(
        "On embeddings without context vectors, for which it cannot be computed; with rare words. On generated text "
        "it followed the planted bias better than the cosine with GloVe only (first-order study)."
    ),
    takes="associations",
    word=Level(None, None, signed=True, undefined="a word has no co-occurrence"),
)


def factor(norms: np.ndarray, associations: np.ndarray) -> np.ndarray:
    """Compute Λ1 = Σ_c e_{w:c} / ‖e_w‖ from norms (n,) and explicit values (n, m) with a group's words: (n,).

    |Λ1| ≤ √m (Cauchy–Schwarz). NaN if ‖e_w‖ = 0: the word has no co-occurrence.
    """
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(norms > 0, associations.sum(axis=1, dtype=np.float64) / norms, np.nan)


def word_bias(targets: np.ndarray, groups: list[np.ndarray]) -> np.ndarray:
    """Compute Λ1 with the first group minus Λ1 with the second (first-order paper, eq 7).

    targets: norms (n,). groups: explicit values (n, m_i). Returns (n,) values, positive towards the first group;
    their bounds depend on the number of words.
    """
    return factor(targets, groups[0]) - factor(targets, groups[1])
