"""Correlations, their intervals and tests of two of them, against scipy, published values and values by hand."""

from dataclasses import fields

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from biassay.statistics import correlation
from biassay.statistics.intervals import draw_resamples, expanded_levels

NAN = np.nan
SCIPY = {"spearman": scipy.stats.spearmanr, "pearson": scipy.stats.pearsonr}
VALUES = st.lists(st.tuples(st.integers(-3, 3), st.integers(-3, 3)), min_size=3, max_size=12)


def test_pearson_leaves_incomplete_pairs_out():
    x = np.array([[1.0, 2, 4, NAN], [1, 2, NAN, NAN], [3, 3, 3, NAN], [1, 2, 3, 4], [1, 2, 3, 4], [np.inf, 1, 2, 4]])
    y = np.array([[5.0, 1, 2, 9], [1, 2, 3, 4], [1, 2, 3, 4], [2, 4, 6, 8], [0.1, 0.1, 0.1, 0.1], [9, 5, 1, 2]])
    r, p, n = correlation.pearson(x, y)
    assert n.tolist() == [3, 2, 3, 4, 4, 3]
    # −4 −1 5 over 3 and 7 −5 −2 over 3: (−28 + 5 − 10)/√(42 · 78)
    assert r[0] == r[5] == pytest.approx(-33 / np.sqrt(42 * 78))
    assert p[0] == pytest.approx(scipy.stats.pearsonr([1, 2, 4], [5, 1, 2]).pvalue)
    assert np.isnan([r, p]).tolist() == [[False, True, True, False, True, False]] * 2
    assert (r[3], p[3]) == (1, pytest.approx(0))
    assert correlation.pearson(x[0], y[0]) == (r[0], p[0], 3)
    assert np.isnan(correlation.pearson([], [])[:2]).all()


@given(VALUES)
def test_spearman_equals_scipys(pairs):
    x, y = np.array(pairs, float).T
    is_constant = np.ptp(x) == 0 or np.ptp(y) == 0
    expected = NAN if is_constant else scipy.stats.spearmanr(x, y).statistic
    assert correlation.spearman(np.stack([x, y]), np.stack([y, x])) == pytest.approx([expected] * 2, nan_ok=True)
    assert correlation.spearman(x, y) == pytest.approx(expected, nan_ok=True)


@pytest.mark.parametrize("kind", SCIPY)
@pytest.mark.parametrize("digits", [0, 9])
def test_rows_and_their_intervals_equal_scipys_one_by_one(kind, digits):
    x = np.random.default_rng(digits).standard_normal((3, 30)).round(digits)
    y = (x[0] + x[1]).round(digits)
    x[1, :5], x[2, 7] = NAN, NAN
    found = correlation.correlate_rows(x, y, kind, 40, 4)
    for row in range(3):
        both = np.isfinite(x[row])
        samples = draw_resamples(both.sum(), 40, 4)
        resampled = [SCIPY[kind](x[row, both][cases], y[both][cases]).statistic for cases in samples]
        expected = [*SCIPY[kind](x[row, both], y[both]), *np.percentile(resampled, expanded_levels(int(both.sum())))]
        assert [found.value[row], found.p[row], found.low[row], found.high[row]] == pytest.approx(expected)
        assert found.n[row] == both.sum()


@pytest.mark.parametrize("kind", SCIPY)
def test_rows_without_a_correlation(kind):
    x = np.array([[1.0] * 6, [1, 2, NAN, NAN, NAN, NAN], [NAN] * 6, [1, 2, 4, 3, NAN, 5], [1, 2, 4, 3, 6, 5]])
    found = correlation.correlate_rows(x, np.array([1.0, 2, 3, 4, 5, NAN]), kind, 20, 1)
    for values in (found.value, found.p):
        assert np.isnan(values).tolist() == [True, True, True, False, False]
    for values in (found.low, found.high):  # four cases are too few
        assert np.isnan(values).tolist() == [True, True, True, True, False]


def test_weighted_correlations_by_hand():
    x, y = np.array([1.0, 2, 6]), np.array([0.0, 2, 1])
    weights = np.array([[1.0, 1, 1], [0, 2, 1], [0, 5, 0]])
    # deviations −2 −1 3 and −1 1 0; two different cases lie on a falling line
    np.testing.assert_allclose(correlation.weighted_correlations(x, y, weights), [1 / np.sqrt(14 * 2), -1, NAN])
    np.testing.assert_allclose(correlation.weighted_correlations(x + 1e6, 3 * x, weights), [1, 1, NAN], atol=1e-9)
    constant = np.array([4.0, 4, 6])
    for sides in ((x, constant), (constant, x)):
        assert np.isnan(correlation.weighted_correlations(*sides, np.array([[1.0, 3, 0]]))).all()


def test_fisher_interval():
    low, high = correlation.fisher_interval(np.array([0.5, 0.5, NAN]), np.array([20, 3, 20]))
    x, y = np.random.default_rng(1).standard_normal((2, 20))
    expected = scipy.stats.pearsonr(x, y).confidence_interval(0.95)
    found = correlation.fisher_interval(*(np.array([value]) for value in correlation.pearson(x, y)[::2]))
    assert np.ravel(found) == pytest.approx(tuple(expected))
    np.testing.assert_array_equal(np.isnan([low, high]), [[False, True, True]] * 2)


@pytest.mark.parametrize("kind", SCIPY)
def test_repeated_cases_are_no_evidence_if_their_clusters_are_resampled(kind):
    x, y = np.split(np.random.default_rng(3).standard_normal((3, 30)), [2])
    x[0] += y[0]
    once = correlation.correlate_rows(x, y[0], kind, 40, 4)
    clusters = np.repeat([f"c{i}" for i in range(30)], 3)
    tripled = correlation.correlate_rows(np.repeat(x, 3, axis=1), np.repeat(y[0], 3), kind, 40, 4, clusters)
    for name in ("value", "low", "high", "resampled"):
        assert getattr(tripled, name) == pytest.approx(getattr(once, name))
    compared = [correlation.compare_resampled(*split_rows(r, [[0, 0, 1], [1, 0, 0]])) for r in (once, tripled)]
    np.testing.assert_allclose(*compared)
    spread = np.subtract(*np.arctanh(once.resampled)).std(ddof=1)
    z = np.subtract(*np.arctanh(once.value)) / spread
    p = 2 * scipy.stats.norm.sf(abs(z))
    np.testing.assert_allclose(compared[0], [[z, NAN, -z], [p, NAN, p]])


def split_rows(r, sides):
    """Correlations of the rows of each side."""
    return [correlation.Correlations(*(getattr(r, field.name)[rows] for field in fields(r))) for rows in sides]


def test_few_clusters_have_no_interval_and_no_test():
    x, y = np.split(np.random.default_rng(3).standard_normal((3, 30)), [2])
    r = correlation.correlate_rows(x, y[0], "pearson", 20, 1, np.arange(30) % 4)
    assert np.isfinite(r.value).all()
    assert np.isnan([r.low, r.high, correlation.compare_resampled(*split_rows(r, [[0, 1], [1, 0]]))[1]]).all()


# printed by R's cocor (steiger1980) for two samples; and, of Steiger's (1980) own sizes, by hand:
# r̄ = .45; (.1·(1 − .405) − ½·.2025·(1 − .405 − .01))/.7975² = .000269/.636 = .00042; (.42365 − .54931)·√(100/1.99915)
@pytest.mark.parametrize(
    ("r_1", "r_2", "r_12", "n", "z", "p"),
    [
        (0.0228, 0.3522, 0.3718, 553, -7.1345, 0.0000),
        (0.2493, 0.3395, 0.4082, 553, -2.0660, 0.0388),
        (0.4, 0.5, 0.1, 103, -0.8887, 0.3742),
        (0.3, -0.3, 0.5, 4, 2 * np.arctanh(0.3), 0.5360),  # r̄ = 0, covariance .5: 2 artanh(.3)·√((n − 3)/(2 − 1))
    ],
)
def test_two_dependent_correlations_as_published_and_by_hand(r_1, r_2, r_12, n, z, p):
    assert correlation.compare_dependent(r_1, r_2, r_12, n) == pytest.approx((z, p), abs=4e-4)
    assert correlation.compare_dependent(r_2, r_1, r_12, n) == pytest.approx((-z, p), abs=4e-4)


def test_two_correlations_that_cannot_be_compared():
    cases = [(0.5, 0.2, 0.1, 3), (0.2, -1.0, 0.1, 50), (0.2, 1.0, 0.1, 50), (0.5, 0.2, -1.0, 50), (0.5, NAN, 0.1, 50),
             (0.5, 0.5, 1.0, 50), (0.5, 0.2, 0.1, 50)]  # fmt: skip
    z, p = correlation.compare_dependent(*np.array(cases).T)
    assert np.isnan([z, p]).tolist() == [[True] * 6 + [False]] * 2


def test_verdicts():
    verdicts = [correlation.describe_test(*test) for test in ((2, 0.04), (-2, 0.04), (1.9, 0.05), (NAN, NAN))]
    assert verdicts == ["first", "second", "not significant", "undefined"]
    assert correlation.describe_test(2.0, 0.0455, level=0.01) == "not significant"


def test_few_cases_cannot_have_a_small_p_by_ranks():
    found = correlation.correlate_rows(np.array([[1.0, 2, 3, 4, NAN]]), np.arange(5.0), "spearman", 20, 1)
    assert found.p == pytest.approx(2 / 24)
    rows = np.array([[1.0, 2, 3, 5, 4], [1, 1, 2, 3, 4], [5, 4, 3, 2, 1]])
    found = correlation.correlate_rows(rows, np.arange(5.0), "spearman", 20, 1)
    assert found.p == pytest.approx([10 / 120, 4 / 120, 2 / 120])  # t gives 0.037 for the first
    many = correlation.correlate_rows(np.arange(9.0)[None], np.arange(9.0), "spearman", 20, 1)
    assert many.p == pytest.approx(2 / 362880)
