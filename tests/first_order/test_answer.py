"""The page that answers the study's question: every cell from its row of the comparisons."""

import pandas as pd
import pytest

from biassay.studies.first_order import tables
from scripts.first_order import answer
from tests.markup import Page

KEYS = ["corpus", "embedding", "second_embedding", "second_space", "statistics"]
VALUES = [*tables.SIDES, "p_holm", "n", "verdict"]
NONE = float("nan")
COLUMNS = ["word_list", "method"]  # of the other tables, which are empty
SKIPGRAM, SVD = ("wiki", "skipgram", "skipgram", "vectors"), ("wiki", "ppmi", "ppmi_svd", "explicit")
CONTROL = ("control", "glove", "glove", "explicit")
WRONG = (*[0.11] * 8, 0.11, 11, "undefined")  # of rows that are not shown


def row(place, statistics, values, **changes):
    """A row of comparisons.csv."""
    fixed = {"word_list": "medium", "space": "explicit", "method": "first_order", "correlation": "spearman",
             "second_method": "second_order_cosine"}  # fmt: skip
    return fixed | dict(zip([*KEYS, *VALUES], [*place, statistics, *values], strict=True)) | changes


ROWS = [
    row(SKIPGRAM, "labor", WRONG, correlation="pearson"),
    row(SKIPGRAM, "labor", (0.613, 0.401, 0.75, 0.67, 0.487, -0.1, 0.6, 0.57, 0.0004, 38, "first")),
    row(SKIPGRAM, "labor", WRONG, second_method="second_order_nnd"),
    row(SVD, "labor", (0.2, 0.1, 0.3, NONE, -0.345, -0.5, -0.2, 0.39, 0.051, 35, "not significant")),
    row(SKIPGRAM, "planted_clear", (-0.1, -0.2, 0.1, NONE, 0.9, 0.8, 0.95, NONE, 0.001, 120, "second")),
    row(SKIPGRAM, "labor", WRONG, word_list="tiny"),
    row(CONTROL, "census", (NONE, NONE, NONE, NONE, 0.3, NONE, NONE, NONE, NONE, 3, "no sign")),
]
HEAD = ["first", "second", "planted clear", "Labor"]
OWN = ["e-skipgram Λ1", "skipgram cosine", "Λ1 behind: −0.10 [−0.20, 0.10] / 0.90 [0.80, 0.95], p = 0.001 (n = 120)",
       "Λ1 ahead: 0.61 [0.40, 0.75] / 0.49 [−0.10, 0.60], p < 0.001 (n = 38) published 0.67 / 0.57"]  # fmt: skip
RELATED = ["ppmi Λ1", "ppmi-SVD (explicit) cosine", "",
           "0.20 [0.10, 0.30] / −0.34 [−0.50, −0.20], p = 0.051 (n = 35) published – / 0.39"]  # fmt: skip
OF_CONTROL = ["e-glove Λ1", "e-glove cosine", "second has no sign: – / 0.30, p – (n = 3)"]


@pytest.fixture
def page(tmp_path):
    files = {"comparisons": pd.DataFrame(ROWS)}
    for name in ("correlations", "confounding", "false_positives", "contexts", "accuracies", "bands"):
        files[name] = pd.DataFrame(columns=["corpus", *COLUMNS])
    for name, table in files.items():
        table.to_csv(tmp_path / f"{name}.csv", index=False)
    paths = [str(tmp_path / f"{name}.csv") for name in files]
    answer.main(paths, "medium", {"control": []}, str(tmp_path / "answer.html"), str(tmp_path / "findings.csv"))
    return Page((tmp_path / "answer.html").read_text("utf-8"))


def test_own_scores_come_first_and_related_ones_are_folded_away(page):
    rows = [[[" ".join(cell.split()) for cell in line] for line in page.rows(number)] for number in range(4)]
    assert rows[0] == [HEAD, OWN]
    assert rows[1] == rows[3] == [["first", "second", "Census (not planted)"], OF_CONTROL]
    assert rows[2] == [HEAD, OWN, RELATED]
    assert ["5 tests" in text or "3 tests" in text for text in page.texts["h3"]] == [False, False, True, False]
    assert "planted bias" in page.texts["strong"][0]
