"""The page that answers the first-order study's question: every cell and colour from its row of the comparisons."""

import re

import pandas as pd
import pytest

from scripts.first_order import answer
from tests.markup import Page

COLUMNS = ["corpus", "word_list", "embedding", "second_embedding", "second_space", "second_method", "statistics"]
PURPLE, ORANGE, GREY, WHITE = "#e4d9f0", "#fbe3c8", "#f4f4f4", "#ffffff"


def row(place, statistics, values, correlation="spearman", **changes):
    """A row of comparisons.csv; values are r, second r, corrected p, n, verdict, intervals, and what is published."""
    places = {"corpus": place[0], "embedding": place[1], "second_embedding": place[2], "second_space": place[3]}
    given = {"word_list": "medium", "space": "explicit", "method": "first_order", "steiger_z": 1.0, "p": 0.111}
    names = [
        "first_order",
        "second_order",
        "p_holm",
        "n",
        "verdict",
        "first_low",
        "first_high",
        "second_low",
        "second_high",
    ]
    names += ["first_published", "second_published"]
    result = dict(zip(names, values, strict=True))
    return places | given | {"second_method": "second_order_cosine", "statistics": statistics} | {
        "correlation": correlation
    } | result | changes  # fmt: skip


NONE = float("nan")
WRONG = (0.11, 0.11, 0.11, 11, "undefined", *[0.11] * 6)  # of rows that are not to be shown
SG, SVD = ("wiki", "skipgram", "skipgram", "vectors"), ("wiki", "ppmi", "ppmi_svd", "explicit")
TWIN = ("twin", "glove", "glove", "explicit")
ROWS = [
    row(SG, "labor", WRONG, correlation="pearson"),
    row(SG, "labor", (0.613, 0.487, 0.0004, 38, "first", 0.401, 0.75, -0.1, 0.6, 0.67, 0.57)),
    row(SG, "labor", WRONG, second_method="second_order_nnd"),
    row(SVD, "labor", (0.2, -0.345, 0.051, 35, "no difference", 0.1, 0.3, -0.5, -0.2, NONE, 0.39)),
    row(SG, "planted_clear", (-0.1, 0.9, 0.001, 120, "second", -0.2, 0.1, 0.8, 0.95, NONE, NONE)),
    row(SG, "labor", WRONG, word_list="tiny"),
    row(SVD, "planted_clear", (0.5, 0.4, 0.8096, 119, "no difference", 0.3, 0.7, 0.2, 0.6, NONE, NONE)),
    row(TWIN, "census", (NONE, 0.3, NONE, 3, "undefined", NONE, NONE, -1, 1, NONE, NONE)),
]


@pytest.fixture
def page(tmp_path):
    pd.DataFrame(ROWS).to_csv(tmp_path / "comparisons.csv", index=False)
    answer.main(str(tmp_path / "comparisons.csv"), "medium", str(tmp_path / "answer.html"))
    return Page((tmp_path / "answer.html").read_text("utf-8"))


def test_a_cell_a_comparison_with_the_cosine_on_the_main_list(page):
    assert page.texts["caption"] == ["wiki, list “medium”: 4 tests", "twin, list “medium”: 0 tests"]
    assert page.rows(0) == [
        ["first", "second", "Labor", "planted clear"],
        [
            "e-skipgram Λ1",
            "skipgram cosine",
            "0.61 [0.40, 0.75] / 0.49 [-0.10, 0.60], p < .001 (n = 38)published 0.67 / 0.57",
            "-0.10 [-0.20, 0.10] / 0.90 [0.80, 0.95], p = 0.001 (n = 120)",
        ],
        [
            "ppmi Λ1",
            "ppmi-SVD (explicit) cosine",
            "0.20 [0.10, 0.30] / -0.34 [-0.50, -0.20], p = 0.051 (n = 35)published – / 0.39",
            "0.50 [0.30, 0.70] / 0.40 [0.20, 0.60], p = 0.810 (n = 119)",
        ],
    ]
    assert page.rows(1) == [
        ["first", "second", "Census"],
        ["e-glove Λ1", "e-glove cosine", "– [–, –] / 0.30 [-1.00, 1.00], p = – (n = 3)"],
    ]


def test_a_colour_a_verdict_as_the_page_says(page):
    colours = [[cell.styles for cell in row] for table in page.tables for row in table[1:]]
    expected = [(PURPLE, ORANGE), (GREY, GREY), (WHITE,)]
    assert colours == [[[], [], *([f"background:{colour}"] for colour in row)] for row in expected]


def test_the_page_explains_its_colours(page, tmp_path):
    text = " ".join(page.texts["p"][0].split())
    assert text.startswith("Each cell: Spearman correlation of the first-order score, against that of the cosine, with")
    assert "Purple: first order correlates more; orange: the cosine does; grey: no significant difference" in text
    assert "corrected by Holm's method over all tests of one table here" in text
    html = (tmp_path / "answer.html").read_text("utf-8")
    assert re.findall(r'<span style="background:(#\w+)">', html) == [PURPLE, ORANGE]
