"""WEAT: are two sets of targets associated differently with two groups? SEAT is the same on sentence vectors.

s(w, A, B) = mean_{a in A} cos(w, a) − mean_{b in B} cos(w, b)
d = (mean_{x in X} s(x, A, B) − mean_{y in Y} s(y, A, B)) / std_{w in X ∪ Y} s(w, A, B)
"""

from typing import Annotated

import numpy as np

from biassay.measurement.metric import Level, Metric, Range
from biassay.numerics.geometry import mean_unit, project, unit
from biassay.numerics.growth import Growth

METRIC = Metric(
    summary="difference of the mean cosines with two groups; standardised difference of it between two target sets",
    source="Caliskan et al. 2017; same-2021 eq 3–4; SEAT: May et al. 2019",
    cite=("caliskan2017", "may2019", "schroeder2021"),
    avoid=(
        "To say how large a bias is: d divides by the spread of the associations, so that it reaches 1 and more "
        "on text without bias (silhouette study). Nor for sets of targets that follow no stereotype known "
        "beforehand."
    ),
    word=Level(-2.0, 2.0, signed=True, undefined="a target, or the mean of a group's unit vectors, is zero"),
    set=Level(-2.0, 2.0, signed=True, labels=True, undefined="all associations s are equal, or a vector is zero"),
    scored="groups",
)

SAME_VALUE = 1e-12  # a spread of cosines below this is rounding


def adjust_range(declared: Range, level: str, labels: np.ndarray | None, options: dict) -> Range:
    """At set level ± N/√(m(N−m)) for m targets of N with label 0, which is 2 for equal sizes (Theorem 5)."""
    if level == "word" or labels is None:
        return declared
    n, m = len(labels), int((np.asarray(labels) == 0).sum())
    most = n / np.sqrt(m * (n - m))
    return declared._replace(b_min=-most, b_max=most)


def word_bias(targets: np.ndarray, groups: list[np.ndarray]) -> np.ndarray:
    """s(w,A) − s(w,B) of targets (n, d) with two groups (m_i, d), eq 3: (n,), −2 to 2, positive towards the first.

    What can be reached is ±‖â − b̂‖ (Theorem 2). One-word groups give a difference of two cosines, identical groups 0.
    NaN for a zero vector.
    """
    first, second = groups
    return project(targets, mean_unit(first) - mean_unit(second))


def set_bias(
    targets: np.ndarray, groups: list[np.ndarray], labels: np.ndarray, *, ddof: Annotated[int, "0 <= x <= 1"] = 0
) -> float:
    """Effect size d of targets (n, d) labelled 0 (X) or 1 (Y), eq 4: the difference of the means of s over X and Y,
    divided by the standard deviation of s over both; positive if X is nearer the first group.

    |d| ≤ N/√(m(N−m)) with m = |X| of N targets, thus 2 for equal sizes, with ddof = 0 (Theorem 5 needs it; other code
    uses 1). NaN, never b_0, where all s are equal, as for identical groups.
    """
    values, labels = word_bias(targets, groups), np.asarray(labels)
    if len(values) <= ddof:
        return np.nan
    spread = values.std(ddof=ddof)
    if not spread > SAME_VALUE:
        return np.nan
    return float((values[labels == 0].mean() - values[labels == 1].mean()) / spread)


def set_bias_growing_targets(
    targets: np.ndarray,
    groups: list[np.ndarray],
    labels: np.ndarray,
    growth: Growth,
    *,
    ddof: Annotated[int, "0 <= x <= 1"] = 0,
) -> np.ndarray:
    """d of growing X and Y, s computed once: (n, steps)."""
    values = word_bias(targets, groups)
    x, y = values[labels == 0], values[labels == 1]
    taken = [np.arange(len(side)) < sizes[:, None] for side, sizes in zip((x, y), growth.sizes.T, strict=True)]
    found = np.empty((growth.n_shuffles, len(growth.sizes)))
    for row, first, second in zip(found, x[growth.shuffles[0]], y[growth.shuffles[1]], strict=True):
        means = [(part @ side) / part.sum(axis=1) for part, side in zip(taken, (first, second), strict=True)]
        both, part = np.concatenate([first, second]), np.hstack(taken)
        far = both - ((part @ both) / growth.n_words)[:, None]
        row[:] = _effect(means[0] - means[1], (part * far**2).sum(axis=1) / growth.n_words, growth.n_words, ddof)
    return found


def set_bias_growing_groups(
    targets: np.ndarray,
    groups: list[np.ndarray],
    labels: np.ndarray,
    growth: Growth,
    *,
    ddof: Annotated[int, "0 <= x <= 1"] = 0,
) -> np.ndarray:
    """d with growing A and B, from cumulative sums of their unit vectors: (n, steps)."""
    cosines = [unit(group) @ unit(targets).T for group in groups]
    x, y = np.flatnonzero(labels == 0), np.flatnonzero(labels == 1)
    found = np.empty((growth.n_shuffles, len(growth.sizes)))
    for row, (first, second) in zip(found, growth.means(cosines), strict=True):
        values = first - second
        difference = values[:, x].mean(axis=1) - values[:, y].mean(axis=1)
        row[:] = _effect(difference, values.var(axis=1), len(targets), ddof)
    return found


def _effect(difference: np.ndarray, variance: np.ndarray, total: np.ndarray | int, ddof: int) -> np.ndarray:
    """Differences of means over standard deviations; NaN where all values are equal."""
    with np.errstate(invalid="ignore", divide="ignore"):
        spread = np.sqrt(np.maximum(variance, 0) * total / (total - ddof))
        return np.where((spread > SAME_VALUE) & (np.asarray(total) > ddof), difference / spread, np.nan)
