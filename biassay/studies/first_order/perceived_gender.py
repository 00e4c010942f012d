"""Classification of words by perceived gender, from their vectors (first-order paper, §7, Table 3)."""

from dataclasses import dataclass

import numpy as np
from scipy.linalg import svd
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import RepeatedStratifiedKFold, cross_validate


@dataclass(frozen=True)
class Classification:
    """Results of a classifier; NaN, or None for weights, if a label has too few words.

    Attributes
    ----------
    n : int
        Number of words.
    majority : float
        Share of the more frequent label. A useful accuracy is higher.
    accuracy, auc : float
        Of held-out words, mean over repeats. The AUC is 0.5 by chance and does not depend on `majority`.
    accuracy_std : float
        Standard deviation of the accuracy over repeats (ddof 0).
    weights : ndarray of shape (m,) or None
        Weights of the features after training on all words, positive towards label 1.
    """

    n: int
    majority: float
    accuracy: float
    accuracy_std: float
    auc: float
    weights: np.ndarray | None


def classify(
    features: np.ndarray, labels: np.ndarray, *, c: float, folds: int, repeats: int, seed: int
) -> Classification:
    """Cross-validate scikit-learn's LogisticRegression(C=c) of labels (n,), 0 or 1, on features (n, m).

    Its optimum is in the span of the rows, so the classifier works on their principal components: the predictions are
    the same, and the folds do not take longer with more features. The accuracy is NaN if a label has fewer words than
    there are folds.
    """
    labels = np.asarray(labels) == 1
    n_minority = int(min(labels.sum(), (~labels).sum()))
    majority = 1 - n_minority / len(labels) if len(labels) else np.nan
    if n_minority == 0:
        return Classification(len(labels), majority, np.nan, np.nan, np.nan, None)
    centred = features - features.mean(axis=0, dtype=np.float64)
    u, s, v = svd(centred, full_matrices=False)
    components = u * s
    model = LogisticRegression(C=c, tol=1e-8, solver="newton-cg")
    weights = model.fit(components, labels).coef_[0] @ v
    accuracies = aucs = np.array([np.nan])
    if n_minority >= folds:
        split = RepeatedStratifiedKFold(n_splits=folds, n_repeats=repeats, random_state=seed)
        scores = cross_validate(model, components, labels, cv=split, scoring=["accuracy", "roc_auc"])
        accuracies = scores["test_accuracy"].reshape(repeats, folds).mean(axis=1)
        aucs = scores["test_roc_auc"]
    return Classification(
        len(labels), majority, float(accuracies.mean()), float(accuracies.std()), float(aucs.mean()), weights
    )
