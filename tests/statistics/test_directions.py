"""Bias directions of groups: by hand and by their properties."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from biassay.statistics import directions
from biassay.statistics.geometry import mean_unit, unit
from biassay.statistics.growth import Growth, grow

NAN = np.nan
SEEDS = st.integers(0, 10**6)


def draw_groups(seed, n=2, d=5):
    """Groups of 3, 5, 7, … words of all lengths."""
    random = np.random.default_rng(seed)
    return [random.standard_normal((m, d)) * random.uniform(0.2, 5, (m, 1)) for m in range(3, 3 + 2 * n, 2)]


@settings(max_examples=30)
@given(SEEDS, st.integers(1, 5), st.integers(2, 4))
def test_a_basis_is_orthonormal_and_spans_the_directions(seed, k, d):
    rows = np.random.default_rng(seed).standard_normal((k, d))
    rows[-1] = rows[0] * 2 if k > 2 else rows[-1]  # a dependent one
    basis = directions.orthonormal(rows)
    assert len(basis) == np.linalg.matrix_rank(rows)
    np.testing.assert_allclose(basis @ basis.T, np.eye(len(basis)), atol=1e-14)
    np.testing.assert_allclose(rows @ basis.T @ basis, rows, atol=1e-12)


def test_a_basis_by_hand():
    # (1, 1, 0) first; (1, 0, 0) minus its part along it is (½, −½, 0)
    basis = directions.orthonormal(np.array([[2.0, 2, 0], [1, 0, 0], [5, -3, 0], [0, 0, -4]]))
    np.testing.assert_allclose(basis, np.array([[1, 1, 0], [1, -1, 0], [0, 0, -(2**0.5)]]) / 2**0.5, atol=1e-15)
    assert directions.orthonormal(np.zeros((2, 3))).shape == (0, 3)
    np.testing.assert_array_equal(directions.orthonormal(np.array([[1.0, 0, 0], [0, NAN, 0]])), [[NAN] * 3])
    for length, count in ((1e-10, 1), (1e-8, 2)):  # differences of 1e-10 are rounding, of 1e-8 are not
        basis = directions.orthonormal(np.array([[1.0, 2, 3], [1 + length, 2, 3]]))
        np.testing.assert_allclose(basis @ basis.T, np.eye(count), atol=1e-15)


def test_contrasts_point_towards_the_first_group():
    groups = draw_groups(1, 3)
    means = [mean_unit(group) for group in groups]
    found = directions.contrasts(groups)
    assert list(found) == [(0, 1), (0, 2), (1, 2)]
    for (i, j), direction in found.items():
        np.testing.assert_allclose(direction, unit(means[i] - means[j]))
    against = directions.contrasts(groups, "one_against_rest")
    assert list(against) == [(0, None), (1, None), (2, None)]
    for i, direction in enumerate(against.values()):
        rest = mean_unit(np.concatenate([group for j, group in enumerate(groups) if j != i]))
        np.testing.assert_allclose(direction, unit(means[i] - rest))
    # two groups have one contrast; groups that are alike have none; NaN stays
    assert list(directions.contrasts(groups[:2], "one_against_rest")) == [(0, 1)]
    assert list(directions.contrasts([groups[0], groups[1], groups[0]])) == [(0, 1), (1, 2)]
    assert np.isnan(directions.contrasts([groups[0], groups[1] * NAN])[0, 1]).all()
    with pytest.raises(ValueError, match="contrast: unknown value 'all'"):
        directions.contrasts(groups, "all")


def test_centred_sets_by_hand():
    # (1, 0) and (0, 1) minus their mean (½, ½); the third word of the first group has no partner
    groups = [np.array([[1.0, 0], [1, 0], [9, 9]]), np.array([[0.0, 1], [1, 0]])]
    expected = np.array([[0.5, -0.5], [-0.5, 0.5], [0, 0], [0, 0]])
    np.testing.assert_array_equal(directions.centre_defining_sets(groups), expected)
    assert directions.centre_defining_sets([np.ones((3, 2))]).shape == (0, 2)


@settings(max_examples=30)
@given(SEEDS, st.integers(2, 4), st.sampled_from([None, 1, 2, 3]))
def test_principal_components_are_eigenvectors_of_the_scatter(seed, n, k):
    groups = draw_groups(seed, n)
    found = directions.principal_components(groups, k)
    rows = directions.centre_defining_sets([unit(group) for group in groups])
    expected = np.linalg.eigh(rows.T @ rows)[1].T[::-1][: n - 1 if k is None else k]
    np.testing.assert_allclose(np.abs(np.sum(found * expected, axis=1)), np.ones(len(expected)), atol=1e-9)
    towards = mean_unit(groups[0]) - np.mean([mean_unit(group) for group in groups[1:]], axis=0)
    assert (found @ towards >= 0).all()


def test_components_where_sets_span_few_dimensions_or_none():
    x, y = np.array([[2.0, 0, 0]]), np.array([[0.0, 1, 0]])
    for pair, sign in (([x, y], 1), ([y, x], -1)):
        expected = sign * np.array([[1, -1, 0]]) / np.sqrt(2)
        np.testing.assert_allclose(directions.principal_components(pair, 3), expected, atol=1e-15)
    assert directions.principal_components([x, 3 * x]).shape == (0, 3)
    assert directions.principal_components([x, np.concatenate([x, y])]).shape == (0, 3)  # y has no partner
    np.testing.assert_array_equal(directions.principal_components([x, y * NAN]), [[NAN] * 3])
    with pytest.raises(ValueError, match=r"n_directions: .* got 0"):
        directions.principal_components([x, y], 0)


# two unit vectors at this distance are ± half of it from their mean: together 1/√2 of it, which is 1e-9 at 1.41e-9
@pytest.mark.parametrize(("distance", "count"), [(1.35e-9, 0), (1.5e-9, 1), (1e-6, 1)])
def test_what_is_rounding_and_what_a_direction(distance, count):
    pair = [np.array([[1.0, 0, 0]]), np.array([[1.0, distance, 0]])]
    assert len(directions.principal_components(pair)) == count
    (found,) = directions.growing_principal_component(pair, grow([1, 1], 2, 1, [1], aligned=True))
    assert np.isfinite(found).all() == count


def test_mean_directions_of_pairs_by_hand():
    """Raw differences (2, 0), (0, −3) and (0, 0): unit vectors (1, 0), (0, −1) and none; the fourth has no partner."""
    first, second = np.array([[3.0, 1], [1, 1], [5, 5], [9, 9]]), np.array([[1, 1], [1, 4], [5.0, 5]])
    np.testing.assert_allclose(directions.pair_mean([first, second]), [0.5, -0.5])
    assert np.isnan(directions.pair_mean([first[2:3], second[2:3]])).all()
    assert np.isnan(directions.pair_mean([np.array([[np.nan, 1], [2, 2]]), second])).all()
    with pytest.raises(ValueError, match=r"2 groups, got 3"):
        directions.pair_mean([first, second, second])
    shuffles = [np.array([[2, 0, 1, 3]]), np.array([[2, 0, 1]])]
    (found,) = directions.growing_pair_mean([first, second], Growth(shuffles, np.array([[1, 1], [2, 2], [4, 3]])))
    np.testing.assert_allclose(found, [[np.nan, np.nan], [1, 0], [0.5, -0.5]])
