"""The first page of the site: cells, verdicts, recommendations and the data of its script."""

import pandas as pd
import pytest

from biassay.report import rendering
from biassay.report.findings import Finding
from biassay.studies.board import page
from biassay.studies.board.criteria import BY_KEY, START, choose_first, read_uses
from tests.board.boards import NAN, board
from tests.markup import Page

VALUES = {
    "weat": {"power": 0.5, "subsampling_variability": 0.25},
    "first_order": {"power": 0.75, "trustworthy": 0.5},
    "mine": {"words_needed": NAN},
    "mac": {"power": 0.25, "subsampling_variability": 0.125, "trustworthy": 0.0},
}
KEYS = ["power", "trustworthy", "subsampling_variability"]
FINDINGS = {"same": [Finding("It is <biased>.", "a test", "3 models"), Finding("And more.")]}


def context(values=VALUES, findings=FINDINGS, **changes):
    questions = {"same": "How biased?", "seeds": "How sure?"}
    return page.make_context(board(values, **changes), findings, questions, "plain vectors", 5, [])


def render(**given):
    return Page(rendering.render_page("board.html", context(**given), package="biassay.studies.board"))


def cells(given):
    """The cells of a context by label of the metric and criterion."""
    return {(row["label"], cell["criterion"]): cell for row in given["rows"] for cell in row["cells"]}


def test_rows_and_columns_are_those_with_values():
    given = context()
    assert [row["label"] for row in given["rows"]] == ["MAC", "WEAT", "Λ1"]
    assert [column["key"] for column in given["columns"]] == KEYS
    assert given["absent"] == ["mine"]
    assert all(column["is_shown"] for column in given["columns"])  # three, and eight are shown first
    assert given["empty"] == [BY_KEY[key].title for key in BY_KEY if key not in KEYS]
    assert [(name, list(group["key"])) for name, group in given["groups"]] == [
        ("Silhouettes", ["power"]), ("Properties", ["trustworthy"]), ("Planted bias", ["subsampling_variability"]),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("changes", "interval", "details"),
    [
        ({"low": 0.4, "high": 0.625, "n": 300.0, "unit": "tests", "note": "its test"}, "[0.40, 0.62]",
         f"{BY_KEY['power'].interval}: [0.40, 0.62]; n = 300 tests; its test"),
        ({"p": 0.0123, "n": 0}, "", "corrected p = 0.012"),
        ({"low": 0.1, "high": NAN, "n": 0, "note": "why"}, "", "why"),
        ({"n": 0}, "", ""),
    ],
)  # fmt: skip
def test_a_cell_has_interval_n_and_note_where_they_exist(changes, interval, details):
    cell = cells(context(power=changes))["MAC", "power"]
    assert (cell["text"], cell["interval"], cell["details"], cell["page"]) == ("0.25", interval, details, "power.html")


def test_verdicts_have_no_interval_and_empty_cells_a_reason():
    found = cells(context(trustworthy={"low": 0.0, "high": 1.0}))
    assert [found[name, "trustworthy"]["text"] for name in ("MAC", "Λ1", "WEAT")] == ["no", "partly", "–"]
    assert found["MAC", "trustworthy"]["interval"] == ""
    empty = found["WEAT", "trustworthy"]
    assert (empty["shade"], empty["details"], empty["page"]) == (0, "no trustworthy", "trustworthy.html")


@pytest.mark.parametrize(
    ("key", "value", "text"),
    [("power", 0.125, "0.12"), ("power", 0.0, "0.00"), ("labor", -0.204, "−0.20"), ("words_needed", 41.6, "42"),
     ("comparable", 1.0, "yes"), ("comparable", 0.5, "partly"),
     ("comparable", 0.0, "no"), ("power", NAN, "–"), ("comparable", NAN, "–")],
)  # fmt: skip
def test_values_by_criterion(key, value, text):
    assert page.format_value(key, value) == text


def test_shades_show_only_differences_that_intervals_separate():
    low = pd.DataFrame({"apart": [1, 3, 5, NAN], "overlap": [1, 2, 3, NAN], "one": [0, 0, 9, 0]})
    high = pd.DataFrame({"apart": [2, 4, 6, NAN], "overlap": [2, 3, 4, NAN], "one": [9, 8, 9, 9]})
    n_worse, n_better = page.count_separated(low, high)
    assert n_worse.to_dict("list") == {"apart": [0, 1, 2, 0], "overlap": [0, 0, 1, 0], "one": [0, 0, 1, 0]}
    assert n_better.to_dict("list") == {"apart": [2, 1, 0, 0], "overlap": [1, 0, 0, 0], "one": [0, 1, 0, 0]}
    shades = page.compute_shades(n_worse, n_better)
    assert shades.to_dict("list") == {"apart": [0, 1, 2, 0], "overlap": [0, 0, 2, 0], "one": [0, 0, 2, 0]}


def test_eight_criteria_are_shown_first():
    others = [key for key in BY_KEY if key not in START]
    assert choose_first([*others, "power"]) == [*others[:7], "power"]


def test_lower_values_are_better_where_the_criterion_says_so_and_values_without_an_interval_have_no_shade():
    table = board(VALUES)
    is_variability = table["criterion"] == "subsampling_variability"
    table.loc[is_variability, "low"] = table.loc[is_variability, "high"] = table["value"]
    found = cells(page.make_context(table, {}, {}, "plain vectors", 5, []))
    assert [found[name, "subsampling_variability"]["shade"] for name in ("MAC", "WEAT", "Λ1")] == [2, 0, 0]
    assert [found[name, "power"]["shade"] for name in ("MAC", "WEAT", "Λ1")] == [0, 0, 0]
    assert [found[name, "trustworthy"]["shade"] for name in ("MAC", "WEAT", "Λ1")] == [0, 0, 2]


def test_false_positive_rates_say_whether_a_test_is_conservative_or_liberal():
    values = {"weat": {"false_positive_rate": 0.7}, "mac": {"false_positive_rate": 0.7}}
    for low, high, word in ((0.6, 0.8, ", liberal"), (0.0, 0.04, ", conservative"), (0.05, 0.1, "")):
        cell = cells(context(values, false_positive_rate={"low": low, "high": high}))["MAC", "false_positive_rate"]
        assert cell["interval"] == f"[{low:.2f}, {high:.2f}]{word}"


def test_the_data_of_the_script_are_intervals():
    data = context(subsampling_variability={"low": 0.1, "high": 0.3})["data"]
    assert data["labels"] == ["MAC", "WEAT", "Λ1"]
    assert data["criteria"] == KEYS
    nothing = [None, None]  # no interval
    assert data["cells"] == [
        [nothing, [0.0, 0.0], [-0.3, -0.1]], [nothing, None, [-0.3, -0.1]], [nothing, [0.5, 0.5], None]
    ]  # fmt: skip


def test_a_use_is_answered_with_values_or_with_the_reasons():
    values = {
        "weat": {"comparable": 0.5, "trustworthy": 1.0, "robustness": 0.9, "ranking": 0.8},
        "mac": {"comparable": 1.0, "trustworthy": 0.0, "robustness": 1.0, "ranking": 0.9},
        "ect": {"ranking_planted": NAN, "comparable": 0.0},
    }
    changes = {"ranking": {"chance": 0.5, "p": 0.2}}
    uses = {use["question"]: use for use in context(values, **changes)["uses"]}
    by_use = {use.use: uses[use.question] for use in read_uses()}
    (row,) = by_use["magnitude"]["rows"]
    assert [row["label"], *[cell["text"] for cell in row["cells"]]] == ["WEAT", "partly", "yes", "0.90"]
    assert by_use["rank"]["rows"] == []
    first, second = by_use["rank"]["criteria"]
    assert (first["n"], first["supported"], second["n"], second["reason"]) == (2, [], 0, "no ranking_planted")
    lists = render(values=values, **changes).texts["li"]
    assert any("none of 2 values is significantly above chance" in text for text in lists)
    assert any("no ranking_planted" in text for text in lists)


def test_tests_are_liberal_or_conservative_with_their_whole_interval():
    rates = {"a": (0.2, 0.1, 0.3), "b": (1.0, 0.9, 1.0), "c": (0.07, 0.04, 0.1), "e": (0.0, 0.0, 0.04)}
    values = {name: {"false_positive_rate": rate} for name, (rate, *_) in rates.items()} | {"z": {"power": 1.0}}
    table = board(values, false_positive_rate={"n": 100})
    for place, end in enumerate(("low", "high"), 1):
        table[end] = table["metric"].map({name: row[place] for name, row in rates.items()})
    assert page.summarise_board(table)["tests"] == [
        {"liberal": ["b (100 %)", "a (20 %)"], "conservative": ["e"], "nominal": ["c"], "form": "groups", "n": 100}
    ]
    assert page.summarise_board(board({"z": {"power": 1.0}}))["tests"] == []


def test_a_rate_without_an_interval_is_no_verdict_on_a_test():
    """As with one shuffle."""
    values = {name: {"false_positive_rate": 0.5, "power": 1.0} for name in ("weat", "mac")}
    without = {"low": NAN, "high": NAN}
    assert page.summarise_board(board(values, false_positive_rate=without))["tests"] == []
    found = render(values=values, false_positive_rate=without, power=without)
    texts = found.texts["p"] + found.texts["li"]
    assert any("no value has an interval" in text for text in texts)
    assert not any("find bias" in text for text in texts)


def test_dominance_of_the_board():
    order = page.summarise_board(board({"a": {"comparable": 1.0, "power": 0.5}, "b": {"comparable": 0.0},
                                        "c": {"power": 0.9}}))["dominance"]  # fmt: skip
    assert order == {"n_criteria": 2, "n_metrics": 3, "free": ["a", "c"], "dominated": ["b"]}


def test_a_page_without_any_value_is_still_a_page():
    """As where only the study of published numbers was run, which judges no metric."""
    assert render(values={"weat": {"power": NAN}}, findings={}).texts["h1"]
