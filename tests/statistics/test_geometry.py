"""Unit vectors, their means, and cosines, by hand."""

import numpy as np

from biassay.statistics import geometry

NAN = np.nan


def test_unit_vectors_by_hand():
    rows = np.array([[3, 4], [0, 0], [-2, 0]])
    np.testing.assert_array_equal(geometry.unit(rows), [[0.6, 0.8], [NAN, NAN], [-1, 0]])
    assert geometry.unit(rows.astype(np.float32)).dtype == np.float64
    stacked = geometry.unit(np.stack([rows, 2 * rows]))
    np.testing.assert_array_equal(stacked, np.stack([geometry.unit(rows)] * 2))


def test_means_of_unit_vectors_by_hand():
    # (.6, .8) and (−1, 0): their lengths, 5 and 2, do not count
    np.testing.assert_allclose(geometry.mean_unit(np.array([[3, 4], [-2, 0]])), [-0.2, 0.4])
    assert np.isnan(geometry.mean_unit(np.array([[3.0, 4], [0, 0]]))).all()
    means = geometry.mean_units([np.array([[0.5, 0]]), np.array([[3, 4], [-2, 0]])])
    np.testing.assert_allclose(means, [[1, 0], [-0.2, 0.4]])


def test_cosines_by_hand():
    left, right = np.array([[3.0, 4], [0, 0]]), np.array([[1.0, 0], [0, 0.5], [-3, -4]])
    np.testing.assert_allclose(geometry.cosine(left, right), [[0.6, 0.8, -1], [NAN, NAN, NAN]])
    # along (0, 2), whose length counts: 2 · .8; a zero row stays by itself
    np.testing.assert_allclose(geometry.project(left, np.array([0.0, 2])), [1.6, NAN])
    np.testing.assert_allclose(geometry.project(left, np.array([[0.0, 2], [5, 0]])), [[1.6, 3], [NAN, NAN]])
    short = geometry.project(np.array([[0.03, 0.04]]), np.array([[0.0, 2]]))
    np.testing.assert_allclose(short, [[1.6]])
    # mean of the cosines .6, .8, −1
    np.testing.assert_allclose(geometry.association(left, right), [0.4 / 3, NAN])


def test_a_zero_row_is_nan_without_a_warning():
    rows = np.array([[3.0, 4], [0, 0]])
    with np.errstate(all="raise"):
        assert np.isnan(geometry.unit(rows)[1]).all()
        assert np.isnan(geometry.mean_unit(rows)).all()
        assert np.isnan(geometry.project(rows, rows[0])).tolist() == [False, True]
