"""Clustering: do the two clusters of k-means agree with the stereotypes of the targets?

max(a, 1 − a),  a = (1/n) Σ_i [ cluster(w_i) = label_i ]
"""

from typing import Annotated

import numpy as np

from biassay.measurement.metric import Level, Metric
from biassay.statistics.geometry import unit

METRIC = Metric(
    summary="agreement of two clusters of targets with their stereotype labels",
    source="Gonen and Goldberg 2019; intrinsic-2023 §3.3",
    cite=("gonen2019", "schroeder2023"),
    avoid=(
        "With few targets, where two clusters agree with any labels on more than half of them by chance; with more "
        "than two groups. In our intrinsic study it detected no strength of planted bias reliably."
    ),
    groups=(0, 0),
    set=Level(0.5, 1.0, 0.5, labels=True, undefined="a vector is zero"),
)


def set_bias(
    targets: np.ndarray,
    groups: list[np.ndarray],
    labels: np.ndarray,
    *,
    n_init: Annotated[int, "1 <= x <= 10000"] = 10,
    seed: Annotated[int, "0 <= x < 4294967296"] = 1,
) -> float:
    """Compute the agreement of two k-means clusters of normalised vectors with the labels.

    Labels (n,) are 0 or 1. Clusters have no names, so the better of both assignments counts; they are the best of
    `n_init` initialisations. From 0.5 to 1, without sign. 0.5 means no bias; few targets or unbalanced labels exceed it
    by chance. The initialisations, and so the value, can depend on the order of the targets. NaN for a zero vector.
    """
    return float(set_bias_by_labels(targets, groups, np.asarray(labels)[None], n_init=n_init, seed=seed)[0])


def set_bias_by_labels(
    targets: np.ndarray, groups: list[np.ndarray], labels: np.ndarray, *, n_init: int = 10, seed: int = 1
) -> np.ndarray:
    """Compute `set_bias` for each row of labels (m, n); the clusters do not depend on them: (m,)."""
    from sklearn.cluster import KMeans

    rows = unit(targets)
    if not np.isfinite(rows).all():
        return np.full(len(labels), np.nan)
    clusters = KMeans(2, n_init=n_init, random_state=seed).fit_predict(rows)
    agreement = (clusters == labels).mean(axis=1)
    return np.maximum(agreement, 1 - agreement)
