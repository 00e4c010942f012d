"""Formats of numbers and durations."""

from biassay.core import formatting


def test_numbers_have_no_exponents():
    values = {7200.4: "7,200", 1.333: "1.33", 99.97: "100", 0: "0", 0.0123: "0.0123", 1.23e-5: "0.000"}
    assert {value: formatting.format_number(value) for value in values} == values


def test_durations():
    durations = {0.4: "0 s", 99.4: "99 s", 100: "2 min", 5940: "99 min", 6060: "1 h 41 min", 7200: "2 h"}
    durations |= {36_500: "10 h", 47 * 3600: "47 h", 49 * 3600: "2 days"}
    assert {seconds: formatting.format_duration(seconds) for seconds in durations} == durations
