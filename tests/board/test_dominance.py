"""Which metric dominates which: by hand, and as an order."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from biassay.studies.board import dominance

NAN = float("nan")
VALUES = arrays.arrays(
    float,
    st.tuples(st.integers(0, 6), st.integers(0, 4)),
    elements=st.sampled_from([0.0, 1.0, 2.0, NAN]),
)


def dominates(*rows):
    return dominance.dominates(pd.DataFrame(list(rows)))


def pairs(matrix):
    return list(zip(*(places.tolist() for places in np.nonzero(matrix)), strict=True))


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ([[1, 1], [0, 0]], [(0, 1)]),
        ([[1, 1], [1, 0]], [(0, 1)]),
        ([[1, 1], [1, 1]], []),
        ([[1, 0], [0, 1]], []),
        ([[1, NAN], [0, NAN]], [(0, 1)]),
        ([[1, NAN], [0, 0]], []),  # what the first lacks, the second has
        ([[1, 0], [0, NAN]], [(0, 1)]),
        ([[1, 0], [1, NAN]], []),  # having more values is not being better
        ([[1, 1], [NAN, NAN]], []),
        ([[NAN, NAN], [NAN, NAN]], []),
        ([[NAN, 1], [1, NAN]], []),
        ([[3, 3, 3], [2, 2, NAN], [1, NAN, NAN], [NAN, NAN, 4]], [(0, 1), (0, 2), (1, 2)]),
        ([[np.inf, 1], [0, 0]], []),  # a value that is none
    ],
)
def test_by_hand(rows, expected):
    assert pairs(dominates(*rows)) == expected


def slow(a, b):
    """The definition, value by value."""
    known = [(x, y) for x, y in zip(a, b, strict=True) if y == y]
    return all(x >= y for x, y in known) and any(x > y for x, y in known)


@given(VALUES)
def test_it_is_as_defined(values):
    found = dominance.dominates(pd.DataFrame(values))
    assert found.shape == (len(values), len(values))
    assert found.tolist() == [[slow(a, b) for b in values] for a in values]


@given(VALUES)
def test_it_is_an_order(values):
    found = dominance.dominates(pd.DataFrame(values))
    assert not found.diagonal().any()
    assert not (found & found.T).any()
    through = (found.astype(int) @ found.astype(int)) > 0
    assert not (through & ~found).any()
