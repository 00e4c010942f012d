"""Clustering test: does k-means find two stereotyped groups of targets by itself?

max(a, 1 − a),  a = (1/n) Σ_i [ cluster(w_i) = label_i ]
"""

from typing import Annotated

import numpy as np

from biassay.measurement.metric import Level, Metric
from biassay.numerics.geometry import unit

METRIC = Metric(
    summary="accuracy of two clusters of targets against their stereotype labels",
    source="Gonen and Goldberg 2019; intrinsic-2023 §3.3",
    cite=("gonen2019", "schroeder2023"),
    avoid=(
        "With few targets, where two clusters agree with any labels in more than half of them by chance; and for "
        "more than two groups. In our intrinsic study no strength of planted bias was detected reliably by it."
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
    """Share of targets (n, d) labelled 0 or 1 that k-means (k = 2, on unit vectors, the best of `starts`) puts with
    their label, the better of both ways to name the clusters: 0.5 to 1, 0.5 means no bias; no groups, no sign.

    Few targets, or labels in unequal shares, give more than 0.5 by chance alone. NaN for a zero vector.
    """
    return float(set_bias_by_labels(targets, groups, np.asarray(labels)[None], n_init=n_init, seed=seed)[0])


def set_bias_by_labels(
    targets: np.ndarray,
    groups: list[np.ndarray],
    labels: np.ndarray,
    *,
    n_init: Annotated[int, "1 <= x <= 10000"] = 10,
    seed: Annotated[int, "0 <= x < 4294967296"] = 1,
) -> np.ndarray:
    """Values of labellings (k, n), which do not change the clusters: (k,)."""
    from sklearn.cluster import KMeans

    rows = unit(targets)
    if not np.isfinite(rows).all():
        return np.full(len(labels), np.nan)
    clusters = KMeans(2, n_init=n_init, random_state=seed).fit_predict(rows)
    agreement = (clusters == labels).mean(axis=1)
    return np.maximum(agreement, 1 - agreement)
