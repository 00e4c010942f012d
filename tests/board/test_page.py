"""What the first page of the site shows, and the data that its script reads."""

import json

import numpy as np

from biassay.report import rendering
from biassay.report.findings import Finding
from biassay.studies.board import page
from biassay.studies.board.board import orient_values
from biassay.studies.board.criteria import BY_KEY
from tests.board.boards import NAN, board
from tests.markup import Page

VALUES = {
    "weat": {"power": 0.5, "subsampling_variability": 0.25, "milliseconds": 2.0},
    "first_order": {"power": 0.75, "trustworthy": 0.5},
    "mine": {"milliseconds": 1.0, "words_needed": NAN},
    "mac": {"power": 0.25, "subsampling_variability": 0.125, "trustworthy": 0.0, "milliseconds": 4.0},
}
QUESTIONS = {"same": "How biased?", "seeds": "How sure?"}
FOUND = {"same": {"": [Finding("", "It is <biased>.", "a test", "3 models"), Finding("", "And more.", "", "")]}}


def context(values=VALUES, sentences=("One.",), findings=FOUND, **changes):
    return page.make_context(board(values, **changes), findings, QUESTIONS, sentences, 5)


def cells(given):
    """The cells of a context by metric and criterion."""
    keys = [column["criterion"] for column in given["columns"]]
    return {(row["key"], key): cell for row in given["rows"] for key, cell in zip(keys, row["cells"], strict=True)}


def test_rows_columns_and_what_is_left_out():
    given = context()
    assert [row["key"] for row in given["rows"]] == ["mac", "weat", "first_order"]
    assert [row["label"] for row in given["rows"]] == ["MAC", "WEAT", "Λ1"]
    assert [column["criterion"] for column in given["columns"]] == [
        "power",
        "trustworthy",
        "subsampling_variability",
        "milliseconds",
    ]
    assert given["absent"] == ["mine"]
    assert given["empty"] == [BY_KEY[key].title for key in BY_KEY if key not in
                              ("power", "trustworthy", "subsampling_variability", "milliseconds")]  # fmt: skip
    assert given["columns"][1] == {
        "criterion": "trustworthy",
        "title": "Trustworthy",
        "question": BY_KEY["trustworthy"].question,
        "study": "properties",
        "interval": BY_KEY["trustworthy"].interval,
        "better": "yes is better",
        "study_name": "Properties",
    }
    assert [(group["name"], [column["criterion"] for column in group["columns"]]) for group in given["groups"]] == [
        ("Silhouettes", ["power"]),
        ("Properties", ["trustworthy"]),
        ("Planted bias", ["subsampling_variability"]),
        ("All metrics", ["milliseconds"]),
    ]


def test_criteria_of_a_study_stand_in_one_group():
    given = context({"weat": {"power": 0.5, "accuracy": 0.1, "subsampling_variability": 0.2}})
    assert [len(group["columns"]) for group in given["groups"]] == [2, 1]


def test_the_data_of_the_script_are_the_table():
    given = context()
    data = json.loads(given["data"])
    table = board(VALUES)
    assert data["metrics"] == [{"key": row["key"], "label": row["label"]} for row in given["rows"]]
    assert data["criteria"] == ["power", "trustworthy", "subsampling_variability"]  # costs do not count
    turned = orient_values(table, data["criteria"]).loc[[metric["key"] for metric in data["metrics"]]]
    values = np.array([[NAN if value is None else value for value in row] for row in data["values"]])
    np.testing.assert_array_equal(values, turned.to_numpy())
    assert data["values"] == [[0.25, 0.0, -0.125], [0.5, None, -0.25], [0.75, 0.5, None]]


def test_the_data_cannot_end_the_script():
    given = context({"</script><b>": {"power": 0.5}})
    assert "</" not in given["data"]
    assert json.loads(given["data"])["metrics"][0]["key"] == "</script><b>"


def test_planted_bias_is_marked_in_its_columns():
    note = "9 embeddings of the corpus biased; planted in generated text"
    given = context({"first_order": {"labor": 0.5, "census": 0.25}}, labor={"note": note})
    assert [column["title"] for column in given["columns"]] == ["Labor statistics (planted)", "Census statistics"]
    table = board({"first_order": {"labor": 0.5}, "mine": {"census": 0.5}})
    table["note"] = table["note"].where(table["value"].notna(), note)
    given = page.make_context(table, {}, QUESTIONS, [], 5)
    assert [column["title"] for column in given["columns"]] == ["Labor statistics", "Census statistics"]


def test_studies_have_their_first_verdict():
    assert context()["studies"] == [
        {"name": "Planted bias", "question": "How biased?", "path": "board/same.html", "sentence": "It is <biased>.",
         "facts": "a test · n = 3 models"},
        {"name": "Several seeds", "question": "How sure?", "path": "board/seeds.html", "sentence": "", "facts": ""},
    ]  # fmt: skip
    assert [link["path"] for link in context()["links"]] == ["index.html", "board/same.html", "board/seeds.html"]


def test_uses_have_the_values_of_their_metrics():
    values = {
        "weat": {"comparable": 0.5, "trustworthy": 1.0, "robustness": 0.9, "words_needed": 41.6, "auc": 1.0},
        "mac": {"comparable": 1.0, "trustworthy": 0.0, "robustness": 1.0},
    }
    found = {use["question"]: use for use in context(values)["uses"]}
    magnitude = found["How much bias is there, on a scale that is comparable between word lists?"]
    assert magnitude["titles"] == ["Comparable", "Trustworthy", "Robustness"]
    assert magnitude["rows"] == [{"label": "WEAT", "texts": ["partly", "yes", "0.90"]}]
    few = found["Which scores are stable with few words, and still detect bias?"]
    assert few["rows"] == [{"label": "WEAT", "texts": ["42", "1.00"]}]
    assert found["Is there bias in these vectors at all?"]["rows"] == []


def rendered(**given):
    return Page(rendering.render_page("board.html", context(**given)))


def test_the_page_shows_the_board():
    found = rendered(sentences=["A < B."])
    assert found.texts["h1"] == ["Which metrics of social bias can you trust, and for what?"]
    assert found.texts["p"][0] == "A < B."
    head, *rows = found.rows(-1)
    assert head[0] == "Metric"
    assert head[1] == "Power higher is better"
    assert head[3] == "Subsampling variability lower is better"
    assert [row[0] for row in rows] == ["MAC", "WEAT", "Λ1"]
    assert [row[1:] for row in rows] == [
        ["0.25", "no", "0.12", "4.00"], ["0.50", "–", "0.25", "2.00"], ["0.75", "partly", "–", "–"]
    ]  # fmt: skip
    styles = [[cell.styles for cell in row[1:]] for row in found.tables[-1][1:]]
    assert styles[0] == [["--shade:0.0"], ["--shade:0.0"], ["--shade:1.0"], ["--shade:0.0"]]
    assert styles[2][2:] == [[], []]
    assert "Metrics without a value in this run: mine." in found.texts["p"]
    assert "It is <biased>. a test · n = 3 models" in found.texts["p"]


def test_a_page_without_any_value_is_still_a_page():
    """As where only the study of published numbers was run, which judges no metric."""
    given = context({"weat": {"milliseconds": 1.0}}, sentences=[], findings={})
    assert given["rows"] == []
    assert json.loads(given["data"]) == {"metrics": [], "criteria": [], "values": []}
    found = Page(rendering.render_page("board.html", given))
    assert found.texts["title"] == ["biassay: which metrics of social bias can be trusted"]
