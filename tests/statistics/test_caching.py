"""Functions of groups that are remembered: the same values as without, whatever is asked again or changed."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from biassay.statistics import caching, directions, geometry

FUNCTIONS = [geometry.mean_units, directions.group_basis, directions.principal_components]


def groups(seed, sizes=(3, 4), d=3, kind=np.float64):
    random = np.random.default_rng(seed)
    return [random.standard_normal((size, d)).astype(kind) for size in sizes]


@pytest.fixture
def counted():
    """A remembered function, and the options that it was called with."""
    calls = []

    def total(parts, *options, **named):
        calls.append((options, named))
        return np.concatenate(parts).sum(axis=0)

    return caching.cached(total), calls


@pytest.mark.parametrize("function", FUNCTIONS)
@settings(max_examples=25)
@given(
    seeds=st.lists(st.integers(0, 40), min_size=1, max_size=40),
    d=st.integers(2, 4),
    kind=st.sampled_from([np.float32, np.float64]),
)
def test_the_same_to_the_last_bit_as_without(function, seeds, d, kind):
    for seed in [*seeds, *seeds]:
        asked = groups(seed, d=d, kind=kind)
        np.testing.assert_array_equal(function(asked), function.__wrapped__(asked))


def test_options_matter():
    asked = groups(1)
    for options, named in (((1,), {}), ((2,), {}), ((), {"n_directions": 1}), ((), {})):
        expected = directions.principal_components.__wrapped__(asked, *options, **named)
        np.testing.assert_array_equal(directions.principal_components(asked, *options, **named), expected)


def test_computed_once_for_equal_groups_and_anew_for_others(counted):
    function, calls = counted
    first = groups(1)
    for asked in (first, [part.copy() for part in first]):
        np.testing.assert_array_equal(function(asked), np.concatenate(first).sum(axis=0))
    assert len(calls) == 1
    for number, other in enumerate((first[::-1], groups(2), [first[0].T.copy().T, first[1]]), start=2):
        function(other)
        assert len(calls) == number
    function(first, 1)
    function(first, k=1)
    assert calls[-2:] == [((1,), {}), ((), {"k": 1})]


def test_values_and_groups_may_be_changed_afterwards(counted):
    function, calls = counted
    asked = groups(1)
    expected = np.concatenate(asked).sum(axis=0)
    for _ in range(2):
        value = function(asked)
        np.testing.assert_array_equal(value, expected)
        value[:] = 0
    asked[0][0] += 1
    np.testing.assert_array_equal(function(asked), np.concatenate(asked).sum(axis=0))
    assert len(calls) == 2


def test_little_is_kept(counted):
    function, calls = counted
    large = groups(1, sizes=(caching.MAX_SIZE, 1))
    for _ in range(2):
        function(large)
    assert len(calls) == 2
    for seed in range(caching.MAX_VALUES + 1):
        function(groups(seed))
    function(groups(0))
    assert len(calls) == 2 + caching.MAX_VALUES + 2
