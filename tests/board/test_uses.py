"""Which metric for what: the metrics that the board speaks for, by hand."""

import pandas as pd
import pytest

from biassay.studies.board import uses
from biassay.studies.board.criteria import BY_KEY
from tests.board.boards import NAN, board


def chosen(values, *criteria, **changes):
    """The metrics chosen, by name their values."""
    table = uses.recommend_metrics(board(values, **changes), uses.Use("mine", "Which?", criteria))
    assert list(table) == list(criteria)
    return {name: row.tolist() for name, row in table.iterrows()}


def test_the_shipped_uses_ask_of_known_criteria():
    found = uses.read_uses()
    assert len(found) == 8
    assert len({use.use for use in found}) == 8
    assert found[0] == uses.Use(
        "detect", "Is there bias in these vectors at all?", ("auc", "false_positive_rate", "power")
    )
    assert all(use.criteria and set(use.criteria) <= set(BY_KEY) for use in found)


def test_an_unknown_criterion_is_refused_by_name(tmp_path, monkeypatch):
    (tmp_path / "uses.csv").write_text("use,question,criteria\nmine,Which?,power beauty\n")
    monkeypatch.setattr(uses, "FILE", tmp_path / "uses.csv")
    with pytest.raises(
        ValueError, match=r"uses\.csv: use mine: unknown criterion 'beauty'; expected one of: accuracy, "
    ):
        uses.read_uses()


def test_the_best_by_the_first_criterion_come_first_without_the_dominated():
    values = {
        "a": {"auc": 0.5, "words_needed": 10.0},
        "b": {"auc": 0.9, "words_needed": 50.0},
        "c": {"auc": 0.9, "words_needed": 60.0},
        "d": {"auc": 0.7, "words_needed": 40.0},
    }
    assert chosen(values, "auc", "words_needed") == {"b": [0.9, 50.0], "d": [0.7, 40.0], "a": [0.5, 10.0]}
    assert list(chosen(values, "auc", "words_needed")) == ["b", "d", "a"]
    assert list(chosen(values, "words_needed", "auc")) == ["a", "d", "b"]
    assert list(chosen(values, "auc")) == ["b", "c"]


def test_a_metric_needs_a_value_by_each_criterion():
    values = {"a": {"power": 0.5, "auc": NAN}, "b": {"power": 0.1, "auc": 0.1}}
    assert chosen(values, "power", "auc") == {"b": [0.1, 0.1]}
    assert chosen(values, "power", "labor") == {}
    assert chosen({"a": {"power": 0.5}}, "labor") == {}


def test_a_verdict_of_no_fails_and_one_of_partly_does_not():
    values = {
        "no": {"comparable": 0.0, "robustness": 0.99},
        "partly": {"comparable": 0.5, "robustness": 0.8},
        "yes": {"comparable": 1.0, "robustness": 0.7},
    }
    assert chosen(values, "comparable", "robustness") == {"yes": [1.0, 0.7], "partly": [0.5, 0.8]}
    assert list(chosen(values, "robustness")) == ["no"]  # a verdict fails only where it is asked for


def test_zero_by_another_criterion_is_no_verdict():
    assert list(chosen({"a": {"power": 0.0, "auc": 0.5}}, "power", "auc")) == ["a"]


def test_alarms_fail_whose_whole_interval_lies_above_the_level():
    table = board({name: {"power": 0.5, "false_positive_rate": 0.1} for name in "abc"})
    table.loc[table["criterion"] == "false_positive_rate", "low"] = [0.06, 0.05, 0.02]
    use = uses.Use("mine", "Which?", ("power", "false_positive_rate"))
    assert list(uses.recommend_metrics(table, use).index) == ["b", "c"]
    assert len(uses.recommend_metrics(table, uses.Use("mine", "Which?", ("power",)))) == 3
    table.loc[table["criterion"] == "power", "low"] = 0.4
    assert list(uses.recommend_metrics(table, use).index) == ["b", "c"]


def test_none_is_left():
    table = uses.recommend_metrics(board({"a": {"comparable": 0.0}}), uses.Use("mine", "Which?", ("comparable",)))
    assert isinstance(table, pd.DataFrame)
    assert table.empty
