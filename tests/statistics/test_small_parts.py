"""Unit vectors and cosines, divergence from uniform, folds, seeds, and cached functions of groups."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.distance import jensenshannon

from biassay.statistics import caching, divergence, geometry
from biassay.statistics.folds import assign_folds, assign_folds_by_text
from biassay.statistics.seeds import seed_of, step

NAN = np.nan


def test_unit_vectors_and_their_means_by_hand():
    rows = np.array([[3, 4], [0, 0], [-2, 0]])
    with np.errstate(all="raise"):
        np.testing.assert_array_equal(geometry.unit(rows), [[0.6, 0.8], [NAN, NAN], [-1, 0]])
        assert np.isnan(geometry.mean_unit(rows)).all()
    assert geometry.unit(rows.astype(np.float32)).dtype == np.float64
    # (.6, .8) and (−1, 0): their lengths, 5 and 2, do not count
    means = geometry.mean_units([np.array([[0.5, 0]]), rows[[0, 2]]])
    np.testing.assert_allclose(means, [[1, 0], [-0.2, 0.4]])


def test_cosines_by_hand():
    left, right = np.array([[3.0, 4], [0, 0]]), np.array([[1.0, 0], [0, 0.5], [-3, -4]])
    np.testing.assert_allclose(geometry.cosine(left, right), [[0.6, 0.8, -1], [NAN, NAN, NAN]])
    # along (0, 2), whose length counts: 2 · .8
    with np.errstate(all="raise"):
        np.testing.assert_allclose(geometry.project(left, np.array([0.0, 2])), [1.6, NAN])
    np.testing.assert_allclose(geometry.project(left, np.array([[0.0, 2], [5, 0]])), [[1.6, 3], [NAN, NAN]])


@given(st.lists(st.floats(0, 1e3), min_size=2, max_size=7).filter(sum))
def test_divergence_equals_scipys_within_its_bounds(weights):
    p = np.array(weights) / np.sum(weights)
    found = divergence.from_uniform(p)
    assert 0 <= found <= divergence.maximum(len(p))
    assert np.isnan(divergence.from_uniform(np.array([p, p * NAN]))).tolist() == [False, True]
    with np.errstate(invalid="ignore"):  # scipy takes the root of what rounding has made negative
        expected = np.nan_to_num(jensenshannon(p, np.full(len(p), 1 / len(p))) ** 2)
    assert found == pytest.approx(expected, abs=1e-12)


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 2)), min_size=2, max_size=60), st.data())
def test_folds_differ_by_one_text_of_each_kind_at_most(texts, data):
    n, seed = data.draw(st.integers(2, min(6, len(texts)))), data.draw(st.integers(0, 9))
    labels, groups = np.array([(c & 1, c >> 1) for c, _ in texts]), np.array([g for _, g in texts])
    found = assign_folds(labels, groups, n, seed)
    assert np.ptp(np.bincount(found, minlength=n)) <= 1
    for kind in set(texts):
        assert np.ptp(np.bincount(found[[text == kind for text in texts]], minlength=n)) <= 1
    assert (assign_folds(labels, groups, n, seed) == found).all()


def test_equal_texts_share_a_fold():
    """Templates with three terms each are assigned as their first one, whatever groups and labels the others have."""
    texts = np.repeat(["x", "y", "z", "u"], 3)
    labels, groups = np.eye(2)[[0, 0, 1] * 4], np.arange(12) % 3
    found = assign_folds_by_text(labels, groups, texts, 2, 5).reshape(4, 3)
    assert (found == found[:, :1]).all()
    by_name = [9, 0, 3, 6]  # the first rows of u, x, y and z
    assert found[[3, 0, 1, 2], 0].tolist() == assign_folds(labels[by_name], groups[by_name], 2, 5).tolist()


def test_seeds():
    assert [step(value) for value in (0, 0.05, 0.85, 0.00004, 0.00006, 1)] == [0, 500, 8500, 0, 1, 10_000]
    assert seed_of(1, 2) == int(np.random.SeedSequence([1, 2]).generate_state(1)[0]) < 2**32
    parts = [(1, 2), (1, 3), (2, 2), (1, 2, 1), (1, 2, 1, 1), (1, 2, 0, 1)]
    assert len({seed_of(*part) for part in parts}) == len(parts)


@pytest.mark.parametrize(("n_texts", "n"), [(4, 1), (4, 5)])
def test_more_folds_than_texts_and_a_single_fold_are_refused(n_texts, n):
    with pytest.raises(ValueError, match=f"folds: .*2 to {n_texts}.* got {n}"):
        assign_folds(np.ones((n_texts, 1)), np.ones(n_texts), n, 1)


def test_values_are_cached_by_content_and_options():
    calls = []

    @caching.cached
    def add(groups, **options):
        calls.append(options)
        return np.concatenate(groups).sum(axis=0)

    first = list(np.random.default_rng(1).standard_normal((2, 3, 4)))
    for groups in (first, [group.copy() for group in first]):
        value = add(groups)
        np.testing.assert_array_equal(value, np.concatenate(first).sum(axis=0))
        value[:] = 0  # a copy
    large = [np.ones((caching.MAX_SIZE, 3))]  # is not cached
    for groups, options in ((first[::-1], {}), (first, {"k": 1}), (large, {}), (large, {})):
        add(groups, **options)
    assert calls == [{}, {}, {"k": 1}, {}, {}]
