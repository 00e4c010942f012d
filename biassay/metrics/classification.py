"""Classification: can a classifier predict which group a target is stereotyped as?

accuracy = (1/n) Σ_i [ f(w_i) = label_i ],  f a support vector machine trained without the fold of w_i
"""

from typing import Annotated

import numpy as np

from biassay.measurement.metric import Level, Metric
from biassay.statistics.geometry import ZERO, unit

METRIC = Metric(
    summary="cross-validated accuracy of a classifier that predicts the targets' stereotype labels",
    source="Gonen and Goldberg 2019; intrinsic-2023 §3.3",
    cite=("gonen2019", "schroeder2023"),
    avoid=(
        "With few targets or unbalanced labels, where accuracy exceeds 1/n by chance (use balanced=True and a "
        "permutation p-value). It shows that the labels can be learned from the vectors, not that the groups are "
        "the reason."
    ),
    groups=(0, 0),
    set=Level(
        0.0, 1.0, lambda n: 1 / n, labels=True, n_labels=(2, None), undefined="a vector is zero, or all are equal"
    ),
)


def set_bias(
    targets: np.ndarray,
    groups: list[np.ndarray],
    labels: np.ndarray,
    *,
    n_folds: Annotated[int, "2 <= x <= 1000"] = 5,
    c: Annotated[float, "0 < x <= 1e12"] = 1.0,
    normalize: bool = True,
    balanced: bool = False,
    seed: Annotated[int, "0 <= x < 4294967296"] = 1,
) -> float:
    """Compute the accuracy of an RBF support vector machine over stratified folds.

    Targets (n, d) are unit vectors if `normalize`; γ = 1 / (their total variance), which rotations preserve. The number
    of folds is at most the number of targets of the rarest label; ValueError if a label has a single target. `balanced`
    averages the recalls of the labels; otherwise the chance level of unbalanced labels is the largest share. From 0 to
    1, without sign; 1 / (number of labels) means no bias, but a finite sample can fall below it. The folds, and with
    few targets the value, depend on the order of the targets. NaN if all vectors are equal, or if a vector to normalise
    is zero.
    """
    labels = np.asarray(labels)
    rarest = int(np.unique(labels, return_counts=True)[1].min())
    if min(n_folds, rarest) < 2:
        raise ValueError(
            f"classification: expected at least 2 targets per label and 2 folds, got {rarest} and {n_folds}"
        )
    return float(_accuracies(targets, labels[None], None, rarest, n_folds, c, normalize, balanced, seed)[0])


def set_bias_by_case(
    targets: np.ndarray, groups: list[np.ndarray], labels: np.ndarray, cases: np.ndarray, **options: object
) -> float:
    """Compute the accuracy with all targets of a case in the same fold.

    cases (n,): such as the word that a sentence belongs to; a case has one label. NaN for a label with a single case.
    """
    labels = np.asarray(labels)
    rarest = min(len(np.unique(cases[labels == label])) for label in np.unique(labels))
    return float(_accuracies(targets, labels[None], cases, rarest, **options)[0]) if rarest > 1 else np.nan


def set_bias_by_labels(
    targets: np.ndarray, groups: list[np.ndarray], labels: np.ndarray, **options: object
) -> np.ndarray:
    """Compute `set_bias` for each row of labels (m, n), which contain each label equally often: (m,)."""
    return _accuracies(targets, labels, None, int(np.unique(labels[0], return_counts=True)[1].min()), **options)


def _accuracies(
    targets: np.ndarray,
    labels: np.ndarray,
    cases: np.ndarray | None,
    rarest: int,
    n_folds: int = 5,
    c: float = 1.0,
    normalize: bool = True,
    balanced: bool = False,
    seed: int = 1,
) -> np.ndarray:
    """Compute the cross-validated accuracy for each row of labels (m, n): (m,)."""
    from sklearn.metrics.pairwise import rbf_kernel
    from sklearn.model_selection import StratifiedGroupKFold, StratifiedKFold
    from sklearn.svm import _libsvm as libsvm  # ASSUME: as in scikit-learn 1.4 to 1.9; SVC takes ten times as long

    rows = unit(targets) if normalize else np.asarray(targets, np.float64)
    spread = rows.var(axis=0).sum()
    if not spread > ZERO**2:  # also true of NaN, from a zero vector
        return np.full(len(labels), np.nan)
    kernel, predictions = rbf_kernel(rows, gamma=1 / spread), np.empty(labels.shape)
    labels = np.unique(labels, return_inverse=True)[1].reshape(labels.shape).astype(float)
    kind, n_folds = StratifiedKFold if cases is None else StratifiedGroupKFold, min(n_folds, rarest)
    split = kind(n_folds, shuffle=True, random_state=seed)
    libsvm.set_verbosity_wrap(0)
    for true, predicted in zip(labels, predictions, strict=True):
        for train, test in split.split(rows, true, cases):
            machine = libsvm.fit(kernel[train].take(train, axis=1), true[train], kernel="precomputed", C=c)
            predicted[test] = libsvm.predict(kernel[test].take(train, axis=1), *machine[:7], kernel="precomputed")
    correct = predictions == labels
    if not balanced:
        return correct.mean(axis=1)
    recalls = [(correct & (labels == label)).sum(axis=1) / (labels == label).sum(axis=1) for label in np.unique(labels)]
    return np.mean(recalls, axis=0)
