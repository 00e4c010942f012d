"""Correlations and tests of many rows at once, against one by one."""

import numpy as np
import pytest

from biassay.statistics import statistics as stats

NAN = np.nan


@pytest.mark.parametrize("kind", stats.CORRELATIONS)
def test_rows_are_correlated_as_each_alone(kind):
    random = np.random.default_rng(3)
    x = random.normal(size=(9, 40)).round(1)  # with ties
    y = x[0] + random.normal(size=40)
    x[1, :5], x[2, 7], x[3], x[4, 2:], x[5, 3:], x[6], y[39] = NAN, NAN, 1.0, NAN, NAN, NAN, NAN
    x[7] = y
    found = stats.correlate_rows(x, y, kind, 60, 4)
    for row in range(9):
        both = np.isfinite(x[row]) & np.isfinite(y)
        samples = stats.draw_resamples(both.sum(), 60, 4) if both.any() else np.empty((60, 0), int)
        with np.errstate(all="ignore"):
            alone = stats.correlate(x[row, both], y[both], kind, samples) if both.any() else None
        values = [found.value[row], found.p[row], found.low[row], found.high[row]]
        expected = [alone.value, alone.p, alone.low, alone.high] if alone else [NAN] * 4
        np.testing.assert_allclose(values, expected, atol=1e-9)
        assert found.n[row] == both.sum()
    assert np.isnan(found.value).tolist() == [False, False, False, True, True, False, True, False, False]


def test_words_that_one_side_lacks_have_no_rank():
    x, y = np.array([[3.0, NAN, 1, 2, 9]]), np.array([[5.0, 1, NAN, 5, 7]])
    first, second = stats.rank_rows("spearman", x, y)
    np.testing.assert_array_equal(first, [[2, NAN, NAN, 1, 3]])
    np.testing.assert_array_equal(second, [[1.5, NAN, NAN, 1.5, 3]])
    first, second, third = stats.rank_rows("pearson", x, y, np.array([[NAN, 1, 1, 1, 1]]))
    np.testing.assert_array_equal([first[0], second[0], third[0]], [[NAN] * 3 + v for v in ([2, 9], [5, 7], [1, 1])])


def test_many_tests_of_two_correlations_are_those_of_each():
    r = np.array(
        [[0.4, 0.5, 0.1], [0.0228, 0.3522, 0.3718], [1, 0.2, 0.1], [NAN, 0.2, 0.1], [0.5, 0.5, 1], [0.3, 0.1, 0]]
    )
    n = np.array([103, 553, 50, 50, 50, 3])
    z, p = stats.compare_dependent(*r.T, n)
    alone = [stats.compare_dependent(*of, k) for of, k in zip(r, n, strict=True)]
    np.testing.assert_allclose(np.column_stack([z, p]), alone)
    assert np.isnan(z).tolist() == [False, False, True, True, True, True]


def test_slopes_leave_constant_resamples_out():
    y, causes = np.array([1.0, 2, 4, 3]), np.array([[0.0, 1], [1, 5], [2, 2], [3, 9]])
    constant, whole = [2, 2, 2, 2], [0, 1, 2, 3]
    found = stats.standardised_slopes(y, causes, np.array([whole, constant, whole]))
    z, of_y = (causes - causes.mean(axis=0)) / causes.std(axis=0), (y - y.mean()) / y.std()
    slopes = np.linalg.lstsq(z, of_y, rcond=None)[0]
    np.testing.assert_allclose(found, np.repeat(slopes[:, None], 3, axis=1))
    none = stats.standardised_slopes(y, causes, np.array([constant]))
    np.testing.assert_allclose(none[:, 0], slopes)
    assert np.isnan(none[:, 1:]).all()


def test_rows_of_nothing():
    r, p, n = stats.pearson_rows(np.empty((2, 0)), np.empty((2, 0)))
    assert np.isnan(r).all()
    assert np.isnan(p).all()
    assert n.tolist() == [0, 0]
