"""Sums over parts: counted and drawn, against parts listed one by one."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from biassay.statistics import permutation_tests

POWERS = 2.0 ** np.arange(20)  # a sum tells its part


def listed(values, size):
    """Sums of all parts, in lexicographic order."""
    return np.array([sum(part) for part in combinations(values, size)])


@settings(max_examples=60)
@given(st.lists(st.integers(-8, 8), min_size=2, max_size=11), st.data())
def test_counts_are_those_of_all_parts(numbers, data):
    """Values in eighths, whose sums are exact: a threshold that is a sum counts it."""
    values = np.array(numbers) / 8
    size = data.draw(st.integers(1, len(values) - 1))
    sums = listed(values, size)
    thresholds = np.array([-np.inf, sums[0], sums[-1], sums[0] + 1 / 16, 0.0, np.inf])
    expected = [(sums >= threshold).sum() for threshold in thresholds]
    assert permutation_tests.count_exceeding(values, size, thresholds).tolist() == expected


@pytest.mark.parametrize("n_resamples", [1, 20, 34, 100])
@pytest.mark.parametrize("chunk", [1, 8, 34])
def test_drawn_parts_are_different_and_never_the_observed_one(monkeypatch, n_resamples, chunk):
    monkeypatch.setattr(permutation_tests, "CHUNK", chunk)
    pieces = list(permutation_tests.sample_sums(POWERS[:7], 3, n_resamples, seed=1))
    least = min(n_resamples, 34)  # of C(7, 3) = 35 one is the observed
    assert [len(piece) for piece in pieces[:-1]] == [chunk] * (len(pieces) - 1)
    sums = np.concatenate(pieces)
    assert len(set(sums)) == len(sums) == least
    assert set(sums) <= set(listed(POWERS[:7], 3)[1:])


@pytest.mark.parametrize("chunk", [8, 70])
def test_of_too_many_parts_to_number_each_is_drawn_alike(monkeypatch, chunk):
    monkeypatch.setattr(permutation_tests, "MAX_RANK", 10)
    monkeypatch.setattr(permutation_tests, "CHUNK", chunk)
    pieces = list(permutation_tests.sample_sums(POWERS[:10], 4, 2001, seed=3))
    assert [len(piece) for piece in pieces] == [chunk // 10 or 1] * (2001 // (chunk // 10 or 1)) + [6] * (chunk > 9)
    taken = np.concatenate(pieces).astype(int)[:, None] >> np.arange(10) & 1
    assert (taken.sum(axis=1) == 4).all()
    # a value is in 4 of 10 parts: 2001 draws have a standard deviation of .011
    np.testing.assert_allclose(taken.mean(axis=0), 0.4, atol=0.045)
    assert len(set(np.concatenate(pieces))) > 200  # of 210
