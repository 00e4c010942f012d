"""Classification of words by perceived gender, from their vectors (first-order paper, §7, Table 3)."""

from dataclasses import dataclass

import numpy as np
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import RepeatedStratifiedKFold

from biassay.statistics import logistic


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
    features: np.ndarray, labels: np.ndarray, *, c: float, standardise: bool, folds: int, repeats: int, seed: int
) -> Classification:
    """Cross-validate a logistic regression of labels (n,), 0 or 1, on features (n, m), in stratified folds.

    It minimises ½‖w‖² + c Σ log(1 + exp(−y (w·x + b))), scikit-learn's objective with C = c and an unpenalised
    intercept. The optimum is in the span of the rows, so the classifier works on the Gram matrix: the predictions are
    the same, and the time does not depend on m. `standardise` divides each feature by its standard deviation over all
    n words. The accuracy is NaN if a label has fewer words than there are folds.
    """
    labels = np.asarray(labels) == 1
    n_minority = int(min(labels.sum(), (~labels).sum()))
    majority = 1 - n_minority / len(labels) if len(labels) else np.nan
    if n_minority == 0:
        return Classification(len(labels), majority, np.nan, np.nan, np.nan, None)
    rows = np.array(features, np.float64)
    rows -= rows.mean(axis=0)  # the intercept absorbs any shift
    if standardise:
        deviations = rows.std(axis=0)
        rows /= np.where(deviations > 0, deviations, 1)
    gram = rows @ rows.T
    weights = logistic.fit_gram(gram, labels, c)[0] @ rows
    scores = np.full((1, 2), np.nan)
    if n_minority >= folds:
        scores = _cross_validate(gram, labels, c, folds, repeats, seed)
    accuracy, auc = scores.mean(axis=0).tolist()
    return Classification(len(labels), majority, accuracy, float(scores[:, 0].std()), auc, weights)


def _cross_validate(gram: np.ndarray, labels: np.ndarray, c: float, folds: int, repeats: int, seed: int) -> np.ndarray:
    """Return accuracy and AUC of held-out words, mean over folds, of shape (repeats, 2), from a Gram matrix (n, n)."""
    split = RepeatedStratifiedKFold(n_splits=folds, n_repeats=repeats, random_state=seed).split(gram, labels)
    scores = []
    for train, test in split:
        coefficients, intercept = logistic.fit_gram(gram[np.ix_(train, train)], labels[train], c)
        values = gram[np.ix_(test, train)] @ coefficients + intercept
        scores.append((np.mean((values > 0) == labels[test]), roc_auc_score(labels[test], values)))
    return np.array(scores).reshape(repeats, folds, 2).mean(axis=1)
