"""ECT: embedding coherence test, whether two groups order the target words alike.

1 − ρ( (cos(Ā_1, c))_c, (cos(Ā_2, c))_c ),  ρ Spearman's, over the target words c
"""

import numpy as np
import scipy

from biassay.measurement.metric import Level, Metric, Range
from biassay.numerics.geometry import cosine, unit
from biassay.numerics.growth import Growth
from biassay.numerics.ranks import growing_spearman

METRIC = Metric(
    summary="1 − Spearman correlation of the target words' cosines with the mean vectors of two groups",
    source="Dev and Phillips 2019; silhouette-2021",
    cite=("dev2019", "spliethoever2021"),
    avoid=(
        "To test whether there is any bias: its value without bias is reached by groups that are alike in "
        "everything only, and on text without bias its test rejected in all draws (silhouette study). Nor with a "
        "handful of target words."
    ),
    set=Level(
        0.0, 2.0, undefined="all cosines with a group's mean are equal, as for a single target, or a vector is zero"
    ),
    scale_invariant=False,
    exempt="it orders target words by a group; no value of it is about one target and all groups",
)

RANKED = 1 << 18  # cosines ranked at a time


def adjust_range(declared: Range, level: str, labels: np.ndarray | None, options: dict) -> Range:
    """Of ρ itself with the option raw: −1 to 1, 1 without bias."""
    return Range(-1.0, 1.0, 1.0, False) if options.get("raw") else declared


def set_bias(targets: np.ndarray, groups: list[np.ndarray], *, raw: bool = False) -> float:
    """1 − ρ between the cosines of target words (n, d), with the mean vectors of two groups (m_i, d):
    0 to 2, 0 means no bias. `raw` gives ρ itself: −1 to 1, 1 means no bias.

    Means are of the vectors as they are, so that lengths count. Ties have their mean rank. Identical groups give 0.
    NaN where one side's cosines are all equal, as for a single target word, and for a zero vector.
    """
    cosines = cosine(np.stack([np.mean(group, axis=0, dtype=np.float64) for group in groups]), targets)
    if not np.isfinite(cosines).all():
        return np.nan
    first, second = (ranks - ranks.mean() for ranks in scipy.stats.rankdata(np.round(cosines, 12), axis=1))
    lengths = np.sqrt((first @ first) * (second @ second))
    if lengths == 0:
        return np.nan
    rho = float(np.clip(first @ second / lengths, -1, 1))
    return rho if raw else 1 - rho


def set_bias_growing_targets(targets: np.ndarray, groups: list[np.ndarray], growth: Growth, *, raw: bool = False) -> np.ndarray:
    """Values of growing target words, whose cosines are computed once: (n, steps)."""
    means = np.stack([np.mean(group, axis=0, dtype=np.float64) for group in groups])
    cosines = np.round(cosine(means, targets), 12)
    if not np.isfinite(cosines).all():
        return np.full((growth.n_shuffles, len(growth.sizes)), np.nan)
    rho = growing_spearman(*cosines, growth.shuffles[0], growth.sizes[:, 0])
    return rho if raw else 1 - rho


def set_bias_growing_groups(targets: np.ndarray, groups: list[np.ndarray], growth: Growth, *, raw: bool = False) -> np.ndarray:
    """Values with growing groups: (n, steps)."""
    words, found, means = unit(targets).T, [], list(growth.means(groups))
    at_once = max(1, RANKED // (len(growth.sizes) * len(targets)))  # ranks of few rows take as long as those of many
    for start in range(0, len(means), at_once):
        sides = map(np.concatenate, zip(*means[start : start + at_once], strict=True))
        first, second = (scipy.stats.rankdata(np.round(unit(side) @ words, 12), axis=1) for side in sides)
        first, second = (ranks - (len(targets) + 1) / 2 for ranks in (first, second))
        with np.errstate(invalid="ignore"):
            lengths = np.sqrt((first**2).sum(axis=1) * (second**2).sum(axis=1))
            found.append(np.clip((first * second).sum(axis=1) / lengths, -1, 1))
    rho = np.concatenate(found).reshape(growth.n_shuffles, len(growth.sizes))
    return rho if raw else 1 - rho
