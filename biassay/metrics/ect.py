"""ECT (embedding coherence test): do the similarities to two groups rank the targets alike?

1 − ρ( (cos(Ā_1, c))_c, (cos(Ā_2, c))_c ),  ρ Spearman's correlation over the targets c
"""

import numpy as np

from biassay.measurement.metric import Level, Metric, Range
from biassay.statistics.correlation import spearman
from biassay.statistics.geometry import cosine, unit
from biassay.statistics.growth import Growth

METRIC = Metric(
    summary="1 − Spearman correlation of the targets' cosines with the mean vectors of two groups",
    source="Dev and Phillips 2019; silhouette-2021",
    cite=("dev2019", "spliethoever2021"),
    avoid=(
        "To test whether there is any bias: only groups that are alike in every respect reach the value without bias, "
        "and on text without bias its test always rejected (silhouette study). With a handful of targets."
    ),
    set=Level(
        0.0, 2.0, undefined="all cosines with a group's mean are equal, as with a single target, or a vector is zero"
    ),
    scale_invariant=False,
    exempt="it ranks the targets by one group; it has no value for one target and all groups",
)

MAX_SORTED = 1 << 22  # words of all subsets that are sorted; for more, loading the compiled code is worth it


def adjust_range(declared: Range, level: str, labels: np.ndarray | None, options: dict) -> Range:
    """Return the range of ρ for raw=True."""
    return Range(-1.0, 1.0, 1.0, False) if options.get("raw") else declared


def set_bias(targets: np.ndarray, groups: list[np.ndarray], *, raw: bool = False) -> float:
    """Compute 1 − ρ of the targets' cosines with the mean vectors of two groups.

    Means are of vectors as they are, so lengths count. Ties get their mean rank. From 0 to 2, without sign; 0 means no
    bias. raw=True returns ρ itself, from −1 to 1; 1 means no bias. NaN if all cosines of one side are equal, as with a
    single target, and for a zero vector.
    """
    cosines = cosine(np.stack([np.mean(group, axis=0, dtype=np.float64) for group in groups]), targets)
    if not np.isfinite(cosines).all():
        return np.nan
    rho = float(spearman(*np.round(cosines, 12)))
    return rho if raw else 1 - rho


def set_bias_growing_targets(
    targets: np.ndarray, groups: list[np.ndarray], growth: Growth, *, raw: bool = False
) -> np.ndarray:
    """Compute `set_bias` of growing targets; their cosines are computed once: (n_shuffles, steps)."""
    means = np.stack([np.mean(group, axis=0, dtype=np.float64) for group in groups])
    cosines = np.round(cosine(means, targets), 12)
    if not np.isfinite(cosines).all():
        return np.full((growth.n_shuffles, len(growth.sizes)), np.nan)
    order, sizes = growth.shuffles[0], growth.sizes[:, 0]
    if len(order) * sizes.sum() <= MAX_SORTED:
        rho = np.stack([spearman(*cosines[:, order[:, :size]]) for size in sizes], axis=1)
    else:
        from biassay.statistics.ranks import growing_spearman

        rho = growing_spearman(*cosines, order, sizes)
    return rho if raw else 1 - rho


def set_bias_growing_groups(
    targets: np.ndarray, groups: list[np.ndarray], growth: Growth, *, raw: bool = False
) -> np.ndarray:
    """Compute `set_bias` with growing groups: (n_shuffles, steps)."""
    words, rhos = unit(targets).T, []
    for part in growth.blocks(max(words.shape)):
        first, second = (part.draw(np.round(unit(means) @ words, 12)) for means in part.means(groups))
        rhos.append(spearman(first, second))
    rho = np.concatenate(rhos)
    return rho if raw else 1 - rho
