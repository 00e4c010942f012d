"""The classifier of perceived gender: planted labels, and the same results as scikit-learn."""

from functools import partial

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import RepeatedStratifiedKFold, cross_val_score

from biassay.studies.first_order import perceived_gender

RANDOM = np.random.default_rng(6)
LABELS = np.arange(60) % 3 == 0
NOISE = RANDOM.standard_normal((60, 400))
PLANTED = NOISE + np.outer(np.where(LABELS, 4.0, -4.0), np.eye(400)[7])
classify = partial(perceived_gender.classify, **{"c": 1.0, "standardise": False, "folds": 5, "repeats": 2, "seed": 1})


def test_planted_labels_are_found_and_noise_is_not():
    result = classify(PLANTED, LABELS)
    assert (result.n, result.majority) == (60, pytest.approx(2 / 3))
    assert result.accuracy > 0.95
    assert result.auc > 0.97
    assert np.argmax(result.weights) == 7
    chance = classify(NOISE, LABELS)
    assert chance.accuracy < 0.75
    assert 0.25 < chance.auc < 0.75


@pytest.mark.parametrize("width", [400, 20])
def test_results_are_those_of_scikit_learn(width):
    features = PLANTED[:, :width] / 3
    result = classify(features, LABELS, c=0.5, seed=4)
    model = LogisticRegression(C=0.5, tol=1e-8, solver="newton-cg")
    np.testing.assert_allclose(result.weights, model.fit(features, LABELS).coef_[0], atol=1e-5)
    folds = RepeatedStratifiedKFold(n_splits=5, n_repeats=2, random_state=4)
    assert result.accuracy == pytest.approx(cross_val_score(model, features, LABELS, cv=folds).mean())


def test_standardising_makes_scales_equal():
    plain = classify(PLANTED, LABELS, standardise=True)
    scaled = classify(PLANTED * 10.0 ** RANDOM.integers(-2, 3, 400), LABELS, standardise=True)
    np.testing.assert_allclose(plain.weights, scaled.weights, rtol=1e-6, atol=1e-9)


def test_scale_is_a_weaker_or_stronger_penalty():
    """w·x and ‖w‖² / c stay the same for x · s, w / s, c / s²; with more rows than features some axes are rounding."""
    plain = classify(PLANTED[:, :12], LABELS, c=0.5)
    scaled = classify(PLANTED[:, :12] * 1e3, LABELS, c=0.5 / 1e6)
    np.testing.assert_allclose(scaled.weights * 1e3, plain.weights, rtol=1e-5, atol=1e-7)


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
