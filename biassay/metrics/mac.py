"""MAC (mean average cosine distance): how far are targets from the groups?

mean_j mean_{a in A_j} (1 − cos(w, a))
set: mean over the targets
"""

import numpy as np

from biassay.measurement.metric import Level, Metric
from biassay.statistics.geometry import mean_units, project, unit
from biassay.statistics.growth import Growth

METRIC = Metric(
    summary="mean cosine distance to the words of a group, averaged over groups and targets",
    source="Manzini et al. 2019; same-2021 eq 7–8",
    cite=("manzini2019", "schroeder2021"),
    avoid=(
        "To compare groups: it measures how close targets are to all groups together, and hardly changes if words "
        "are moved between groups (silhouette study). 1 does not mean that there is no bias (properties study)."
    ),
    groups=(1, None),
    word=Level(0.0, 2.0, 1.0, undefined="a target, or a word of a group, is zero"),
    set=Level(0.0, 2.0, 1.0, undefined="a target, or a word of a group, is zero"),
    aggregate="mean",
)


def word_bias(targets: np.ndarray, groups: list[np.ndarray]) -> np.ndarray:
    """Compute mean_j mean_{a in A_j} (1 − cos(w, a)) of each target (same-2021 eq 7).

    Every group has the same weight. From 0 to 2, without sign; 1 means no bias. NaN for a zero vector.
    """
    return 1 - project(targets, mean_units(groups).mean(axis=0))


def set_bias(targets: np.ndarray, groups: list[np.ndarray]) -> float:
    """Compute the mean over targets (eq 8): 0 to 2; 1 means no bias."""
    return float(word_bias(targets, groups).mean())


def set_bias_growing_groups(targets: np.ndarray, groups: list[np.ndarray], growth: Growth) -> np.ndarray:
    """Compute `set_bias` with growing groups, from their cosines: (n_shuffles, steps)."""
    cosines = [unit(group) @ unit(targets).T for group in groups]
    blocks = growth.blocks(len(targets))
    return np.concatenate([1 - part.draw(np.mean(part.means(cosines), axis=0)).mean(axis=-1) for part in blocks])
