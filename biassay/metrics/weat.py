"""WEAT: are two sets of targets associated differently with two groups? SEAT is the same on sentence vectors."""

import numpy as np

from biassay.geometry import along, mean_unit
from biassay.metric import Level, Metric

METRIC = Metric(
    summary="difference of the mean cosines with two groups; standardised difference of it between two target sets",
    source="Caliskan et al. 2017; same-2021 eq 3–4; SEAT: May et al. 2019",
    sample=Level(-2.0, 2.0, signed=True),
    set=Level(-2.0, 2.0, signed=True, labels=True),
)

SAME_VALUE = 1e-12  # a spread of cosines below this is rounding


def sample_bias(targets: np.ndarray, attributes: list[np.ndarray]) -> np.ndarray:
    """s(w,A) − s(w,B) of targets (n, d) with two groups (m_i, d), eq 3: (n,), −2 to 2, positive towards the first.

    What can be reached is ±‖â − b̂‖ (Theorem 2). One-word groups give a difference of two cosines, identical groups 0.
    NaN for a zero vector.
    """
    first, second = attributes
    return along(targets, mean_unit(first) - mean_unit(second))


def set_bias(targets: np.ndarray, attributes: list[np.ndarray], labels: np.ndarray, *, ddof: int = 0) -> float:
    """Effect size d of targets (n, d) labelled 0 (X) or 1 (Y), eq 4: the difference of the means of s over X and Y,
    divided by the standard deviation of s over both; positive if X is nearer the first group.

    |d| ≤ N/√(m(N−m)) with m = |X| of N targets, thus 2 for equal sizes, with ddof = 0 (Theorem 5 needs it; other code
    uses 1). NaN, never b_0, where all s are equal, as for identical groups.
    """
    values, labels = sample_bias(targets, attributes), np.asarray(labels)
    if len(values) <= ddof:
        return np.nan
    spread = values.std(ddof=ddof)
    if not spread > SAME_VALUE:
        return np.nan
    return float((values[labels == 0].mean() - values[labels == 1].mean()) / spread)
