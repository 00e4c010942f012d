"""Neighbour test: do targets of the same stereotype stand together?

(1/k) Σ_{v in N_k(w)} [ label_v = label_w ],  N_k(w) the k nearest other targets
set: mean over the targets
"""

from typing import Annotated

import numpy as np

from biassay.measurement.metric import Level, Metric
from biassay.numerics.geometry import unit

METRIC = Metric(
    summary="share of a target's nearest other targets that bear its stereotype label",
    source="Gonen and Goldberg 2019; intrinsic-2023 §3.3",
    cite=("gonen2019", "schroeder2023"),
    avoid=(
        "Without its chance level, which hangs on the labels' shares; and with fewer than some hundred targets, "
        "for k = 100 neighbours are then nearly all of them. It has no value that means no bias."
    ),
    groups=(0, 0),
    word=Level(
        0.0, 1.0, None, labels=True, classes=(2, None), undefined="a vector is zero, or there is a single target"
    ),
    set=Level(
        0.0, 1.0, None, labels=True, classes=(2, None), undefined="a vector is zero, or there is a single target"
    ),
    aggregate="mean",
)

TILE = 1 << 22  # cosines held at a time


def word_bias(
    targets: np.ndarray,
    groups: list[np.ndarray],
    labels: np.ndarray,
    *,
    n_neighbors: Annotated[int, "1 <= x <= 1000000"] = 100,
) -> np.ndarray:
    """Share of the k targets nearest by cosine, the target itself excluded, with the same label, of targets (n, d)
    with labels (n,): (n,), 0 to 1; no groups, no sign.

    What it is without bias depends on the labels' shares: (count − 1)/(n − 1) of a label. k is at most n − 1, where
    every target has that value. A duplicate row is another target. NaN for all where one has no direction.
    """
    return _shares(targets, labels, np.arange(len(targets)), n_neighbors)


def set_bias(
    targets: np.ndarray,
    groups: list[np.ndarray],
    labels: np.ndarray,
    *,
    n_neighbors: Annotated[int, "1 <= x <= 1000000"] = 100,
) -> float:
    """Mean over targets: 0 to 1."""
    return float(word_bias(targets, groups, labels, n_neighbors=n_neighbors).mean())


def set_bias_by_case(
    targets: np.ndarray, groups: list[np.ndarray], labels: np.ndarray, cases: np.ndarray, *,
    n_neighbors: Annotated[int, "1 <= x <= 1000000"] = 100,
) -> float:  # fmt: skip
    """The set's value where targets of the same case (n,), such as sentences of one word, are no neighbours of each
    other, for a case's targets have one label: 0 to 1."""
    return float(_shares(targets, labels, np.unique(cases, return_inverse=True)[1], n_neighbors).mean())


def set_bias_by_labels(
    targets: np.ndarray,
    groups: list[np.ndarray],
    labels: np.ndarray,
    *,
    n_neighbors: Annotated[int, "1 <= x <= 1000000"] = 100,
) -> np.ndarray:
    """The set's values of labellings (m, n), which do not change the neighbours: (m,)."""
    return _of_labellings(targets, labels, np.arange(len(targets)), n_neighbors).mean(axis=1)


def _shares(targets: np.ndarray, labels: np.ndarray, cases: np.ndarray, n_neighbors: int) -> np.ndarray:
    """Share of the k nearest targets of other cases with the same label: (n,)."""
    return _of_labellings(targets, np.asarray(labels)[None], cases, n_neighbors)[0]


def _of_labellings(targets: np.ndarray, labels: np.ndarray, cases: np.ndarray, n_neighbors: int) -> np.ndarray:
    """The same of several labellings (m, n): (m, n)."""
    if n_neighbors < 1:
        raise ValueError(f"n_neighbors: expected an integer ≥ 1, got {n_neighbors}")
    rows, labels = unit(targets), np.asarray(labels)
    n = len(rows)
    n_neighbors = min(n_neighbors, n - int(np.bincount(cases).max()))
    if not np.isfinite(rows).all() or n_neighbors < 1:
        return np.full(labels.shape, np.nan)
    shares = np.empty(labels.shape)
    step = max(1, TILE // n)
    for start in range(0, n, step):
        cosines = rows[start : start + step] @ rows.T
        cosines[cases[start : start + step, None] == cases] = -np.inf
        nearest = np.argpartition(-cosines, n_neighbors - 1, axis=1)[:, :n_neighbors]
        for of_labelling, found in zip(labels, shares, strict=True):
            same = of_labelling[nearest] == of_labelling[start : start + step, None]
            found[start : start + step] = same.mean(axis=1)
    return shares
