"""Bootstrap intervals over clusters against a plain loop, and Wilson's interval."""

import numpy as np
import pytest
import scipy

from biassay.statistics import intervals


def test_resamples_are_of_all_cases_and_depend_on_the_seed():
    found = intervals.draw_resamples(7, 3000, 4)
    assert found.shape == (3000, 7)
    assert set(found.ravel()) == set(range(7))
    assert (found == intervals.draw_resamples(7, 3000, 4)).all()
    assert (found != intervals.draw_resamples(7, 3000, 5)).any()
    counts = intervals.count_cases(np.array([[0, 2, 2], [1, 1, 1]]), 4)
    assert (counts.tolist(), counts.dtype) == ([[1, 0, 2, 0], [0, 3, 0, 0]], float)


@pytest.mark.parametrize("n_clusters", [5, 8])
def test_the_interval_of_a_mean_draws_whole_clusters(n_clusters):
    values = np.random.default_rng(3).standard_normal(20)
    clusters = np.array(list("dabcehgf"))[np.arange(20) % n_clusters]
    values[clusters == "a"] += 2
    names, means = sorted(set(clusters)), []
    for drawn in np.random.default_rng(6).integers(0, n_clusters, (120, n_clusters)):
        means.append(np.mean(np.concatenate([values[clusters == names[number]] for number in drawn])))
    expected = tuple(np.percentile(means, intervals.expanded_levels(n_clusters)))
    assert intervals.interval_of_mean(values, clusters, 120, 6) == pytest.approx(expected)


def test_the_interval_of_a_mean_is_that_of_t():
    """Of equally spaced values, whose resampled means are nearly normal."""
    for n in (8, 16):
        values = np.arange(n, dtype=float)
        expected = scipy.stats.t.interval(0.95, n - 1, values.mean(), scipy.stats.sem(values))
        found = intervals.interval_of_mean(values, np.arange(n), 20000, 1)
        assert found == pytest.approx(expected, rel=0.05, abs=0.02 * n)


def test_intervals_over_few_clusters_or_of_nothing_are_undefined():
    few, enough = np.arange(12) % 4, np.arange(12) % 5
    assert np.isnan(intervals.confidence_interval(lambda w: w[:, 0], few, 50, 1)).all()
    assert np.isnan(intervals.interval_of_mean(np.empty(0), np.empty(0), 50, 1)).all()
    assert np.isfinite(intervals.confidence_interval(lambda w: w[:, 0], enough, 50, 1)).all()
    assert np.isnan(intervals.confidence_interval(lambda w: w[:, 0] * np.nan, enough, 50, 1)).all()
    one = intervals.confidence_interval(lambda w: np.where(np.arange(50) == 7, 3.5, np.nan), enough, 50, 1)
    assert np.isnan(one).all()  # it has no width


def test_wilson_interval_of_nothing_is_undefined():
    assert np.isnan(intervals.wilson_interval(0, 0)).all()
