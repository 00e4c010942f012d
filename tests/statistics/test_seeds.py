"""Seeds of single choices, and scores measured again."""

import numpy as np
import pytest

from biassay.statistics.repeats import relative_difference
from biassay.statistics.seeds import RESOLUTION, seed_of, step


def test_numbers_enter_seeds_in_steps():
    assert RESOLUTION == 10_000
    assert [step(value) for value in (0, 0.05, 0.85, 0.00004, 0.00006, 1)] == [0, 500, 8500, 0, 1, 10_000]
    assert seed_of(1, 2) == int(np.random.SeedSequence([1, 2]).generate_state(1)[0]) < 2**32
    parts = [(1, 2), (1, 3), (2, 2), (1, 2, 1), (1, 2, 1, 1), (1, 2, 0, 1)]
    assert len({seed_of(*part) for part in parts}) == len(parts)
    assert isinstance(seed_of(1, 2), int)


def test_relative_difference_by_hand():
    a, b = np.array([1.0, 3.0, -2.0, 0.0, 0.0, 1.0, 4.0]), np.array([3.0, 1.0, 2.0, 5.0, 0.0, 1.0, np.nan])
    expected = [1, 1, 2, 2, np.nan, 0, np.nan]
    np.testing.assert_allclose(relative_difference(a, b), expected)
    np.testing.assert_allclose(relative_difference(b, a), expected)
    assert relative_difference(np.array(-1.0), np.array(-4.0)) == pytest.approx(1.2)
