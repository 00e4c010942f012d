"""The board: a cell for every metric and criterion, why one is empty, dominance and recommendations."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from biassay.measurement.metric import FUNCTIONS, Level, Metric
from biassay.studies.board import board as boards
from biassay.studies.board import cells
from biassay.studies.board.criteria import BY_KEY, CRITERIA, HIGHER, LOWER, YES, Use, read_uses
from tests.board.boards import NAN, board

ALL = ("first_order", "silhouette", "same", "intrinsic", "downstream", "properties", "seeds", "board")
STUDIES = ("first_order", "silhouette", "same", "intrinsic", "downstream", "properties")
LEVEL, SIGNED = Level(0.0, 1.0), Level(-1.0, 1.0, signed=True)
BOTH = Metric("s", "s", word=SIGNED, set=LEVEL)
CHOSEN = {name: ["mine"] for name in STUDIES}


def cell(metric, criterion, value=0.5, note="", n=7):
    return (metric, criterion, value, 0.4, 0.6, n, "things", note)


def filled(*rows, metrics=None, chosen=CHOSEN, studies=ALL):
    """The board of some cells as rows by metric and criterion."""
    found = pd.DataFrame(rows, columns=list(cells.Cell._fields))
    table = boards.fill_board(found, metrics or {"mine": BOTH}, chosen, studies)
    assert list(table) == ["metric", "criterion", "value", "low", "high", "n", "unit", "page", "note"]
    return table.set_index(["metric", "criterion"])


def why(criterion, declared=BOTH, name="mine", chosen=CHOSEN, studies=ALL):
    return filled(metrics={name: declared}, chosen=chosen, studies=studies)["note"][name, criterion]


def test_every_metric_has_a_cell_of_every_criterion_in_their_order():
    table = filled(metrics={"b": BOTH, "a": BOTH})
    assert list(table.index) == [(metric, criterion) for metric in "ba" for criterion in BY_KEY]
    assert table["value"].isna().all()
    assert (table["note"].str.len() > 0).all()


def test_a_cell_is_kept_with_whole_numbers_in_the_file(tmp_path):
    filled(cell("mine", "accuracy", 0.25, "2 cases", 138_163), cell("mine", "milliseconds")).to_csv(
        tmp_path / "board.csv", float_format="%.5g"
    )
    table = pd.read_csv(tmp_path / "board.csv", index_col=["metric", "criterion"])
    assert table.loc["mine", "accuracy"].tolist() == [
        0.25, 0.4, 0.6, 138_163, "things", "board/silhouette.html", "2 cases"
    ]  # fmt: skip
    assert table.loc["mine", "milliseconds"]["page"] == "index.html#criterion-milliseconds"
    assert np.isnan(table["n"]["mine", "seeds"])


def test_a_cell_without_a_value_has_its_own_note_or_the_reason():
    for value in (NAN, np.inf):
        table = filled(cell("mine", "min_detectable_effect", value, "it sees nothing"), cell("mine", "accuracy", value))
        assert table["note"]["mine", "min_detectable_effect"] == "it sees nothing"
        assert table["note"]["mine", "accuracy"] == "no table of the study has a value"
        assert table.loc["mine", "min_detectable_effect"][["value", "low", "high", "n", "unit"]].isna().all()


def reasons(note, declared=BOTH, **options):
    """The criteria without a value for this reason."""
    return {key for key in BY_KEY if note in why(key, declared, **options)}


@pytest.mark.parametrize("study", STUDIES)
def test_a_study_that_was_not_run_or_chosen(study):
    expected = {criterion.criterion for criterion in CRITERIA if criterion.study == study}
    assert reasons(f"the study {study} ", studies=[name for name in ALL if name != study]) == expected
    chosen = reasons(f"not among {study}.", chosen=CHOSEN | {study: ["weat"]})
    assert chosen == expected | ({"seeds"} if study == "silhouette" else set())


def test_other_reasons():
    for level, declared in (("word", Metric("s", "s", set=SIGNED)), ("set", Metric("s", "s", word=SIGNED))):
        needed = {criterion.criterion for criterion in CRITERIA if criterion.needs.replace("sign", "word") == level}
        assert reasons("single words" if level == "word" else "sets of targets", declared) == needed
    of_associations = Metric("s", "s", takes="associations", word=SIGNED, set=LEVEL)
    elsewhere = {criterion.criterion for criterion in CRITERIA if criterion.study != "first_order"}
    assert reasons("explicit values", of_associations) == elsewhere
    assert reasons("one seed", studies=STUDIES) == {"seeds"}
    assert reasons("two groups") == {"groups_ethnicity", "groups_religion"}
    assert reasons("two groups", Metric("s", "s", groups=(2, None), word=SIGNED)) == set()


def test_values_without_a_sign_do_not_change_it():
    metrics = {
        "unsigned": Metric("s", "s", word=LEVEL, set=LEVEL),
        "signed": BOTH,
        "depends": Metric("s", "s", word=Level(0, 1, 0, lambda n: n == 2)),
    }
    table = filled(*(cell(name, "sign_flip_rate", 0.0, "gender") for name in metrics), metrics=metrics)
    assert np.isnan(table["value"]["unsigned", "sign_flip_rate"])
    for name in ("signed", "depends"):
        assert table.loc[name, "sign_flip_rate"][["value", "note"]].tolist() == [0.0, "gender"]
    assert reasons("no sign", metrics["unsigned"]) == {"sign_flip_rate", "signed"}
    table = filled(cell("unsigned", "unsigned"), metrics=metrics)
    assert table["value"]["unsigned", "unsigned"] == 0.5


@pytest.mark.parametrize(("cells_given", "message"), [
    ([cell("mine", "power"), cell("mine", "power")], "two values for metric mine and criterion power"),
    ([cell("yours", "accuracy")], "unknown metric 'yours'.* mine$"),
    ([cell("mine", "beauty")], "unknown criterion 'beauty'.* accuracy, auc"),
])  # fmt: skip
def test_a_wrong_cell_is_refused(cells_given, message):
    with pytest.raises(ValueError, match=message):
        filled(*cells_given)


VALUES = {
    "a": {"accuracy": 0.9, "milliseconds": 1.0},
    "b": {"accuracy": 0.8, "false_positive_rate": 0.2, "labor": -0.5},
    "c": {"milliseconds": 3.0},
    "d": {"false_positive_rate": 0.1},
}


def test_assessed_criteria_have_values_and_are_no_costs_and_metrics_with_most_values_come_first():
    table = board(VALUES)
    assert boards.assessed_criteria(table) == ["accuracy", "false_positive_rate", "labor"]
    assert boards.assessed_metrics(table) == ["b", "a", "d"]
    costs = board({"c": VALUES["c"]})
    assert boards.assessed_criteria(costs) == boards.assessed_metrics(costs) == []


def test_oriented_values_are_negated_where_lower_is_better():
    oriented = boards.orient_values(board(VALUES), ["false_positive_rate", "labor", "milliseconds"])
    assert list(oriented.index) == list("abcd")
    expected = [[NAN, NAN, -1], [-0.2, -0.5, NAN], [NAN, NAN, -3], [-0.1, NAN, NAN]]
    np.testing.assert_array_equal(oriented.to_numpy(), expected)


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ([[1, 1], [0, 0]], [(0, 1)]),
        ([[1, 1], [1, 0]], [(0, 1)]),
        ([[1, 0], [0, 1]], []),
        ([[1, NAN], [0, 0]], []),  # what the first lacks, the second has
        ([[1, 0], [1, NAN]], []),  # having more values is not being better
        ([[3, 3, 3], [2, 2, NAN], [1, NAN, NAN], [NAN, NAN, 4]], [(0, 1), (0, 2), (1, 2)]),
        ([[np.inf, 1], [0, 0]], []),  # no finite value
    ],
)
def test_dominance_by_hand(rows, expected):
    found = boards.dominates(pd.DataFrame(rows))
    assert list(zip(*(places.tolist() for places in np.nonzero(found)), strict=True)) == expected


@given(
    arrays.arrays(
        float, st.tuples(st.integers(0, 6), st.integers(0, 4)), elements=st.sampled_from([0.0, 1.0, 2.0, NAN])
    )
)
def test_dominance_is_an_order(values):
    found = boards.dominates(pd.DataFrame(values))
    assert not (found & found.T).any()
    through = (found.astype(int) @ found.astype(int)) > 0
    assert not (through & ~found).any()


def recommend(values, *criteria, **changes):
    """The recommended metrics with their values."""
    table = boards.recommend_metrics(board(values, **changes), Use("mine", "Which?", criteria))
    assert list(table) == list(criteria)
    return list(table.itertuples(name=None))


WORDS = {
    "a": {"auc": 0.5, "words_needed": 10.0},
    "b": {"auc": 0.9, "words_needed": 50.0},
    "c": {"auc": 0.9, "words_needed": 60.0},
    "d": {"auc": 0.7, "words_needed": 40.0},
}
VERDICTS = {
    "no": {"comparable": 0.0, "robustness": 0.99},
    "partly": {"comparable": 0.5, "robustness": 0.8},
    "yes": {"comparable": 1.0, "robustness": 0.7},
}


@pytest.mark.parametrize(
    ("values", "criteria", "expected"),
    [
        (WORDS, ("auc", "words_needed"), [("b", 0.9, 50.0), ("d", 0.7, 40.0), ("a", 0.5, 10.0)]),
        (WORDS, ("words_needed", "auc"), [("a", 10.0, 0.5), ("d", 40.0, 0.7), ("b", 50.0, 0.9)]),
        (WORDS, ("auc",), [("b", 0.9), ("c", 0.9)]),
        ({"a": {"power": 0.5}, "b": {"power": 0.1, "auc": 0.1}}, ("power", "auc"), [("b", 0.1, 0.1)]),
        (VERDICTS, ("comparable", "robustness"), [("yes", 1.0, 0.7), ("partly", 0.5, 0.8)]),
        (VERDICTS, ("robustness",), [("no", 0.99)]),  # a verdict fails only where it is asked for
        ({"a": {"power": 0.0, "auc": 0.5}}, ("power", "auc"), [("a", 0.0, 0.5)]),  # 0 that is no verdict
    ],
)
def test_recommended_metrics_have_all_values_fail_none_and_are_not_dominated(values, criteria, expected):
    assert recommend(values, *criteria) == expected


def test_false_positives_fail_if_their_whole_interval_is_above_the_level():
    table = board({name: {"power": 0.5, "false_positive_rate": 0.1} for name in "abc"})
    table.loc[table["criterion"] == "false_positive_rate", "low"] = [0.06, 0.05, 0.02]
    table.loc[table["criterion"] == "power", "low"] = 0.4
    use = Use("mine", "Which?", ("power", "false_positive_rate"))
    assert list(boards.recommend_metrics(table, use).index) == ["b", "c"]
    assert len(boards.recommend_metrics(table, Use("mine", "Which?", ("power",)))) == 3


def test_the_shipped_criteria_and_uses_are_complete():
    for criterion in CRITERIA:
        assert criterion.better in (HIGHER, LOWER, YES)
        assert criterion.needs in ("", "sign", *FUNCTIONS)
        assert all([criterion.title, criterion.question, criterion.study, criterion.interval])
        assert not criterion.min_value >= criterion.max_value
    assert len({criterion.title for criterion in CRITERIA}) == len(BY_KEY) == 27
    for use in read_uses():
        assert use.criteria
        assert set(use.criteria) <= set(BY_KEY)
