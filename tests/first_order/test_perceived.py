"""The classifier of perceived gender: results as of scikit-learn on the features themselves."""

from functools import partial

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import RepeatedStratifiedKFold, cross_validate

from biassay.studies.first_order import perceived_gender

RANDOM = np.random.default_rng(6)
LABELS = np.arange(60) % 3 == 0
NOISE = RANDOM.standard_normal((60, 400))
PLANTED = NOISE + np.outer(np.where(LABELS, 4.0, -4.0), np.eye(400)[7])
classify = partial(perceived_gender.classify, **{"c": 1.0, "folds": 5, "repeats": 2, "seed": 1})


@pytest.mark.parametrize("features", [PLANTED / 3, PLANTED[:, :20] / 3, NOISE], ids=["wide", "narrow", "noise"])
def test_results_do_not_depend_on_the_components(features):
    result = classify(features, LABELS, c=0.5, seed=4)
    model = LogisticRegression(C=0.5, tol=1e-8, solver="newton-cg")
    np.testing.assert_allclose(result.weights, model.fit(features, LABELS).coef_[0], atol=1e-6)
    folds = RepeatedStratifiedKFold(n_splits=5, n_repeats=2, random_state=4)
    scores = cross_validate(model, features, LABELS, cv=folds, scoring=("accuracy", "roc_auc"))
    accuracies = scores["test_accuracy"].reshape(2, 5).mean(axis=1)
    assert (result.n, result.majority) == (60, pytest.approx(2 / 3))
    assert (result.accuracy, result.accuracy_std) == pytest.approx((accuracies.mean(), accuracies.std()))
    assert result.auc == pytest.approx(scores["test_roc_auc"].mean())


def test_seed_and_rare_labels():
    runs = [classify(NOISE, LABELS, seed=seed).accuracy for seed in (1, 1, 2)]
    assert runs[0] == runs[1] != runs[2]
    few = classify(PLANTED, np.arange(60) < 4)
    assert np.isnan([few.accuracy, few.auc]).all()
    assert few.weights is not None
    enough = classify(PLANTED, np.arange(60) < 5)  # one for each fold
    assert np.isfinite([enough.accuracy, enough.auc]).all()
    one = classify(PLANTED, np.zeros(60))
    assert (one.majority, one.weights) == (1, None)
