"""The classifier of perceived gender: planted labels, and the same answer as scikit-learn."""

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import RepeatedStratifiedKFold, cross_val_score

from biassay.studies.first_order.perceived_gender import classify

RANDOM = np.random.default_rng(6)
LABELS = np.arange(60) % 3 == 0
NOISE = RANDOM.standard_normal((60, 400))
PLANTED = NOISE + np.outer(np.where(LABELS, 4.0, -4.0), np.eye(400)[7])


def test_planted_labels_are_found_and_the_feature_that_tells_them():
    found = classify(PLANTED, LABELS, repeats=3)
    assert (found.n, found.majority) == (60, pytest.approx(2 / 3))
    assert found.accuracy > 0.95
    assert found.auc > 0.97
    assert np.argmax(found.weights) == 7
    chance = classify(NOISE, LABELS, repeats=3)
    assert chance.accuracy < 0.75
    assert 0.25 < chance.auc < 0.75


@pytest.mark.parametrize("width", [400, 20])
def test_coordinates_give_what_scikit_learn_gives_on_all_features(width):
    features = PLANTED[:, :width] / 3
    found = classify(features, LABELS, c=0.5, repeats=2, seed=4)
    model = LogisticRegression(C=0.5, tol=1e-8, solver="newton-cg")
    np.testing.assert_allclose(found.weights, model.fit(features, LABELS).coef_[0], atol=1e-5)
    folds = RepeatedStratifiedKFold(n_splits=5, n_repeats=2, random_state=4)
    assert found.accuracy == pytest.approx(cross_val_score(model, features, LABELS, cv=folds).mean())


def test_standardising_makes_scales_equal():
    scales = 10.0 ** RANDOM.integers(-2, 3, 400)
    plain = classify(PLANTED, LABELS, standardise=True, repeats=1)
    scaled = classify(PLANTED * scales, LABELS, standardise=True, repeats=1)
    np.testing.assert_allclose(plain.weights, scaled.weights, rtol=1e-6, atol=1e-9)
    assert plain.accuracy == scaled.accuracy


def test_a_constant_feature_tells_nothing_standardised_or_not():
    features = np.column_stack([PLANTED[:, :10], np.full(60, 3.0)])
    found = classify(features, LABELS, standardise=True, repeats=1)
    assert found.weights[-1] == pytest.approx(0)
    assert np.isfinite(found.weights).all()


@pytest.mark.parametrize("scale", [1e3, 1e-3])
def test_scale_is_nothing_but_a_weaker_or_stronger_penalty(scale):
    """w·x and ‖w‖² / c stay the same for x · s, w / s, c / s²; of more rows than features some axes are rounding."""
    plain = classify(PLANTED[:, :12], LABELS, c=0.5, repeats=1)
    scaled = classify(PLANTED[:, :12] * scale, LABELS, c=0.5 / scale**2, repeats=1)
    np.testing.assert_allclose(scaled.weights * scale, plain.weights, rtol=1e-5, atol=1e-7)
    assert scaled.accuracy == plain.accuracy


def test_defaults_are_those_of_the_study():
    features = NOISE[:, :3]
    stated = classify(features, LABELS, c=1.0, standardise=False, folds=5, repeats=10, seed=1)
    found = classify(features, LABELS)
    assert (found.accuracy, found.accuracy_std, found.auc) == (stated.accuracy, stated.accuracy_std, stated.auc)


def test_the_seed_decides_and_too_few_labels_are_undefined():
    runs = [classify(NOISE, LABELS, repeats=2, seed=seed).accuracy for seed in (1, 1, 2)]
    assert runs[0] == runs[1] != runs[2]
    few = classify(PLANTED, np.arange(60) < 3)
    assert np.isnan([few.accuracy, few.auc]).all()
    assert few.weights is not None
    enough = classify(PLANTED, np.arange(60) < 5, repeats=1)  # one for each fold
    assert np.isfinite([enough.accuracy, enough.auc]).all()
    one = classify(PLANTED, np.zeros(60))
    assert one.majority == 1
    assert one.weights is None
