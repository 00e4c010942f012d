"""gWEAT: is each group associated with its own targets? WEAT's statistic for any number of groups.

Σ_i (X̄_i − μ)·(Ā_i − Ā),  μ the mean of all X̄_i, Ā the mean of all Ā_i
"""

import numpy as np

from biassay.measurement.metric import Level, Metric
from biassay.statistics.geometry import mean_units, unit
from biassay.statistics.growth import Growth

METRIC = Metric(
    summary="sum over groups of the inner products of the centred means of its targets and of its words",
    source="Swinger et al. 2019; same-2024 eq 3",
    cite=("swinger2019", "schroeder2024"),
    avoid=(
        "To compare embeddings or groups: it has no bounds and grows with the distance between the groups' means "
        "(properties study). It only measures bias along the stereotypes that the labels state."
    ),
    groups=(2, None),
    set=Level(None, None, signed=lambda n: n == 2, labels=True, n_labels=(), undefined="a vector is zero"),
    scored="groups",
)


def set_bias(targets: np.ndarray, groups: list[np.ndarray], labels: np.ndarray) -> float:
    """Compute Σ_i (X̄_i − μ)·(Ā_i − Ā) (same-2024 eq 3).

    Means are of unit vectors; μ and Ā are means of the groups' means. Labels (n,) number the group that a target
    belongs to. Unbounded; positive if targets are closest to their own group, 0 for identical groups. With two groups,
    half the difference of the means of WEAT's s over X and Y. NaN for a zero vector.
    """
    labels = np.asarray(labels)
    target_means = mean_units([targets[labels == group] for group in range(len(groups))])
    group_means = mean_units(groups)
    return float(np.sum((target_means - target_means.mean(axis=0)) * (group_means - group_means.mean(axis=0))))


def set_bias_growing_targets(
    targets: np.ndarray, groups: list[np.ndarray], labels: np.ndarray, growth: Growth
) -> np.ndarray:
    """Compute `set_bias` of growing targets: (n_shuffles, steps). μ drops out, because Σ_i Ā_i − Ā = 0."""
    means = mean_units(groups)
    lists = [targets[labels == group] for group in range(len(groups))]
    products = [unit(rows) @ direction for rows, direction in zip(lists, means - means.mean(axis=0), strict=True)]
    return np.sum(growth.means(products), axis=0)


def set_bias_growing_groups(
    targets: np.ndarray, groups: list[np.ndarray], labels: np.ndarray, growth: Growth
) -> np.ndarray:
    """Compute `set_bias` with growing groups: (n_shuffles, steps)."""
    words, units, values = unit(targets).T, [unit(group) for group in groups], []
    is_own = labels == np.arange(len(groups))[:, None]
    for part in growth.blocks(max(words.shape)):
        means = np.stack(part.means(units))
        cosines = [
            part.draw(mean @ words)[..., own] for mean, own in zip(means - means.mean(axis=0), is_own, strict=True)
        ]
        values.append(np.sum([cosine.mean(axis=-1) for cosine in cosines], axis=0))
    return np.concatenate(values)
