"""WEAT's permutation test: how often is a random partition of the targets associated as strongly as X and Y?

share of the partitions (X_i, Y_i) of X ∪ Y with  Σ_{X_i} s − Σ_{Y_i} s ≥ Σ_X s − Σ_Y s
"""

from math import comb
from typing import Annotated, Literal

import numpy as np

from biassay.measurement.metric import Level, Metric
from biassay.metrics.weat import word_bias as association
from biassay.statistics import permutation_tests

METRIC = Metric(
    summary="share of the partitions of the targets whose difference of associations reaches the observed one",
    source="Caliskan et al. 2017; same-2021 eq 5–6",
    cite=("caliskan2017", "schroeder2021"),
    avoid=(
        "As the only evidence: on skip-gram vectors of text without bias it rejected in half of the cases with the "
        "groups as X and Y, whose words share more than the group, and in 7 % with the targets as X and Y (silhouette "
        "study). With four words per side, whose smallest p is 1/70."
    ),
    set=Level(0.0, 1.0, None, labels=True, undefined="a vector is zero"),
    scored="groups",
)


def set_bias(
    targets: np.ndarray,
    groups: list[np.ndarray],
    labels: np.ndarray,
    *,
    alternative: Literal["greater", "two_sided"] = "greater",
    strict: bool = False,
    max_exact_words: Annotated[int, "0 <= x <= 48"] = 32,
    permutations: Annotated[int, "1 <= x <= 10000000"] = 10_000,
    seed: Annotated[int, "0 <= x < 4294967296"] = 1,
) -> float:
    """Compute the p-value of WEAT (Caliskan et al. 2017; same-2021 eq 5–6).

    p is the share of the partitions into parts of the same sizes, including the observed one, whose difference of the
    mean s is at least the observed one. For fixed sizes, differences of means and of sums (eq 5) have the same order.

    Labels (n,) are 0 for the targets X, 1 for Y. From 0 to 1; 1 (strict: 0) if all s are equal, as with identical
    groups. NaN for a zero vector.

    Parameters
    ----------
    alternative : {"greater", "two_sided"}
        With "two_sided", compare absolute differences.
    strict : bool
        Count only larger differences, as eq 6 prints; p can then be 0.
    max_exact_words : int
        Count all partitions for up to this number of targets (6e8 partitions for 32).
    permutations : int
        For more targets, the number k of distinct partitions to sample, of which r reach the observed difference:
        p = (r + 1) / (k + 1), or r / k if strict. The test is exact if there are no more partitions.
    """
    values, labels = association(targets, groups), np.asarray(labels)
    if not np.isfinite(values).all():
        return np.nan
    values = values - values.mean()  # the sum of a part is then proportional to the difference of means
    values = np.concatenate([values[labels == 0], values[labels == 1]])
    size = int((labels == 0).sum())
    upper, lower = _thresholds(values[:size].sum(), len(values) * permutation_tests.ROUNDING, alternative, strict)
    if len(values) <= max_exact_words:
        total, above, not_below = permutation_tests.count_exceeding(values, size, np.array([-np.inf, upper, lower]))
        return float((above + total - not_below) / total)
    n_reached = n_sampled = 0
    for sums in permutation_tests.sample_sums(values, size, permutations, seed):
        n_reached += int(((sums >= upper) | (sums < lower)).sum())
        n_sampled += len(sums)
    if strict:
        return n_reached / (comb(len(values), size) if n_sampled < permutations else n_sampled)
    return (n_reached + 1) / (n_sampled + 1)


def _thresholds(observed: float, rounding: float, alternative: str, strict: bool) -> tuple[float, float]:
    """Return (upper, lower): sums count if they are at least `upper` or less than `lower`."""
    shift = rounding if strict else -rounding
    if alternative == "greater":
        return observed + shift, -np.inf
    upper = abs(observed) + shift
    return upper, min(-upper, upper)
