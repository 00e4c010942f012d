"""Correlations, tests and intervals against published values, other libraries, analytic cases and plain loops."""

import dataclasses

import numpy as np
import pytest
import scipy.stats

from biassay.statistics import cluster_bootstrap
from biassay.statistics import statistics as stats

NAN = np.nan
PEERS = {"spearman": scipy.stats.spearmanr, "pearson": scipy.stats.pearsonr}


def pairs(n, seed=1, ties=False):
    x, own = np.random.default_rng(seed).standard_normal((2, n))
    y = 0.6 * x + 0.8 * own
    return (np.round(x), np.round(y)) if ties else (x, y)


# printed by R's cocor (steiger1980) for two samples; and, of Steiger's (1980) own sizes, by hand:
# r̄ = .45; (.1·(1 − .405) − ½·.2025·(1 − .405 − .01))/.7975² = .000269/.636 = .00042; (.42365 − .54931)·√(100/1.99915)
@pytest.mark.parametrize(
    ("r_1", "r_2", "r_12", "n", "z", "p"),
    [
        (0.0228, 0.3522, 0.3718, 553, -7.1345, 0.0000),
        (0.2493, 0.3395, 0.4082, 553, -2.0660, 0.0388),
        (0.4, 0.5, 0.1, 103, -0.8887, 0.3742),
    ],
)
def test_two_dependent_correlations_as_published(r_1, r_2, r_12, n, z, p):
    assert stats.compare_dependent(r_1, r_2, r_12, n) == pytest.approx((z, p), abs=4e-4)
    assert stats.compare_dependent(r_2, r_1, r_12, n) == pytest.approx((-z, p), abs=4e-4)


def test_two_correlations_of_independent_scores_with_no_truth():
    # r̄ = 0 and r_12 = 0: no covariance; z = 2 artanh(.3)·√((n − 3)/2)
    z, p = stats.compare_dependent(0.3, -0.3, 0.0, 4)
    assert z == pytest.approx(2 * np.arctanh(0.3) * np.sqrt(1 / 2))
    assert p == pytest.approx(2 * (1 - scipy.stats.norm.cdf(z)))
    # r̄ = 0, r_12 = .5: covariance .5, so z grows by √2
    assert stats.compare_dependent(0.3, -0.3, 0.5, 4)[0] == pytest.approx(z * np.sqrt(2))


@pytest.mark.parametrize(
    "case", [(0.5, 0.2, 0.1, 3), (0.2, -1.0, 0.1, 50), (0.2, 1.0, 0.1, 50), (0.5, 0.2, -1.0, 50), (0.5, NAN, 0.1, 50)]
)
def test_two_correlations_that_cannot_be_compared(case):
    assert np.isnan(stats.compare_dependent(*case)).all()


def test_verdicts():
    assert stats.describe_test(2.0, 0.0455) == "first"
    assert stats.describe_test(-2.0, 0.0455) == "second"
    assert stats.describe_test(1.9, 0.0574) == stats.describe_test(-1.9, 0.05) == "no difference"
    assert stats.describe_test(2.0, 0.0455, level=0.01) == "no difference"
    assert stats.describe_test(NAN, NAN) == "undefined"


@pytest.mark.parametrize("kind", PEERS)
@pytest.mark.parametrize("ties", [False, True])
def test_the_interval_is_that_of_a_plain_loop(kind, ties):
    x, y = pairs(25, ties=ties)
    samples = stats.draw_resamples(25, 150, seed=9)
    n_resamples = [PEERS[kind](x[cases], y[cases]).statistic for cases in samples]
    found = stats.correlate(x, y, kind, samples)
    assert (found.value, found.p) == pytest.approx(tuple(PEERS[kind](x, y)))
    assert (found.low, found.high) == pytest.approx(tuple(np.quantile(n_resamples, [0.025, 0.975])))
    assert found.n == 25
    assert stats.correlation(x, y, kind) == pytest.approx(found.value)


def test_the_interval_of_many_normal_pairs_is_the_analytic_one():
    """The standard deviation of r is (1 − ρ²)/√n: 95 % lie within 1.96 of it."""
    x, y = pairs(600)
    found = stats.correlate(x, y, "pearson", stats.draw_resamples(600, 2000, 2))
    reach = 1.96 * (1 - found.value**2) / np.sqrt(600)
    assert found.low == pytest.approx(found.value - reach, abs=0.12 * reach)
    assert found.high == pytest.approx(found.value + reach, abs=0.12 * reach)


@pytest.mark.parametrize("kind", PEERS)
def test_constant_resamples_are_left_out(kind):
    x, y = np.array([0.0, 0, 0, 1]), np.array([1.0, 3, 2, 4])
    samples = np.array([[0, 1, 2, 2], [0, 1, 2, 3], [0, 0, 3, 3], [1, 1, 1, 3], [3, 3, 3, 3], [0, 1, 3, 3]])
    n_resamples = [PEERS[kind](x[cases], y[cases]).statistic for cases in samples[[1, 2, 3, 5]]]
    found = stats.correlate(x, y, kind, samples)
    assert (found.low, found.high) == pytest.approx(tuple(np.quantile(n_resamples, [0.025, 0.975])))


def test_three_pairs_are_enough_and_constants_are_not():
    three = np.array([1.0, 2, 4])
    samples = stats.draw_resamples(3, 20, 1)
    found = stats.correlate(three, three[::-1].copy(), "spearman", samples)
    assert (found.value, found.n) == (-1, 3)
    with pytest.raises(dataclasses.FrozenInstanceError):
        found.value = 1.0
    for x, y in ((three, np.ones(3)), (np.ones(3), three), (three[:2], three[:2])):
        found = stats.correlate(x, y, "pearson", samples[:, : len(x)] % len(x))
        assert np.isnan([found.value, found.p, found.low, found.high]).all()
        assert found.n == len(x)
    assert np.isnan(stats.correlation(three, np.ones(3), "pearson"))


def test_resamples_are_of_all_cases_drawn_alike():
    found = stats.draw_resamples(7, 3000, 4)
    assert found.shape == (3000, 7)
    np.testing.assert_allclose(np.bincount(found.ravel(), minlength=7) / 21000, 1 / 7, atol=0.01)
    assert (found == stats.draw_resamples(7, 3000, 4)).all()
    assert (found != stats.draw_resamples(7, 3000, 5)).any()


def test_rows_at_the_edge():
    x = np.array([[1.0, 2, 4, NAN], [1, 2, NAN, NAN], [3, 3, 3, NAN], [1, 2, 3, 4], [1, 2, 3, 4], [np.inf, 1, 2, 4]])
    y = np.array([[5.0, 1, 2, 9], [1, 2, 3, 4], [1, 2, 3, 4], [2, 4, 6, 8], [0.1, 0.1, 0.1, 0.1], [9, 5, 1, 2]])
    r, p, n = stats.pearson_rows(x, y)
    assert n.tolist() == [3, 2, 3, 4, 4, 3]
    # −4 −1 5 over 3 and 7 −5 −2 over 3: (−28 + 5 − 10)/√(42 · 78)
    assert r[0] == r[5] == pytest.approx(-33 / np.sqrt(42 * 78))
    assert p[0] == pytest.approx(scipy.stats.pearsonr([1, 2, 4], [5, 1, 2]).pvalue)
    np.testing.assert_array_equal(np.isnan(r), [False, True, True, False, True, False])
    np.testing.assert_array_equal(np.isnan(p), np.isnan(r))
    assert (r[3], p[3]) == (1, pytest.approx(0))


def test_a_perfect_row_is_never_above_1():
    x = np.random.default_rng(1).standard_normal((300, 6))
    r, p, _ = stats.pearson_rows(np.concatenate([x, x]), np.concatenate([3 * x, -3 * x]))
    assert r.max() <= 1
    assert r.min() >= -1
    np.testing.assert_allclose(p, 0, atol=1e-12)


def test_holm_by_another_way():
    """The k-th smallest of m: the greatest of (m − j + 1) p_j up to it."""
    p = np.array([0.2, 0.001, NAN, 0.03, 0.02, 0.9])
    # .001·5, .02·4, .03·3 = .09, .2·2, .9
    np.testing.assert_allclose(stats.correct_holm(p), [0.4, 0.005, NAN, 0.09, 0.08, 0.9])
    assert stats.correct_holm([0.4, 0.5, 0.3]) == pytest.approx([0.9, 0.9, 0.9])


def drawn_one_by_one(values, clusters, n_resamples, seed):
    """Means over cases of clusters drawn one by one."""
    names = sorted(set(clusters))
    found = []
    for drawn in np.random.default_rng(seed).integers(0, len(names), (n_resamples, len(names))):
        cases = [i for number in drawn for i in range(len(values)) if clusters[i] == names[number]]
        found.append(np.mean(values[cases]))
    return tuple(np.quantile(found, [0.025, 0.975]))


@pytest.mark.parametrize("count", [5, 8])
def test_intervals_over_clusters_are_those_of_a_plain_loop(count):
    values = np.random.default_rng(3).standard_normal(20)
    clusters = np.array(list("dabcehgf"))[np.arange(20) % count]
    values[clusters == "a"] += 2
    found = cluster_bootstrap.confidence_interval(
        lambda w: cluster_bootstrap.weighted_means(values, w), clusters, 120, 6
    )
    assert found == pytest.approx(drawn_one_by_one(values, clusters, 120, 6))


def test_intervals_over_few_clusters_or_of_nothing_are_undefined():
    few, enough = np.arange(12) % 4, np.arange(12) % 5
    assert np.isnan(cluster_bootstrap.confidence_interval(lambda w: w[:, 0], few, 50, 1)).all()
    assert np.isfinite(cluster_bootstrap.confidence_interval(lambda w: w[:, 0], enough, 50, 1)).all()
    assert np.isnan(cluster_bootstrap.confidence_interval(lambda w: w[:, 0] * NAN, enough, 50, 1)).all()
    one = cluster_bootstrap.confidence_interval(lambda w: np.where(np.arange(50) == 7, 3.5, NAN), enough, 50, 1)
    assert one == (3.5, 3.5)


def test_weighted_values_by_hand():
    x, weights = np.array([1.0, 2, 6]), np.array([[1.0, 1, 1], [2, 0, 1], [0, 5, 0]])
    np.testing.assert_allclose(cluster_bootstrap.weighted_means(x, weights), [3, 8 / 3, 2])
    # (1, 0), (2, 2), (6, 1): deviations −2 −1 3 and −1 1 0; two different cases lie on a falling line
    found = cluster_bootstrap.weighted_correlations(
        x, np.array([0.0, 2, 1]), np.array([[1.0, 1, 1], [0, 2, 1], [0, 5, 0]])
    )
    np.testing.assert_allclose(found, [1 / np.sqrt(14 * 2), -1, NAN])
    np.testing.assert_allclose(cluster_bootstrap.weighted_correlations(x + 1e6, 3 * x, weights), [1, 1, NAN], atol=1e-9)
    assert (np.abs(cluster_bootstrap.weighted_correlations(x, -3 * x, weights)[:2]) <= 1).all()
    constant = np.array([4.0, 4, 6])
    assert np.isnan(cluster_bootstrap.weighted_correlations(x, constant, np.array([[1.0, 3, 0]]))).all()
    assert np.isnan(cluster_bootstrap.weighted_correlations(constant, x, np.array([[1.0, 3, 0]]))).all()


def test_slopes_of_two_causes_by_their_correlations():
    """β_1 = (r_y1 − r_y2 r_12)/(1 − r_12²), and the interval is that of a plain loop."""
    random = np.random.default_rng(7)
    first = random.standard_normal(40)
    causes = np.column_stack([first, 5 * first + 4 * random.standard_normal(40) + 9])
    y = 2 * causes[:, 0] - 0.3 * causes[:, 1] + random.standard_normal(40) - 50

    def slopes(cases):
        r = np.corrcoef(np.column_stack([y, causes])[cases].T)
        return [(r[0, 1] - r[0, 2] * r[1, 2]) / (1 - r[1, 2] ** 2), (r[0, 2] - r[0, 1] * r[1, 2]) / (1 - r[1, 2] ** 2)]

    samples = stats.draw_resamples(40, 80, 1)
    ends = np.quantile([slopes(cases) for cases in samples], [0.025, 0.975], axis=0)
    found = stats.standardised_slopes(y, causes, samples)
    np.testing.assert_allclose(found, np.column_stack([slopes(np.arange(40)), *ends]))
