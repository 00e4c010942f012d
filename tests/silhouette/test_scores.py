"""Scores of silhouettes by hand; means of single shuffles' scores are the scores of all."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from biassay.measurement.metric import Range
from biassay.studies.silhouette import scores, shuffles

WORDS = np.array([2, 4, 6])
WEAT = Range(-2.0, 2.0, 0.0, True)
BIASED = np.array([[2.0, 1.0, 1.0], [0.0, 1.5, 1.0]])
UNBIASED = np.array([[-1.0, 0.0, 0.5], [0.0, 0.0, 0.5]])


def test_robustness_by_hand():
    """Heights 2, .5, 0: area 2.5 + .5 = 3 of 4 · 6; a single shuffle has no area."""
    assert scores.robustness(BIASED, WORDS, WEAT) == pytest.approx([1, 1 - 3 / 24])


def test_accuracy_by_hand():
    """Means 1, 1.25, 1 and −.5, 0, .5: gaps .5, 1.25, .5, area 1.75 + 1.75 = 3.5 of 2 · 6; the code's of 4 · 6."""
    assert scores.accuracy(BIASED, UNBIASED, WORDS, WEAT)[-1] == pytest.approx(0.5 + 0.5 * 3.5 / 12)
    assert scores.accuracy(BIASED, UNBIASED, WORDS, WEAT, published_code=True)[-1] == pytest.approx(
        0.5 + 0.5 * 3.5 / 24
    )


def test_bias_is_the_distance_from_b_0():
    """MAC, whose b_0 is 1: values below and above it are bias alike."""
    mac = Range(0.0, 2.0, 1.0, False)
    below, above = np.full((2, 3), 0.5), np.full((2, 3), 1.5)
    none = np.ones((2, 3))
    assert scores.accuracy(below, none, WORDS, mac) == pytest.approx(scores.accuracy(above, none, WORDS, mac))
    assert scores.auc(below, none, WORDS, 1.0) == 1.0


def test_auc_by_hand():
    """Of 4 pairs at k = 2 one and a half win (2 over −1 and 0; 0 ties with 0, loses to −1): 2.5 / 4; then all."""
    assert scores.auc(BIASED, UNBIASED, WORDS, 0.0) == pytest.approx((2.5 / 4 + 2 * 1 + 1) / 4)
    assert scores.auc(BIASED, BIASED, WORDS, 0.0) == pytest.approx(0.5)
    assert np.isnan(scores.auc(BIASED, UNBIASED, WORDS, None))


def test_needed_words_by_hand():
    values = np.array([[2.0, 1.04, 1.0], [0.0, 0.96, 1.0]])
    assert scores.count_words_needed(values, WORDS, 0.0) == 4
    assert scores.count_words_needed(values, WORDS, 0.5) == 6  # 5 % of |1 − .5| is less
    assert scores.count_words_needed(np.ones((2, 3)), WORDS, 0.0) == 2
    assert np.isnan(scores.count_words_needed(np.full((2, 3), np.nan), WORDS, 0.0))


def test_undefined_values_are_left_out():
    values = np.array([[np.nan, 1.0, 1.0], [np.nan, 0.0, 1.0]])
    curve = scores.summarise_values(values, WORDS)
    assert curve["n_undefined"].tolist() == [2, 0, 0]
    assert curve["max"].tolist()[1:] == [1.0, 1.0]
    assert scores.robustness(values, WORDS, WEAT)[-1] == pytest.approx(1 - 1 / 24)
    assert np.isfinite(scores.accuracy(values, UNBIASED, WORDS, WEAT)[-1])


def test_relative_accuracy_by_hand():
    """The area 3.5 of `test_accuracy_by_hand` of 2 · 6, the largest |b| is 2; tripled values change nothing."""
    assert scores.relative_accuracy(BIASED, UNBIASED, WORDS, 0.0)[-1] == pytest.approx(0.5 + 0.5 * 3.5 / 12)
    assert scores.relative_accuracy(3 * BIASED, 3 * UNBIASED, WORDS, 0.0)[-1] == pytest.approx(0.5 + 0.5 * 3.5 / 12)
    shifted = scores.relative_accuracy(BIASED + 4, UNBIASED + 4, WORDS, 4.0)
    assert shifted == pytest.approx(scores.relative_accuracy(BIASED, UNBIASED, WORDS, 0.0))
    assert np.isnan(scores.relative_accuracy(BIASED, UNBIASED, WORDS, None)).all()
    assert np.isnan(scores.relative_accuracy(0 * BIASED, 0 * UNBIASED, WORDS, 0.0)).all()


@pytest.mark.parametrize("bounds", [Range(None, None, 0.0, True), Range(0.0, None, 0.0, False)])
def test_metrics_without_a_range_have_neither_accuracy_nor_robustness(bounds):
    for values in (
        scores.accuracy(BIASED, UNBIASED, WORDS, bounds), scores.robustness(BIASED, WORDS, bounds),
        shuffles.accuracy(BIASED, UNBIASED, WORDS, bounds), shuffles.steadiness(BIASED, WORDS, bounds),
    ):  # fmt: skip
        assert values.shape == (2,)
        assert np.isnan(values).all()


@settings(max_examples=40)
@given(st.integers(0, 10_000), st.integers(2, 8), st.integers(2, 9))
def test_scores_stay_in_range_and_robustness_falls_with_more_shuffles(seed, n, steps):
    random = np.random.default_rng(seed)
    biased, unbiased = random.uniform(-2, 2, (2, n, steps))
    words = np.cumsum(random.integers(1, 5, steps))
    robustness = scores.robustness(biased, words, WEAT)
    assert ((robustness >= -1e-12) & (robustness <= 1)).all()
    assert (np.diff(robustness) <= 1e-12).all()
    accuracy = scores.accuracy(biased, unbiased, words, WEAT)
    assert ((accuracy >= 0) & (accuracy <= 1)).all()
    np.testing.assert_allclose(accuracy, 1 - scores.accuracy(unbiased, biased, words, WEAT))
    assert 0 <= scores.auc(biased, unbiased, words, 0.0) <= 1


def test_accuracy_of_single_shuffles_by_hand():
    """The unbiased mean is below 0 at k = 2, where its values are turned: gaps 2 − 1, 1 − 0, 1 − .5 and 0, 1.5, .5."""
    expected = [0.5 + 0.5 * (2 + 1.5) / 12, 0.5 + 0.5 * (1.5 + 2) / 12]
    assert shuffles.accuracy(BIASED, UNBIASED, WORDS, WEAT) == pytest.approx(expected)
    assert np.isnan(shuffles.accuracy(BIASED, UNBIASED, WORDS, Range(0.0, 1.0, None, False))).all()
    assert np.isnan(shuffles.accuracy(BIASED, UNBIASED, WORDS, Range(0.0, 1.0, 1.0, False))).all()


def test_auc_of_single_shuffles_by_hand():
    """At k = 2, |b| is 2, 0 and 1, 0: 2 exceeds both, 0 ties with 0; 1 is exceeded by 2 only, 0 by 2 and half by 0.

    That is 1, ¼ and ½, ¾; from k = 4 on all is 1. Areas 2 + 2 and 1.25 + 2 of 4, 1.5 + 2 and 1.75 + 2; less the mean.
    """
    above, below = np.array([4, 3.25]) / 4, np.array([3.5, 3.75]) / 4
    found = shuffles.auc(BIASED, UNBIASED, WORDS, 0.0)
    assert found == pytest.approx(above + below - above.mean())
    assert np.isnan(shuffles.auc(BIASED, UNBIASED, WORDS, None)).all()
    assert shuffles.auc(BIASED[:, :1], UNBIASED[:, :1], WORDS[:1], 0.0) == pytest.approx([0.875, 0.375])


def test_steadiness_by_hand():
    """Means 1, 1.25, 1: strays 1, .25, 0, the same of both orders, area 1.25 + .25 of 4 · 6."""
    assert shuffles.steadiness(BIASED, WORDS, WEAT) == pytest.approx([1 - 1.5 / 24] * 2)
    alone = np.array([[1.0, 0, 0], [0, 0, 0], [0, 0, 0]])
    assert shuffles.steadiness(alone, WORDS, WEAT) == pytest.approx([1 - (2 / 3) / 24, *[1 - (1 / 3) / 24] * 2])


def test_an_undefined_value_counts_as_the_mean():
    gaps = BIASED.copy()
    gaps[1, 0] = np.nan
    filled = BIASED.copy()
    filled[1, 0] = 2.0
    for bounds in (WEAT, Range(-2.0, 2.0, 0.5, True)):
        np.testing.assert_allclose(
            shuffles.accuracy(gaps, UNBIASED, WORDS, bounds), shuffles.accuracy(filled, UNBIASED, WORDS, bounds)
        )
    np.testing.assert_allclose(shuffles.steadiness(gaps, WORDS, WEAT), shuffles.steadiness(filled, WORDS, WEAT))
    gaps[0, 0] = np.nan  # a size without any value is left out
    expected = shuffles.auc(BIASED[:, 1:], UNBIASED[:, 1:], WORDS[1:], 0.0)
    np.testing.assert_allclose(shuffles.auc(gaps, UNBIASED, WORDS, 0.0), expected)


@settings(max_examples=40)
@given(st.integers(0, 10_000), st.integers(2, 8), st.integers(2, 6), st.sampled_from([0.0, 0.5, 1.0]))
def test_means_are_the_scores_of_all_orders(seed, n, steps, b_0):
    random = np.random.default_rng(seed)
    biased, unbiased = (random.integers(-2, 3, (n, steps)) / 2.0 for _ in range(2))
    words = np.cumsum(random.integers(1, 4, steps))
    bounds = Range(-1.0, 2.0, b_0, True)
    found = shuffles.accuracy(biased, unbiased, words, bounds)
    assert found.mean() == pytest.approx(scores.accuracy(biased, unbiased, words, bounds)[-1])
    found = shuffles.auc(biased, unbiased, words, b_0)
    assert found.mean() == pytest.approx(scores.auc(biased, unbiased, words, b_0))
