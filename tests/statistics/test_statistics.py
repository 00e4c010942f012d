"""Correlations, intervals and tests."""

import numpy as np
import pytest
import scipy.stats

from biassay.statistics import statistics

RANDOM = np.random.default_rng(4)


@pytest.mark.parametrize(("kind", "peer"), [("spearman", scipy.stats.spearmanr), ("pearson", scipy.stats.pearsonr)])
def test_value_and_p_equal_scipys(kind, peer):
    x = RANDOM.standard_normal(50)
    y = x + RANDOM.standard_normal(50)
    result = statistics.correlate(x, y, kind, statistics.draw_resamples(50, 200, 1))
    assert (result.value, result.p) == pytest.approx(tuple(peer(x, y)))
    assert statistics.correlation(x, y, kind) == pytest.approx(result.value)
    assert result.low < result.value < result.high


def test_interval_covers_the_truth_about_95_times_in_100():
    covered, ground_truth = 0, 0.6
    for _ in range(200):
        x = RANDOM.standard_normal(100)
        y = ground_truth * x + np.sqrt(1 - ground_truth**2) * RANDOM.standard_normal(100)
        result = statistics.correlate(x, y, "pearson", statistics.draw_resamples(100, 300, 1))
        covered += result.low <= ground_truth <= result.high
    assert 0.88 <= covered / 200 <= 0.99


@pytest.mark.parametrize("x", [np.ones(10), np.array([1.0, 2])])
def test_a_constant_or_two_cases_have_no_correlation(x):
    result = statistics.correlate(
        x, np.arange(len(x), dtype=float), "pearson", statistics.draw_resamples(len(x), 10, 1)
    )
    assert np.isnan([result.value, result.p, result.low, result.high]).all()


def test_steiger_is_uniform_if_both_correlate_alike():
    n_resamples = []
    for _ in range(2000):
        ground_truth, shared, own = (
            RANDOM.standard_normal((3, 60)),
            RANDOM.standard_normal(60),
            RANDOM.standard_normal((2, 60)),
        )
        first, second = ground_truth[0] + shared + own
        r = [np.corrcoef(a, b)[0, 1] for a, b in ((first, ground_truth[0]), (second, ground_truth[0]), (first, second))]
        n_resamples.append(statistics.compare_dependent(*r, 60)[1])
    assert scipy.stats.kstest(n_resamples, "uniform").pvalue > 0.001


def test_steiger_has_the_sign_of_the_difference_and_a_dependence_sharpens_it():
    z, p = statistics.compare_dependent(0.5, 0.2, 0.0, 103)
    sharper, smaller = statistics.compare_dependent(0.5, 0.2, 0.6, 103)
    assert 0 < z < sharper
    assert p > smaller
    assert statistics.compare_dependent(0.2, 0.5, 0.6, 103)[0] == pytest.approx(-sharper)


@pytest.mark.parametrize("r", [(np.nan, 0.2, 0.1), (0.5, 0.5, 1.0), (1.0, 0.2, 0.2)])
def test_steiger_is_undefined_for_equal_or_missing_scores(r):
    assert np.isnan(statistics.compare_dependent(*r, 50)).all()


def test_standardised_slopes_find_the_causes():
    causes = RANDOM.standard_normal((500, 2))
    y = 3 * causes[:, 0] + 0.1 * RANDOM.standard_normal(500)
    (own, own_low, own_high), (other, other_low, other_high) = statistics.standardised_slopes(
        y, causes, statistics.draw_resamples(500, 200, 1)
    )
    assert own == pytest.approx(1, abs=0.02)
    assert own_low <= own <= own_high
    assert other == pytest.approx(0, abs=0.02)
    assert other_low <= 0 <= other_high
