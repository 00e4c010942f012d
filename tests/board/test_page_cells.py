"""What the cells of the first page say, and how they are shaded."""

import numpy as np
import pandas as pd
import pytest

from biassay.studies.board import page
from tests.board.boards import NAN
from tests.board.test_page import cells, context


def test_a_cell_with_an_interval_n_and_note():
    given = context(power={"low": 0.4, "high": 0.625, "n": 300.0, "unit": "tests", "note": "its own test"})
    assert cells(given)["weat", "power"] == {
        "text": "0.50",
        "interval": "0.40 to 0.62",
        "shade": 0.5,
        "criterion": "power",
        "details": "95 % Wilson interval: 0.40 to 0.62; n = 300 tests; its own test",
        "page": "power.html",
    }


@pytest.mark.parametrize(
    ("changes", "interval", "details"),
    [
        ({"n": 0}, "", ""),
        ({"n": 4, "unit": "models", "note": NAN}, "", "n = 4 models"),
        ({"low": 0.1, "high": NAN, "n": 0, "note": "why"}, "", "why"),
        ({"low": 0.1, "high": 1.0, "n": 0}, "0.10 to 1.00", "95 % Wilson interval: 0.10 to 1.00"),
    ],
)
def test_a_cell_tells_what_there_is(changes, interval, details):
    found = cells(context(power=changes))["mac", "power"]
    assert (found["interval"], found["details"]) == (interval, details)


def test_a_verdict_is_a_word_without_interval():
    found = cells(context(trustworthy={"low": 0.0, "high": 1.0}))
    assert found["mac", "trustworthy"]["text"] == "no"
    assert found["first_order", "trustworthy"]["text"] == "partly"
    assert found["mac", "trustworthy"]["interval"] == ""
    assert "interval" not in found["mac", "trustworthy"]["details"]


def test_an_empty_cell_tells_why():
    assert cells(context())["weat", "trustworthy"] == {
        "text": "–",
        "interval": "",
        "shade": None,
        "criterion": "trustworthy",
        "details": "no trustworthy",
        "page": "trustworthy.html",
    }


@pytest.mark.parametrize(
    ("key", "value", "text"),
    [
        ("power", 0.125, "0.12"),
        ("power", 1.0, "1.00"),
        ("labor", -0.204, "−0.20"),
        ("words_needed", 41.6, "42"),
        ("milliseconds", 46.03, "46.03"),
        ("comparable", 1.0, "yes"),
        ("comparable", 0.5, "partly"),
        ("comparable", 0.0, "no"),
        ("power", 0.0, "0.00"),
    ],
)
def test_what_a_cell_says(key, value, text):
    assert page.format_cell(pd.Series({"criterion": key, "value": value})) == text
    assert page.format_cell(pd.Series({"value": value}, name=("weat", key))) == text


def test_an_interval_of_words_has_no_decimals():
    given = context({"weat": {"words_needed": 40.0}}, words_needed={"low": 9.6, "high": 80.4})
    assert cells(given)["weat", "words_needed"]["interval"] == "10 to 80"


def test_shades_by_hand():
    values = pd.DataFrame({"a": [1, 5, 3, NAN], "b": [2, 2, 2, 2], "c": [1, 2, 2, 9], "d": [NAN] * 4})
    np.testing.assert_allclose(
        page.compute_shades(values),
        np.transpose([[0, 1, 0.5, 0.5], [0.5] * 4, [0, 0.5, 0.5, 1], [0.5] * 4]),
    )


def test_shades_are_of_what_is_better():
    found = cells(context())
    assert {name: found[name, "subsampling_variability"]["shade"] for name in ("mac", "weat", "first_order")} == {
        "mac": 1.0,  # changes least
        "weat": 0.0,
        "first_order": None,
    }
    assert [found[name, "power"]["shade"] for name in ("mac", "weat", "first_order")] == [0.0, 0.5, 1.0]
    assert [found[name, "milliseconds"]["shade"] for name in ("mac", "weat")] == [0.0, 1.0]  # of those shown
