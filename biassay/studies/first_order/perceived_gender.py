"""Can a classifier tell the perceived gender of words from their vectors? (first-order paper, §7, Table 3)"""

from dataclasses import dataclass

import numpy as np
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import RepeatedStratifiedKFold

from biassay.numerics import logistic


@dataclass(frozen=True)
class Classifier:
    """What a classifier reached. accuracy, auc: of words held out, mean over repeats, and deviation: the accuracy's
    standard deviation over repeats (ddof 0). majority: share of the more frequent label, which an accuracy must beat;
    auc, .5 by chance, does not depend on it. weights: (m,) of the features, trained on all words, positive towards
    label 1. NaN, or None for weights, where labels are too few.
    """

    n: int
    majority: float
    accuracy: float
    deviation: float
    auc: float
    weights: np.ndarray | None


def classify(
    features: np.ndarray, labels: np.ndarray, *, c: float = 1.0, standardise: bool = False, folds: int = 5,
    repeats: int = 10, seed: int = 1,
) -> Classifier:  # fmt: skip
    """Logistic regression on features (n, m) with labels (n,) 0 or 1, cross-validated in stratified, seeded folds.

    It minimises ½‖w‖² + c Σ log(1 + exp(−y (w·x + b))), scikit-learn's objective with C = c and an intercept without
    penalty, at its optimum. Features are taken as they are, or each divided by its standard deviation over all n words
    (`standardise`; no label enters). The optimum lies in the span of the rows, so that their products with each other
    do: the same predictions, in seconds for any m. Accuracy is NaN if a label has fewer words than there are folds.
    """
    labels = np.asarray(labels) == 1
    fewer = int(min(labels.sum(), (~labels).sum()))
    majority = 1 - fewer / len(labels) if len(labels) else np.nan
    rows = np.array(features, np.float64)
    rows -= rows.mean(axis=0)  # the intercept takes up any shift
    if standardise:
        deviations = rows.std(axis=0)
        rows /= np.where(deviations > 0, deviations, 1)
    if fewer == 0:
        return Classifier(len(labels), majority, np.nan, np.nan, np.nan, None)
    gram = rows @ rows.T
    weights = logistic.fit_gram(gram, labels, c)[0] @ rows
    scores = np.full((1, 2), np.nan)
    if fewer >= folds:
        scores = _cross_validate(gram, labels, c, folds, repeats, seed)
    accuracy, auc = scores.mean(axis=0).tolist()
    return Classifier(len(labels), majority, accuracy, float(scores[:, 0].std()), auc, weights)


def _cross_validate(gram: np.ndarray, labels: np.ndarray, c: float, folds: int, repeats: int, seed: int) -> np.ndarray:
    """Accuracy and area under the curve of words held out, mean over folds: (repeats, 2).

    From the products of the rows with each other (n, n).
    """
    split = RepeatedStratifiedKFold(n_splits=folds, n_repeats=repeats, random_state=seed).split(gram, labels)
    scores = []
    for train, test in split:
        parts, intercept = logistic.fit_gram(gram[np.ix_(train, train)], labels[train], c)
        values = gram[np.ix_(test, train)] @ parts + intercept
        scores.append((np.mean((values > 0) == labels[test]), roc_auc_score(labels[test], values)))
    return np.array(scores).reshape(repeats, folds, 2).mean(axis=1)
