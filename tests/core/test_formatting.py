"""Formats of numbers, durations and sizes."""

import pytest

from biassay.core import formatting


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        *((7200, "7,200"), (7200.4, "7,200"), (1.333, "1.33"), (99.97, "100"), (12, "12"), (0, "0")),
        *((0.0123, "0.0123"), (1.23e-5, "0.000"), (1.9e9, "1,900,000,000")),
    ],
)
def test_numbers_have_no_exponents(value, expected):
    assert formatting.format_number(value) == expected


@pytest.mark.parametrize(
    ("seconds", "expected"),
    [
        *((0.4, "0 s"), (99.4, "99 s"), (100, "2 min"), (5940, "99 min"), (6060, "1 h 41 min"), (7200, "2 h")),
        *((36_500, "10 h"), (47 * 3600, "47 h"), (49 * 3600, "2 days"), (864_000, "10 days")),
    ],
)
def test_durations(seconds, expected):
    assert formatting.format_duration(seconds) == expected
