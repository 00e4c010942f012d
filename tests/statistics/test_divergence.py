"""Divergence from uniform: worked by hand, against scipy, its bounds."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.distance import jensenshannon

from biassay.statistics import divergence


def test_by_hand():
    assert divergence.from_uniform(np.array([0.5, 0.5])) == 0
    # the middle of [3/4, 1/4] and [1/2, 1/2] is [5/8, 3/8]
    of_p = 3 / 4 * np.log(6 / 5) + 1 / 4 * np.log(2 / 3)
    of_uniform = 1 / 2 * np.log(4 / 5) + 1 / 2 * np.log(4 / 3)
    found = divergence.from_uniform(np.array([[0.75, 0.25], [0.25, 0.75]]))
    np.testing.assert_allclose(found, (of_p + of_uniform) / 2)
    np.testing.assert_allclose(found, 0.033822, atol=1e-6)
    # a half to each of two of four: the middle is [3/8, 3/8, 1/8, 1/8]
    found = divergence.from_uniform(np.array([0.5, 0.5, 0, 0]))
    assert found == pytest.approx((np.log(4 / 3) + np.log(2 / 3) / 2 + np.log(2) / 2) / 2)


@pytest.mark.parametrize(("n", "expected"), [(1, 0), (2, 0.215762), (3, 0.318257), (5, 0.422810), (10**9, np.log(2))])
def test_the_largest(n, expected):
    assert divergence.maximum(n) == pytest.approx(expected, abs=1e-6)
    assert isinstance(divergence.maximum(n), float)


@pytest.mark.parametrize("n", [2, 3, 5, 40])
def test_one_certain_case_is_the_furthest(n):
    np.testing.assert_allclose(divergence.from_uniform(np.eye(n)), divergence.maximum(n), rtol=1e-13)


def test_shapes_and_undefined_rows():
    rows = np.random.default_rng(1).dirichlet(np.ones(3), (4, 2))
    found = divergence.from_uniform(rows)
    assert found.shape == (4, 2)
    assert found[3, 1] == divergence.from_uniform(rows[3, 1])
    rows[1, 0, 2] = np.nan
    assert np.isnan(divergence.from_uniform(rows)).nonzero() == ([1], [0])
    assert divergence.from_uniform(np.array([[0, 1]], dtype=np.float32)).dtype == np.float64


@given(st.lists(st.floats(0, 1e3), min_size=2, max_size=7).filter(sum), st.randoms())
def test_within_bounds_as_scipy_has_it_whatever_the_order(weights, random):
    p = np.array(weights) / np.sum(weights)
    found = divergence.from_uniform(p)
    assert 0 <= found <= divergence.maximum(len(p))
    with np.errstate(invalid="ignore"):  # scipy takes the root of what rounding has made negative
        expected = np.nan_to_num(jensenshannon(p, np.full(len(p), 1 / len(p))) ** 2)
    assert found == pytest.approx(expected, abs=1e-12)
    random.shuffle(weights)
    assert divergence.from_uniform(np.array(weights) / np.sum(weights)) == pytest.approx(found, abs=1e-12)


@given(st.integers(2, 9), st.floats(-1e-12, 1e-12))
def test_rounding_never_leads_below_0(n, little):
    p = np.full(n, 1 / n)
    p[:2] += little, -little
    assert 0 <= divergence.from_uniform(p) <= 1e-15
