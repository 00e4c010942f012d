"""What same-2021 proves of the metrics: its theorems, its counterexamples, its secretary and engineer."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from biassay.metrics import direct_bias, mac, same, same_skew, same_stereotype, weat
from biassay.statistics.geometry import mean_unit, project

SEEDS = st.integers(0, 10**6)


def at(*degrees):
    """Unit vectors at angles."""
    angles = np.deg2rad(np.array(degrees, dtype=float))
    return np.column_stack([np.cos(angles), np.sin(angles)])


@pytest.mark.parametrize("alpha", [10, 40, 80])
def test_theorem_8_mac_of_secretary(alpha):
    # θ = 180°: biased, yet 1; α = θ/2: unbiased, yet 1 − cos(θ/2)
    assert mac.set_bias(at(alpha), [at(0), at(180)]) == pytest.approx(1)
    assert mac.set_bias(at(alpha), [at(0), at(2 * alpha)]) == pytest.approx(1 - np.cos(np.deg2rad(alpha)))


def test_theorem_12_direct_bias_takes_neutral_words_for_biased_and_the_reverse():
    x, r = 1.0, 2.0
    first, second = np.array([[-x, r * x], [-x, -r * x]]), np.array([[x, -r * x], [x, r * x]])
    neutral, biased = np.array([[0.0, 3]]), np.array([[2.0, 0]])
    assert project(neutral, mean_unit(first)) == pytest.approx(project(neutral, mean_unit(second)))
    assert direct_bias.set_bias(neutral, [first, second]) == pytest.approx(1)
    assert direct_bias.set_bias(biased, [first, second]) == pytest.approx(0, abs=1e-12)
    assert same.set_bias(neutral, [first, second]) == pytest.approx(0, abs=1e-12)
    assert same.set_bias(biased, [first, second]) == pytest.approx(1)


@settings(max_examples=40)
@given(SEEDS, st.integers(2, 4))
def test_theorems_13_and_14_same_is_0_just_without_bias_and_reaches_1(seed, n):
    random = np.random.default_rng(seed)
    targets, groups = random.standard_normal((8, 4)), list(random.standard_normal((n, 3, 4)))
    means = np.stack([mean_unit(group) for group in groups])
    differences = means[1:] - means[0]
    inside = differences[:1]
    orthogonal = np.linalg.svd(differences)[2][n - 1 :]
    np.testing.assert_allclose(np.abs(same.word_bias(inside, groups)), 1)
    if len(orthogonal):
        np.testing.assert_allclose(same.word_bias(orthogonal, groups), 0, atol=1e-9)
        np.testing.assert_allclose(np.ptp(project(orthogonal, means), axis=1), 0, atol=1e-9)
    assert (np.abs(same.word_bias(targets, groups)) > 0).all()


def test_theorems_15_and_16_skew_and_stereotype():
    groups = [at(0), at(180)]
    opposite, alike = at(60, 120), at(60, 60)
    assert same_skew.set_bias(opposite, groups) == pytest.approx(0, abs=1e-12)
    assert same_stereotype.set_bias(opposite, groups) == pytest.approx(0.5)
    assert same_skew.set_bias(alike, groups) == pytest.approx(0.5)
    assert same_stereotype.set_bias(alike, groups) == pytest.approx(0, abs=1e-12)


def test_secretary_and_engineer_of_figure_3():
    # he at 0°, she at 90°; secretary 20° from she, engineer 20° from he: the same bias, opposite signs
    targets, groups = at(70, 20), [at(90), at(0)]
    bias = (np.cos(np.deg2rad(20)) - np.sin(np.deg2rad(20))) / np.sqrt(2)
    np.testing.assert_allclose(same.word_bias(targets, groups), [bias, -bias])
    np.testing.assert_allclose(direct_bias.word_bias(targets, groups), bias)
    assert weat.set_bias(targets, groups, np.array([0, 1])) == pytest.approx(2)
