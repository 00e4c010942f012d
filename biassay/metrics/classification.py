"""Classification test: can a classifier tell stereotyped groups of targets apart?"""

import numpy as np

from biassay.measurement.metric import Level, Metric
from biassay.numerics.geometry import ZERO, unit

METRIC = Metric(
    summary="cross-validated accuracy of a classifier of the targets' stereotype labels",
    source="Gonen and Goldberg 2019; intrinsic-2023 §3.3",
    groups=(0, 0),
    set=Level(0.0, 1.0, lambda n: 1 / n, labels=True, classes=(2, None)),
)


def set_bias(
    targets: np.ndarray, attributes: list[np.ndarray], labels: np.ndarray, *, folds: int = 5, c: float = 1.0,
    balanced: bool = False, seed: int = 1,
) -> float:  # fmt: skip
    """Accuracy of an RBF support vector machine on targets (n, d) with n labels, over stratified folds: 0 to 1, 1/n
    means no bias; no attributes, no sign.

    Vectors are of unit length, and γ = 1 / (their total variance), which no rotation changes. A finite sample can fall
    below 1/n. With labels in unequal shares chance is the largest share; `balanced` gives the mean of the labels'
    recalls, whose chance is 1/n. At most as many folds as the rarest label has targets, ValueError if that is one.
    NaN for a zero vector, and where all vectors are the same.
    """
    from sklearn.metrics import accuracy_score, balanced_accuracy_score
    from sklearn.model_selection import StratifiedKFold, cross_val_predict
    from sklearn.svm import SVC

    rows, labels = unit(targets), np.asarray(labels)
    spread = rows.var(axis=0).sum()
    if not spread > ZERO**2:  # nor is NaN, of a zero vector
        return np.nan
    rarest = int(np.unique(labels, return_counts=True)[1].min())
    if min(folds, rarest) < 2:
        raise ValueError(f"classification: needs 2 targets a label and 2 folds; got {rarest} and {folds}")
    split = StratifiedKFold(min(folds, rarest), shuffle=True, random_state=seed)
    machine = SVC(C=c, gamma=1 / spread)
    score = balanced_accuracy_score if balanced else accuracy_score
    return float(score(labels, cross_val_predict(machine, rows, labels, cv=split)))
