"""Classification test: can a classifier tell stereotyped groups of targets apart?

accuracy = (1/n) Σ_i [ f(w_i) = label_i ],  f a support vector machine that was taught without w_i's fold
"""

from typing import Annotated

import numpy as np

from biassay.measurement.metric import Level, Metric
from biassay.numerics.geometry import ZERO, unit

METRIC = Metric(
    summary="cross-validated accuracy of a classifier of the targets' stereotype labels",
    source="Gonen and Goldberg 2019; intrinsic-2023 §3.3",
    cite=("gonen2019", "schroeder2023"),
    avoid=(
        "With few targets or labels in unequal shares, where accuracy above 1/n comes by chance (take "
        "balanced=True and a permutation p). It tells that labels can be learnt from vectors, not that the groups "
        "are the reason."
    ),
    groups=(0, 0),
    set=Level(
        0.0, 1.0, lambda n: 1 / n, labels=True, classes=(2, None), undefined="a vector is zero, or all are equal"
    ),
)


def set_bias(
    targets: np.ndarray, groups: list[np.ndarray], labels: np.ndarray, *,
    n_folds: Annotated[int, "2 <= x <= 1000"] = 5, c: Annotated[float, "0 < x <= 1e12"] = 1.0,
    balanced: bool = False, seed: Annotated[int, "0 <= x < 4294967296"] = 1,
) -> float:  # fmt: skip
    """Accuracy of an RBF support vector machine on targets (n, d) with n labels, over stratified folds: 0 to 1, 1/n
    means no bias; no groups, no sign.

    Vectors are of unit length, and γ = 1 / (their total variance), which no rotation changes. A finite sample can fall
    below 1/n. With labels in unequal shares chance is the largest share; `balanced` gives the mean of the labels'
    recalls, whose chance is 1/n. At most as many folds as the rarest label has targets, ValueError if that is one.
    NaN for a zero vector, and where all vectors are the same.
    """
    from sklearn.model_selection import StratifiedKFold

    labels = np.asarray(labels)
    rarest = int(np.unique(labels, return_counts=True)[1].min())
    if min(n_folds, rarest) < 2:
        raise ValueError(f"classification: needs 2 targets a label and 2 folds; got {rarest} and {n_folds}")
    split = StratifiedKFold(min(n_folds, rarest), shuffle=True, random_state=seed)
    return _accuracy(targets, labels, None, split, c, balanced)


def set_bias_by_case(
    targets: np.ndarray, groups: list[np.ndarray], labels: np.ndarray, cases: np.ndarray, *,
    n_folds: Annotated[int, "2 <= x <= 1000"] = 5, c: Annotated[float, "0 < x <= 1e12"] = 1.0,
    balanced: bool = False, seed: Annotated[int, "0 <= x < 4294967296"] = 1,
) -> float:  # fmt: skip
    """The set's value where all targets of a case (n,), such as sentences of one word, are in the same fold, for they
    have one label: 0 to 1. NaN for a label of one case only."""
    from sklearn.model_selection import StratifiedGroupKFold

    labels = np.asarray(labels)
    rarest = min(len(np.unique(cases[labels == label])) for label in np.unique(labels))
    if rarest < 2:
        return np.nan
    split = StratifiedGroupKFold(min(n_folds, rarest), shuffle=True, random_state=seed)
    return _accuracy(targets, labels, cases, split, c, balanced)


def set_bias_by_labels(
    targets: np.ndarray, groups: list[np.ndarray], labels: np.ndarray, *,
    n_folds: Annotated[int, "2 <= x <= 1000"] = 5, c: Annotated[float, "0 < x <= 1e12"] = 1.0,
    balanced: bool = False, seed: Annotated[int, "0 <= x < 4294967296"] = 1,
) -> np.ndarray:  # fmt: skip
    """The set's values of labellings (k, n) with equally many of each label, which do not change the kernel: (k,)."""
    from sklearn import config_context
    from sklearn.metrics.pairwise import rbf_kernel
    from sklearn.model_selection import StratifiedKFold
    from sklearn.svm import SVC

    rows, rarest = unit(targets), int(np.unique(labels[0], return_counts=True)[1].min())
    spread = rows.var(axis=0).sum()
    if not spread > ZERO**2:
        return np.full(len(labels), np.nan)
    kernel, found = rbf_kernel(rows, gamma=1 / spread), np.empty(labels.shape, labels.dtype)
    split = StratifiedKFold(min(n_folds, rarest), shuffle=True, random_state=seed)
    with config_context(assume_finite=True, skip_parameter_validation=True):  # half of the time else
        for of_labelling, predicted in zip(labels, found, strict=True):
            for train, test in split.split(rows, of_labelling):
                machine = SVC(C=c, kernel="precomputed").fit(kernel[np.ix_(train, train)], of_labelling[train])
                predicted[test] = machine.predict(kernel[np.ix_(test, train)])
    right = found == labels
    if not balanced:
        return right.mean(axis=1)
    recalls = [(right & (labels == label)).sum(axis=1) / (labels == label).sum(axis=1) for label in np.unique(labels)]
    return np.mean(recalls, axis=0)


def _accuracy(
    targets: np.ndarray, labels: np.ndarray, cases: np.ndarray | None, split: object, c: float, balanced: bool
) -> float:
    """Accuracy over the folds of a split; NaN for a zero vector, and where all are the same."""
    from sklearn.metrics import accuracy_score, balanced_accuracy_score
    from sklearn.model_selection import cross_val_predict
    from sklearn.svm import SVC

    rows = unit(targets)
    spread = rows.var(axis=0).sum()
    if not spread > ZERO**2:  # nor is NaN, of a zero vector
        return np.nan
    score = balanced_accuracy_score if balanced else accuracy_score
    machine = SVC(C=c, gamma=1 / spread)
    return float(score(labels, cross_val_predict(machine, rows, labels, groups=cases, cv=split)))
