"""Intraclass correlations and Cronbach's alpha: worked values, known nulls and known effects."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from biassay.statistics.reliability import cronbach_alpha, icc, interval_over_subjects

RANDOM = np.random.default_rng(3)


def test_icc_by_hand():
    """Two subjects, two raters: mean squares 8 of subjects, 2 of raters, 0 of the rest; and with a rest of 0.5."""
    assert icc([[1, 2], [4, 5]], absolute=True) == pytest.approx(9 / (9 + 1))
    assert icc([[1, 2], [4, 5]], absolute=False) == pytest.approx(1)
    scores = [[1, 3], [4, 5]]  # subjects 6.25, raters 2.25, rest 0.25
    assert icc(scores, absolute=True) == pytest.approx(6 / (6.5 + 2))
    assert icc(scores, absolute=False) == pytest.approx(6 / 6.5)


def test_alpha_by_hand():
    assert cronbach_alpha([[1, 1, 1], [2, 2, 2]]) == pytest.approx(1)
    assert cronbach_alpha([[0, 0], [0, 1], [1, 0], [1, 1]]) == pytest.approx(0)
    assert cronbach_alpha([[1, 0], [0, 2], [2, 1]]) == pytest.approx(2 * (1 - 2 / 1))


def test_undefined():
    for absolute in (True, False):
        assert np.isnan(icc(np.zeros((4, 3)), absolute=absolute))
        assert np.isnan(icc(np.ones((1, 3)), absolute=absolute))
        assert np.isnan(icc(np.ones((3, 1)), absolute=absolute))
    assert np.isnan(cronbach_alpha(np.ones((5, 1))))
    assert np.isnan(cronbach_alpha(np.ones((5, 2))))
    assert np.isnan(cronbach_alpha(np.ones((1, 2))))
    assert np.isnan(interval_over_subjects(cronbach_alpha, np.ones((1, 2)), 20, 1)).all()


@pytest.mark.parametrize("share", [0.0, 0.3, 0.8])
def test_icc_estimates_the_share_of_variance_between_subjects(share):
    subjects, noise = RANDOM.normal(size=(400, 50, 1)), RANDOM.normal(size=(400, 50, 4))
    scores = np.sqrt(share) * subjects + np.sqrt(1 - share) * noise
    for absolute in (True, False):
        assert icc(scores, absolute=absolute).mean() == pytest.approx(share, abs=0.02)
    alphas = [cronbach_alpha(each) for each in scores]
    assert np.mean(alphas) == pytest.approx(4 * share / (1 + 3 * share), abs=0.06)  # Spearman and Brown; biased


def test_raters_offsets_count_for_absolute_agreement_only():
    scores = RANDOM.normal(size=(200, 1)) + RANDOM.normal(size=(200, 3)) + [0, 5, 10]
    assert icc(scores, absolute=False) == pytest.approx(icc(scores - [0, 5, 10], absolute=False))
    assert icc(scores, absolute=True) < 0.1 < 0.4 < icc(scores, absolute=False)


def test_intervals_cover_the_true_value():
    covered = 0
    for number in range(100):
        random = np.random.default_rng(number)
        scores = random.normal(size=(60, 1)) + random.normal(size=(60, 3))
        low, high = interval_over_subjects(lambda each: icc(each, absolute=True), scores, 200, number)
        covered += low <= 0.5 <= high
    assert covered >= 86  # 95 % nominal; 60 subjects


@given(st.integers(0, 10**6), st.floats(0.1, 10), st.floats(-5, 5))
def test_units_of_the_scores_do_not_matter(seed, factor, constant):
    scores = np.random.default_rng(seed).normal(size=(6, 3))
    for statistic in (lambda x: icc(x, absolute=True), lambda x: icc(x, absolute=False), cronbach_alpha):
        assert statistic(factor * scores + constant) == pytest.approx(statistic(scores), rel=1e-6, abs=1e-8)
        assert statistic(scores) <= 1 + 1e-12
        assert statistic(scores[::-1]) == pytest.approx(statistic(scores))
