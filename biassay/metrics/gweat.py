"""gWEAT: WEAT's test statistic for any number of groups, each with its own targets.

Σ_i (X̄_i − μ)·(Ā_i − Ā),  μ the mean of all X̄_i, Ā the mean of all Ā_i
"""

import numpy as np

from biassay.measurement.metric import Level, Metric
from biassay.numerics.geometry import mean_units, unit
from biassay.numerics.growth import Growth

METRIC = Metric(
    summary="inner products of what is special to each group's targets with what is special to its groups, summed",
    source="Swinger et al. 2019; same-2024 eq 3",
    cite=("swinger2019", "schroeder2024"),
    avoid=(
        "To compare embeddings or groups: it has no bounds and grows with the distance of the groups' means "
        "(properties study). It sees only bias along the stereotypes that the labels state."
    ),
    groups=(2, None),
    set=Level(None, None, signed=lambda n: n == 2, labels=True, classes=(), undefined="a vector is zero"),
    scored="groups",
)


def set_bias(targets: np.ndarray, groups: list[np.ndarray], labels: np.ndarray) -> float:
    """Σ_i (X̄_i − μ)·(Ā_i − Ā) of targets (n, d) labelled with their group's number and groups (m_i, d).

    Means are of unit vectors, μ and Ā means of the groups' means. Positive where targets are nearest their own group;
    for two groups half the difference of the mean s over X and Y. 0 for identical groups, NaN for a zero vector.
    """
    labels = np.asarray(labels)
    of_targets = mean_units([targets[labels == group] for group in range(len(groups))])
    of_attributes = mean_units(groups)
    return float(np.sum((of_targets - of_targets.mean(axis=0)) * (of_attributes - of_attributes.mean(axis=0))))


def set_bias_growing_targets(targets: np.ndarray, groups: list[np.ndarray], labels: np.ndarray, growth: Growth) -> np.ndarray:
    """Values of growing targets: (n, steps). What is special to all groups together vanishes, Σ_i Ā_i − Ā = 0."""
    special = mean_units(groups)
    special -= special.mean(axis=0)
    products = [unit(targets[labels == group]) @ direction for group, direction in enumerate(special)]
    return np.stack([np.sum(means, axis=0) for means in growth.means(products)])


def set_bias_growing_groups(targets: np.ndarray, groups: list[np.ndarray], labels: np.ndarray, growth: Growth) -> np.ndarray:
    """Values with growing groups: (n, steps), likewise."""
    special = mean_units([targets[labels == group] for group in range(len(groups))])
    special -= special.mean(axis=0)
    products = [unit(group) @ direction for group, direction in zip(groups, special, strict=True)]
    return np.stack([np.sum(means, axis=0) for means in growth.means(products)])
