"""Neighbours: do targets of the same stereotype have similar vectors?

(1/k) Σ_{v in N_k(w)} [ label_v = label_w ],  N_k(w) the k nearest other targets
set: mean over the targets
"""

from typing import Annotated

import numpy as np

from biassay.measurement.metric import Level, Metric
from biassay.statistics.geometry import unit

METRIC = Metric(
    summary="share of a target's nearest other targets with the same stereotype label",
    source="Gonen and Goldberg 2019; intrinsic-2023 §3.3",
    cite=("gonen2019", "schroeder2023"),
    avoid=(
        "Without its chance level, which depends on the shares of the labels; with fewer than a few hundred targets, "
        "of which 100 neighbours are nearly all. No value means that there is no bias."
    ),
    groups=(0, 0),
    word=Level(0.0, 1.0, None, labels=True, n_labels=(2, None), undefined="a vector is zero, or a target is alone"),
    set=Level(0.0, 1.0, None, labels=True, n_labels=(2, None), undefined="a vector is zero, or a target is alone"),
    aggregate="mean",
)

CHUNK = 1 << 22  # cosines held at a time


def word_bias(
    targets: np.ndarray,
    groups: list[np.ndarray],
    labels: np.ndarray,
    *,
    n_neighbors: Annotated[int, "1 <= x <= 1000000"] = 100,
    normalize: bool = True,
    include_self: bool = False,
) -> np.ndarray:
    """Compute the share of each target's nearest other targets, by cosine, that have its label.

    At most n − 1 neighbours are used. A duplicate vector is another target. From 0 to 1, without sign; by chance,
    (count of the label − 1) / (n − 1). All NaN if a vector is zero.

    Parameters
    ----------
    normalize : bool
        Whether the nearest targets are those of the largest cosine; otherwise those of the smallest Euclidean distance.
    include_self : bool
        Whether a target is its own first neighbour (intrinsic-2023).
    """
    return _shares(targets, np.asarray(labels)[None], None, n_neighbors, normalize, include_self)[0]


def set_bias(
    targets: np.ndarray,
    groups: list[np.ndarray],
    labels: np.ndarray,
    *,
    n_neighbors: Annotated[int, "1 <= x <= 1000000"] = 100,
    normalize: bool = True,
    include_self: bool = False,
) -> float:
    """Compute the mean over targets: 0 to 1."""
    options = {"n_neighbors": n_neighbors, "normalize": normalize, "include_self": include_self}
    return float(word_bias(targets, groups, labels, **options).mean())


def set_bias_by_case(
    targets: np.ndarray, groups: list[np.ndarray], labels: np.ndarray, cases: np.ndarray, **options: object
) -> float:
    """Compute the mean share among neighbours of other cases (n,), such as the words that sentences belong to."""
    numbers = np.unique(cases, return_inverse=True)[1]
    return float(_shares(targets, np.asarray(labels)[None], numbers, **options).mean())


def set_bias_by_labels(
    targets: np.ndarray, groups: list[np.ndarray], labels: np.ndarray, **options: object
) -> np.ndarray:
    """Compute `set_bias` for each row of labels (m, n); the neighbours do not depend on them: (m,)."""
    return _shares(targets, labels, None, **options).mean(axis=1)


def _shares(
    targets: np.ndarray,
    labels: np.ndarray,
    cases: np.ndarray | None,
    n_neighbors: int = 100,
    normalize: bool = True,
    include_self: bool = False,
) -> np.ndarray:
    """Compute the shares of the nearest targets of other cases that have the same label, by row of labels: (m, n)."""
    rows = unit(targets) if normalize else np.asarray(targets, np.float64)
    cases = np.arange(len(rows)) if cases is None else cases
    n_neighbors = min(n_neighbors, len(rows) - int(np.bincount(cases).max()) + include_self)
    if not np.isfinite(rows).all() or n_neighbors < 1:
        return np.full(labels.shape, np.nan)
    half_squares = 0.0 if normalize else (rows**2).sum(axis=1) / 2  # x·y − ‖y‖²/2 falls with the distance of x and y
    shares, step = np.empty(labels.shape), max(1, CHUNK // len(rows))
    for start in range(0, len(rows), step):
        some = slice(start, start + step)
        nearness = rows[some] @ rows.T - half_squares
        nearness[cases[some, None] == cases] = -np.inf
        if include_self:
            nearness[np.arange(len(nearness)), np.arange(len(rows))[some]] = np.inf
        nearest = np.argpartition(-nearness, n_neighbors - 1, axis=1)[:, :n_neighbors]
        for row_labels, row_shares in zip(labels, shares, strict=True):
            row_shares[some] = (row_labels[nearest] == row_labels[some, None]).mean(axis=1)
    return shares
