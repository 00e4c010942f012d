"""The page that answers the first-order study's question: every cell and colour from its row of the comparisons."""

import re

import pandas as pd
import pytest

from biassay.studies.first_order import tables
from tests.markup import Page
from tests.scripted import run

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
CONTROL = ("control", "glove", "glove", "explicit")
ROWS = [
    row(SG, "labor", WRONG, correlation="pearson"),
    row(SG, "labor", (0.613, 0.487, 0.0004, 38, "first", 0.401, 0.75, -0.1, 0.6, 0.67, 0.57)),
    row(SG, "labor", WRONG, second_method="second_order_nnd"),
    row(SVD, "labor", (0.2, -0.345, 0.051, 35, "no difference", 0.1, 0.3, -0.5, -0.2, NONE, 0.39)),
    row(SG, "planted_clear", (-0.1, 0.9, 0.001, 120, "second", -0.2, 0.1, 0.8, 0.95, NONE, NONE)),
    row(SG, "labor", WRONG, word_list="tiny"),
    row(SG, "labor", (-0.05, 0.5, 0.3, 30, "no difference", -0.1, 0.2, 0.4, 0.6, NONE, NONE), second_method="mine"),
    row(SVD, "planted_clear", (0.5, 0.4, 0.8096, 119, "no difference", 0.3, 0.7, 0.2, 0.6, NONE, NONE)),
    row(CONTROL, "census", (NONE, 0.3, NONE, 3, "undefined", NONE, NONE, -1, 1, NONE, NONE)),
]


KEYS = ["corpus", "embedding", "space", "method"]
EMPTY = {
    "correlations": [*KEYS, "word_list", "statistics", "n", "spearman", "spearman_p"],
    "false_positives": [*KEYS, "n_tests", "false_positive_rate", "false_positive_rate_holm"],
    "confounding": [*KEYS, "word_list", "n", "partner_slope", "partner_slope_low", "partner_slope_high"],
}  # fmt: skip
EMPTY |= {name: [*tables.RESULTS[name], "corpus"] for name in ("contexts", "accuracies", "bands")}


def answered(folder, rows, generated):
    """The fragment of a page that the script makes of rows of comparisons.csv, and its findings."""
    files = [folder / "comparisons.csv"]
    pd.DataFrame(rows).to_csv(files[0], index=False)
    for name, columns in EMPTY.items():
        files.append(folder / f"{name}.csv")
        pd.DataFrame(columns=columns).to_csv(files[-1], index=False)
    run("first_order/answer.py", input={"tables": files}, params={"main_list": "medium", "generated": generated},
        output={"answer": folder / "answer.html", "findings": folder / "findings.csv"})  # fmt: skip
    return (folder / "answer.html").read_text("utf-8"), pd.read_csv(folder / "findings.csv", keep_default_na=False)


@pytest.fixture
def page(tmp_path):
    return Page(answered(tmp_path, ROWS, {"control": False})[0])


FIRST = ["Λ1 ahead: 0.61 [0.40, 0.75] / 0.49 [−0.10, 0.60], p < 0.001 (n = 38)published 0.67 / 0.57",
         "Λ1 behind: −0.10 [−0.20, 0.10] / 0.90 [0.80, 0.95], p = 0.001 (n = 120)"]  # fmt: skip
SECOND = ["−0.05 [−0.10, 0.20] / 0.50 [0.40, 0.60], p = 0.300 (n = 30)", ""]
RELATED = ["0.20 [0.10, 0.30] / −0.34 [−0.50, −0.20], p = 0.051 (n = 35)published – / 0.39",
           "0.50 [0.30, 0.70] / 0.40 [0.20, 0.60], p = 0.810 (n = 119)"]  # fmt: skip
OF_CONTROL = ["e-glove Λ1", "e-glove cosine", "– [–, –] / 0.30 [−1.00, 1.00], p – (n = 3)"]


def test_own_scores_come_first_and_related_ones_are_folded_away(page):
    """What was planted comes first, a metric of one's own stands beside the cosine, and nnd is left out."""
    head = ["first", "second", "planted clear", "Labor"]
    own = [
        ["e-skipgram Λ1", "skipgram cosine", *reversed(FIRST)],
        ["e-skipgram Λ1", "skipgram mine", *reversed(SECOND)],
    ]
    titles = ["Wiki text, list “medium”", "Generated text without bias (control), list “medium”"]
    titles += ["wiki, list “medium”: 5 tests", "control, list “medium”: 0 tests"]
    assert all(text.startswith(title) for text, title in zip(page.texts["h3"], titles, strict=True))
    assert page.rows(0) == [head, *own]
    assert page.rows(1) == [["first", "second", "Census (not planted)"], OF_CONTROL]
    assert page.rows(2) == [head, own[0], ["ppmi Λ1", "ppmi-SVD (explicit) cosine", *reversed(RELATED)], own[1]]
    assert page.rows(3) == page.rows(1)


def test_a_colour_a_verdict_as_the_page_says(page):
    colours = [[style.split(";")[0] for cell in row for style in cell.styles] for row in page.tables[2][1:]]
    expected = [(ORANGE, PURPLE), (GREY, GREY), (GREY,)]
    assert [[style for style in row if "color:" not in style[:6]] for row in colours] == [
        [f"background:{colour}" for colour in row] for row in expected
    ]
    assert all("color:#1d1d24" in style for row in page.tables[0][1:] for cell in row for style in cell.styles[:1])


def test_the_fragment_explains_its_colours_and_has_no_head(page, tmp_path):
    text = " ".join(page.texts["p"][1].split())
    assert re.search("Purple: first order .*; orange: second order .*; grey: no significant difference", text)
    assert "(planted): " in text
    html = (tmp_path / "answer.html").read_text("utf-8")
    assert re.findall(r'<span style="background:(#\w+)', html) == [PURPLE, ORANGE]
    assert not re.search(r"<(html|head|body|!DOCTYPE)", html, re.I)
    assert html.index("<strong>") < html.index("<table>") < html.index("<details>")
    assert page.texts["strong"][0].startswith("On wiki text, direct co-occurrence (Λ1) follows the planted bias")


def test_names_are_escaped(tmp_path):
    html, _ = answered(tmp_path, [row(("<b>", "<i>", "<i>", "vectors"), "labor", WRONG)], {})
    assert "<i>" not in html
    assert "<b>" not in html
