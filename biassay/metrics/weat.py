"""WEAT: are two sets of targets associated with different groups? On sentence vectors it is called SEAT.

s(w, A, B) = mean_{a in A} cos(w, a) − mean_{b in B} cos(w, b)
d = (mean_{x in X} s(x, A, B) − mean_{y in Y} s(y, A, B)) / std_{w in X ∪ Y} s(w, A, B)
"""

from typing import Annotated

import numpy as np

from biassay.measurement.metric import Level, Metric, Range
from biassay.statistics.geometry import mean_unit, project, unit
from biassay.statistics.growth import Growth

METRIC = Metric(
    summary="difference of the mean cosines with two groups; its standardised difference between two sets of targets",
    source="Caliskan et al. 2017; same-2021 eq 3–4; SEAT: May et al. 2019",
    cite=("caliskan2017", "may2019", "schroeder2021"),
    avoid=(
        "To quantify bias: d divides by the spread of the associations and reaches 1 or more on text without bias "
        "(silhouette study). With sets of targets that do not follow a stereotype chosen beforehand."
    ),
    word=Level(-2.0, 2.0, signed=True, undefined="a target, or a word of a group, is zero"),
    set=Level(-2.0, 2.0, signed=True, labels=True, undefined="all associations s are equal, or a vector is zero"),
    scored="groups",
)

MIN_SPREAD = 1e-12  # a smaller standard deviation of cosines is rounding


def adjust_range(declared: Range, level: str, labels: np.ndarray | None, options: dict) -> Range:
    """Return ± N/√(m(N−m)) at set level, for m of N targets with label 0; 2 for equal sizes (same-2021, Theorem 5)."""
    if level == "word" or labels is None:
        return declared
    n, m = len(labels), int((np.asarray(labels) == 0).sum())
    bound = n / np.sqrt(m * (n - m))
    return declared._replace(b_min=-bound, b_max=bound)


def word_bias(targets: np.ndarray, groups: list[np.ndarray]) -> np.ndarray:
    """Compute s(w, A, B) of each target (Caliskan et al. 2017; same-2021 eq 3).

    From −2 to 2, or more precisely ±‖â − b̂‖ (Theorem 2); positive towards the first group. 0 for identical groups; NaN
    for a zero vector.
    """
    first, second = groups
    return project(targets, mean_unit(first) - mean_unit(second))


def set_bias(
    targets: np.ndarray, groups: list[np.ndarray], labels: np.ndarray, *, ddof: Annotated[int, "0 <= x <= 1"] = 0
) -> float:
    """Compute the effect size d (Caliskan et al. 2017; same-2021 eq 4).

    Labels (n,) are 0 for the targets X, 1 for Y. ddof (0 or 1) is that of the standard deviation: Theorem 5 needs 0,
    other implementations use 1. |d| ≤ N/√(m(N−m)) for m = |X| of N targets and ddof = 0: 2 for equal sizes. Positive if
    X is closer to the first group; 0 means no bias. NaN if all s are equal, as with identical groups, and for a zero
    vector.
    """
    values, labels = word_bias(targets, groups), np.asarray(labels)
    if len(values) <= ddof:
        return np.nan
    spread = values.std(ddof=ddof)
    if not spread > MIN_SPREAD:
        return np.nan
    return float((values[labels == 0].mean() - values[labels == 1].mean()) / spread)


def set_bias_growing_targets(
    targets: np.ndarray, groups: list[np.ndarray], labels: np.ndarray, growth: Growth, *, ddof: int = 0
) -> np.ndarray:
    """Compute `set_bias` of growing X and Y; s is computed once: (n_shuffles, steps)."""
    values = word_bias(targets, groups)
    sides = [values[labels == 0], values[labels == 1]]
    is_used = np.hstack(
        [np.arange(o.shape[1]) < n[:, None] for o, n in zip(growth.shuffles, growth.sizes.T, strict=True)]
    )
    effects = []
    for part in growth.blocks(is_used.shape[1]):
        first, second = part.means(sides)
        both = np.hstack([side[order] for side, order in zip(sides, part.shuffles, strict=True)])[:, None]
        means = (both * is_used).sum(axis=-1, keepdims=True) / growth.n_words[:, None]
        variance = (is_used * (both - means) ** 2).sum(axis=-1) / growth.n_words
        effects.append(_effect(first - second, variance, growth.n_words, ddof))
    return np.concatenate(effects)


def set_bias_growing_groups(
    targets: np.ndarray, groups: list[np.ndarray], labels: np.ndarray, growth: Growth, *, ddof: int = 0
) -> np.ndarray:
    """Compute `set_bias` with growing groups, from cumulative sums of their unit vectors: (n_shuffles, steps)."""
    cosines = [unit(group) @ unit(targets).T for group in groups]
    x, y = np.flatnonzero(labels == 0), np.flatnonzero(labels == 1)
    effects = []
    for part in growth.blocks(len(targets)):
        first, second = part.means(cosines)
        values = part.draw(first - second)
        difference = values[..., x].mean(axis=-1) - values[..., y].mean(axis=-1)
        effects.append(_effect(difference, values.var(axis=-1), len(targets), ddof))
    return np.concatenate(effects)


def _effect(difference: np.ndarray, variance: np.ndarray, total: np.ndarray | int, ddof: int) -> np.ndarray:
    """Divide differences of means by standard deviations; NaN if all values are equal."""
    with np.errstate(invalid="ignore", divide="ignore"):
        spread = np.sqrt(np.maximum(variance, 0) * total / (total - ddof))
        return np.where((spread > MIN_SPREAD) & (np.asarray(total) > ddof), difference / spread, np.nan)
