"""WEAT's permutation test: how often a random partition of the targets is associated as strongly as X and Y.

share of the partitions (X_i, Y_i) of X ∪ Y with  Σ_{X_i} s − Σ_{Y_i} s ≥ Σ_X s − Σ_Y s
"""

from math import comb
from typing import Annotated, Literal

import numpy as np

from biassay.measurement.metric import Level, Metric
from biassay.metrics.weat import word_bias as association
from biassay.numerics import permutation_tests

METRIC = Metric(
    summary="share of partitions of the targets whose difference of associations reaches the observed one",
    source="Caliskan et al. 2017; same-2021 eq 5–6",
    cite=("caliskan2017", "schroeder2021"),
    avoid=(
        "As the only evidence: on skip-gram vectors of text without bias it found bias in half of the draws, for "
        "words of a group share other things, too (silhouette study). Nor with four words a side, whose least p "
        "is 1/70."
    ),
    set=Level(0.0, 1.0, None, labels=True, undefined="a vector is zero"),
    scored="groups",
)

ALTERNATIVES = ("greater", "two_sided")


def set_bias(
    targets: np.ndarray, groups: list[np.ndarray], labels: np.ndarray, *,
    alternative: Literal["greater", "two_sided"] = "greater", strict: bool = False,
    max_exact_words: Annotated[int, "0 <= x <= 48"] = 32, permutations: Annotated[int, "1 <= x <= 10000000"] = 10_000,
    seed: Annotated[int, "0 <= x < 4294967296"] = 1,
) -> float:  # fmt: skip
    """p of targets (n, d) labelled 0 (X) or 1 (Y) with two groups (m_i, d): 0 to 1, no value means no bias.

    The share of partitions into parts of the same sizes, the observed one among them, whose difference of the mean s
    (for fixed sizes the same order as eq 5's difference of sums) is at least the observed one; "two_sided": whose
    absolute difference is. `strict` takes the > that eq 6 prints, and p may be 0. Exact for up to `max_exact_words` targets
    (of 32 there are 6e8 partitions) or where `permutations` are all there are; else that many different ones are drawn,
    p = (k + 1)/(n + 1), strictly k/n. Where all s are equal, as for identical groups, p = 1 (strict: 0). NaN for a
    zero vector.
    """
    if alternative not in ALTERNATIVES:
        raise ValueError(f"alternative: unknown value {alternative!r}; expected one of: {', '.join(ALTERNATIVES)}")
    if permutations < 1:
        raise ValueError(f"permutations: at least 1, not {permutations}")
    values, labels = association(targets, groups), np.asarray(labels)
    if not np.isfinite(values).all():
        return np.nan
    values = values - values.mean()  # the part's sum is then the difference of means times a constant
    values = np.concatenate([values[labels == 0], values[labels == 1]])
    size = int((labels == 0).sum())
    upper, lower = _thresholds(values[:size].sum(), len(values) * permutation_tests.ROUNDING, alternative, strict)
    if len(values) <= max_exact_words:
        total, above, not_below = permutation_tests.count_exceeding(values, size, np.array([-np.inf, upper, lower]))
        return float((above + total - not_below) / total)
    reached = drawn = 0
    for sums in permutation_tests.sample_sums(values, size, permutations, seed):
        reached += int(((sums >= upper) | (sums < lower)).sum())
        drawn += len(sums)
    if strict:
        return reached / (comb(len(values), size) if drawn < permutations else drawn)
    return (reached + 1) / (drawn + 1)


def _thresholds(observed: float, rounding: float, alternative: str, strict: bool) -> tuple[float, float]:
    """Sums count from the first value upwards and below the second; the whole line where every sum counts."""
    shift = rounding if strict else -rounding
    if alternative == "greater":
        return observed + shift, -np.inf
    reach = abs(observed) + shift
    return reach, min(-reach, reach)
