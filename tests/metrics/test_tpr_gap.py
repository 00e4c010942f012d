"""The TPR gap by hand, against scikit-learn, and at the ends of its range."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import recall_score

from biassay.metrics import tpr_gap

# texts of two groups and their classes: nurse or pilot; the first group has 4 nurses and 1 pilot, the second 2 and 3
NURSE, PILOT, BOTH, NONE = (1, 0), (0, 1), (1, 1), (0, 0)
GROUPS = np.array([0, 0, 0, 0, 0, 1, 1, 1, 1, 1])
GROUND_TRUTH = np.array([NURSE] * 4 + [PILOT] + [NURSE] * 2 + [PILOT] * 3)
FOUND = np.array([NURSE] * 3 + [PILOT] * 2 + [NURSE, PILOT] + [NURSE, PILOT, PILOT])


def test_two_groups_by_hand():
    rates = tpr_gap.rates(FOUND, GROUND_TRUTH, GROUPS)
    np.testing.assert_allclose(rates, [[3 / 4, 1], [1 / 2, 2 / 3]])
    np.testing.assert_allclose(tpr_gap.word_bias(FOUND, GROUND_TRUTH, GROUPS), [1 / 4, 1 / 3])
    np.testing.assert_allclose(tpr_gap.word_bias(FOUND, GROUND_TRUTH, 1 - GROUPS), [-1 / 4, -1 / 3])
    assert tpr_gap.set_bias(FOUND, GROUND_TRUTH, GROUPS) == pytest.approx(7 / 24)
    assert type(tpr_gap.set_bias(FOUND, GROUND_TRUTH, GROUPS)) is float


def test_signs_do_not_cancel_in_the_set():
    ground_truth, groups = np.array([NURSE, NURSE, PILOT, PILOT]), np.array([0, 1, 0, 1])
    found = np.array([NURSE, PILOT, NURSE, PILOT])
    assert tpr_gap.word_bias(found, ground_truth, groups).tolist() == [1, -1]
    assert tpr_gap.set_bias(found, ground_truth, groups) == 1


def test_a_difference_of_two_groups_has_no_spread():
    np.testing.assert_allclose(tpr_gap.word_bias(FOUND, GROUND_TRUTH, GROUPS, spread="std"), [1 / 4, 1 / 3])
    assert tpr_gap.set_bias(FOUND, GROUND_TRUTH, GROUPS, spread="std") == pytest.approx(7 / 24)


def test_three_groups_by_hand():
    """Rates 1, 1/2, 0: variance (1/4 + 0 + 1/4)/3 = 1/6; and 1, 1, 0: 2/9."""
    ground_truth, groups = np.ones((6, 2), int), np.array([0, 0, 1, 1, 2, 2])
    found = np.array([BOTH, BOTH, BOTH, PILOT, NONE, NONE])
    np.testing.assert_allclose(tpr_gap.rates(found, ground_truth, groups), [[1, 1], [1 / 2, 1], [0, 0]])
    np.testing.assert_allclose(tpr_gap.word_bias(found, ground_truth, groups), [1 / 6, 2 / 9])
    np.testing.assert_allclose(tpr_gap.word_bias(found, ground_truth, groups, spread="std"), np.sqrt([1 / 6, 2 / 9]))
    assert tpr_gap.set_bias(found, ground_truth, groups) == pytest.approx(7 / 36)
    assert tpr_gap.set_bias(found, ground_truth, groups, spread="std") == pytest.approx((6**-0.5 + 2**0.5 / 3) / 2)


def test_texts_with_several_classes_or_none():
    """What is predicted of a class that a text has not makes no difference: false positives are not looked at."""
    ground_truth, groups = np.array([BOTH, BOTH, NONE, BOTH, PILOT, NONE]), np.array([0, 0, 0, 1, 1, 1])
    found = np.array([BOTH, NURSE, BOTH, NONE, BOTH, NURSE])
    np.testing.assert_allclose(tpr_gap.rates(found, ground_truth, groups), [[1, 1 / 2], [0, 1 / 2]])
    assert tpr_gap.word_bias(found, ground_truth, groups).tolist() == [1, 0]


@pytest.mark.parametrize("n", [2, 3])
def test_a_class_that_a_group_has_no_text_of_has_no_value_and_is_left_out(n):
    ground_truth, groups = np.array([BOTH] * (n - 1) + [NURSE]), np.arange(n)
    found = np.array([BOTH] * (n - 1) + [NONE])
    gap = 1 if n == 2 else 2 / 9
    with np.errstate(all="raise"):
        np.testing.assert_allclose(tpr_gap.word_bias(found, ground_truth, groups), [gap, np.nan])
        assert tpr_gap.set_bias(found, ground_truth, groups) == pytest.approx(gap)  # not half of it
        assert np.isnan(tpr_gap.rates(found, ground_truth, groups)).tolist() == [[False, False]] * (n - 1) + [
            [False, True]
        ]
        nothing = ground_truth * [0, 1]
        assert np.isnan(tpr_gap.word_bias(found, nothing, groups)).all()
        assert np.isnan(tpr_gap.set_bias(found, nothing, groups))


def test_what_is_not_a_number_gives_none():
    for which in (0, 1):
        given = [FOUND.astype(float), GROUND_TRUTH.astype(float)]
        given[which][0, 0] = np.nan
        assert np.isnan(tpr_gap.word_bias(*given, GROUPS)).tolist() == [True, False]


@pytest.mark.parametrize(("n", "most"), [(2, 1), (3, 2 / 9), (4, 1 / 4), (5, 6 / 25), (6, 1 / 4), (7, 12 / 49)])
def test_the_ends_are_reached(n, most):
    groups, ground_truth = np.arange(n), np.ones((n, 1), int)
    half = (groups < n // 2).astype(int)[:, None]
    assert tpr_gap.METRIC.range("word", n).b_max == pytest.approx(most)
    assert tpr_gap.METRIC.range("set", n).b_max == pytest.approx(most)
    for spread, end in (("variance", most), ("std", np.sqrt(most))):
        for level, function in (("word", tpr_gap.word_bias), ("set", tpr_gap.set_bias)):
            declared = tpr_gap.METRIC.range(level, n)
            limits = tpr_gap.adjust_range(declared, level, None, {"spread": spread})
            assert limits.b_max == pytest.approx(end)
            assert limits[0] == (-1 if (n, level) == (2, "word") else 0)
            assert function(half, ground_truth, groups, spread=spread) == pytest.approx(end)
            assert function(half, ground_truth, groups, spread=spread) <= limits.b_max
            assert function(ground_truth, ground_truth, groups, spread=spread) == 0
    assert tpr_gap.adjust_range(declared, "set", None, {}) == declared


def test_the_largest_variance_is_the_largest():
    """Of all rates in steps of a half."""
    for n in (3, 4, 5):
        rates = np.array(np.meshgrid(*[[0, 0.5, 1]] * n)).reshape(n, -1)
        assert rates.var(axis=0).max() == pytest.approx(tpr_gap.largest_variance(n))


def test_equal_rates_differ_by_nothing_not_by_rounding():
    """Thrice 1/10 are not 3/10 in binary."""
    groups, ground_truth = np.repeat([0, 1, 2], 10), np.ones((30, 1), int)
    found = (np.arange(30) % 10 == 0).astype(int)[:, None]
    assert tpr_gap.word_bias(found, ground_truth, groups).tolist() == [0]


@settings(max_examples=60)
@given(st.integers(0, 10**6), st.integers(2, 5), st.integers(1, 4))
def test_rates_are_the_recalls_of_scikit_learn(seed, n, c):
    random = np.random.default_rng(seed)
    predictions, ground_truth = random.integers(0, 2, (2, 40, c))
    groups = random.permutation(np.arange(40) % n)
    recalls = [
        recall_score(ground_truth[groups == k], predictions[groups == k], average=None, zero_division=np.nan)
        if c > 1
        else [recall_score(ground_truth[groups == k, 0], predictions[groups == k, 0], zero_division=np.nan)]
        for k in range(n)
    ]
    np.testing.assert_allclose(tpr_gap.rates(predictions, ground_truth, groups), recalls)
    expected = np.subtract(*recalls) if n == 2 else np.var(recalls, axis=0)
    np.testing.assert_allclose(tpr_gap.word_bias(predictions, ground_truth, groups), expected, atol=1e-15)
