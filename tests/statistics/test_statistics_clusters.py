"""Correlations of rows, Holm's correction, and intervals over clusters."""

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from biassay.statistics import cluster_bootstrap
from biassay.statistics import statistics as stats


def test_rows_correlate_as_in_scipy_and_without_missing_pairs():
    random = np.random.default_rng(1)
    x, y = random.normal(size=(2, 5, 20))
    x[1, :4], y[1, 18:], y[2] = np.nan, np.nan, 3.0
    x[3, 2:] = np.nan
    r, p, n = stats.pearson_rows(x, y)
    assert n.tolist() == [20, 14, 20, 2, 20]
    assert np.isnan([r[2], p[2], r[3], p[3]]).all()
    for row, cut in ((0, slice(None)), (1, slice(4, 18)), (4, slice(None))):
        assert (r[row], p[row]) == pytest.approx(tuple(scipy.stats.pearsonr(x[row, cut], y[row, cut])))


def test_holm_by_hand():
    assert stats.correct_holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert stats.correct_holm([0.6, np.nan, 0.5]) == pytest.approx([1, np.nan, 1], nan_ok=True)
    assert np.isnan(stats.correct_holm([np.nan])).all()


@given(st.lists(st.floats(0, 1), min_size=1, max_size=12))
def test_holm_raises_p_values_keeps_their_order_and_is_below_bonferroni(p):
    p, corrected = np.array(p), stats.correct_holm(p)
    assert (corrected >= p).all()
    assert (corrected <= np.minimum(len(p) * p, 1)).all()
    assert (np.diff(corrected[np.argsort(p, kind="stable")]) >= 0).all()


def test_weighted_values_equal_those_of_repeated_cases():
    random = np.random.default_rng(2)
    x, y = random.normal(size=(2, 6))
    weights = np.array([[1, 2, 0, 3, 0, 1], [0, 0, 7, 0, 0, 0]])
    found = cluster_bootstrap.weighted_correlations(x, y, weights)
    assert found[0] == pytest.approx(np.corrcoef(np.repeat(x, weights[0]), np.repeat(y, weights[0]))[0, 1])
    assert np.isnan(found[1])
    assert cluster_bootstrap.weighted_means(x, weights)[0] == pytest.approx(np.repeat(x, weights[0]).mean())


def test_intervals_draw_clusters_as_wholes():
    """Copies of a case in its cluster say nothing new, so they leave the interval as it is."""
    values = np.random.default_rng(3).normal(size=30)

    def interval(copies):
        repeated = np.repeat(values, copies)
        clusters = np.repeat(np.arange(30), copies)
        return cluster_bootstrap.confidence_interval(
            lambda w: cluster_bootstrap.weighted_means(repeated, w), clusters, 500, 1
        )

    assert interval(1) == pytest.approx(interval(4))
    assert interval(1)[0] < values.mean() < interval(1)[1]
    few = cluster_bootstrap.confidence_interval(lambda w: w[:, 0], np.array([1, 1, 2, 3, 4]), 10, 1)
    assert np.isnan(few).all()
