"""Correlations of resamples, against those of the resampled cases themselves."""

import numpy as np
import pytest
import scipy.stats
from hypothesis import given, settings
from hypothesis import strategies as st

from biassay.statistics import resampling, statistics

VALUES = st.lists(st.tuples(st.integers(-3, 3), st.integers(-3, 3)), min_size=3, max_size=12)


@pytest.mark.parametrize(("kind", "ranks"), [("spearman", True), ("pearson", False)])
@pytest.mark.parametrize("digits", [0, 1, 9])
def test_they_are_the_correlations_of_the_resampled_cases(kind, ranks, digits):
    random = np.random.default_rng(digits)
    x = random.normal(size=37).round(digits)
    y = (x + random.normal(size=37)).round(digits)
    samples = statistics.draw_resamples(37, 40, 1)
    peer = {"spearman": scipy.stats.spearmanr, "pearson": scipy.stats.pearsonr}[kind]
    expected = [peer(x[cases], y[cases]).statistic for cases in samples]
    np.testing.assert_allclose(resampling.correlations(x[None], y, samples, ranks=ranks)[0], expected, atol=1e-12)


def test_by_hand():
    x, y = np.array([1.0, 2, 4]), np.array([1.0, 3, 2])
    samples = np.array([[0, 1, 2], [0, 0, 1], [2, 2, 2], [0, 2, 2]])
    # ranks 1 2 3 and 1 3 2: ρ = 1 − 6 · 2 / (3 · 8) = .5; two cases lie on a line; one has none
    np.testing.assert_allclose(resampling.correlations(x[None], y, samples, ranks=True)[0], [0.5, 1, np.nan, 1])
    # deviations −4/3 −1/3 5/3 and −1 1 0: 1 / √(14/3 · 2)
    (pearson,) = resampling.correlations(x[None], y, samples, ranks=False)
    np.testing.assert_allclose(pearson, [1 / np.sqrt(28 / 3), 1, np.nan, 1])


@settings(max_examples=60)
@given(VALUES, st.integers(0, 99))
def test_a_constant_side_is_nan_and_the_rest_lies_within_one(pairs, seed):
    x, y = np.array(pairs, float).T
    samples = statistics.draw_resamples(len(x), 5, seed)
    for ranks in (True, False):
        (found,) = resampling.correlations(x[None], y, samples, ranks=ranks)
        constant = [np.ptp(x[cases]) == 0 or np.ptp(y[cases]) == 0 for cases in samples]
        assert np.isnan(found).tolist() == constant
        assert (np.abs(found[np.isfinite(found)]) <= 1 + 1e-12).all()


@pytest.mark.parametrize("ranks", [True, False])
def test_rows_are_those_alone(ranks):
    """In any order in memory, and with one that is constant."""
    x = np.random.default_rng(5).normal(size=(4, 30)).round(1)
    x[2] = 7
    y, samples = x[0] + x[1] ** 2, statistics.draw_resamples(30, 50, 2)
    alone = [resampling.correlations(row[None], y, samples, ranks=ranks)[0] for row in x]
    for rows in (x, np.asfortranarray(x)):
        np.testing.assert_allclose(resampling.correlations(rows, y, samples, ranks=ranks), alone, atol=1e-14)
    assert np.isnan(alone[2]).all()
