"""Sentences of the board: each changes with its cells."""

import pytest

from biassay.studies.board.summary import describe_board
from tests.board.boards import NAN, board

REFERENCE = "plain vectors"


def described(values, **changes):
    return describe_board(board({name.upper(): of for name, of in values.items()}, **changes), REFERENCE)


def false_positives(**rates):
    """Boards of false positives: by metric the rate and the low end; sentences on them."""
    table = board(
        {name.upper(): {"false_positive_rate": rate} for name, (rate, _) in rates.items()},
        false_positive_rate={"n": 300},
    )
    table["low"] = table["metric"].map({name.upper(): low for name, (_, low) in rates.items()})
    return describe_board(table, REFERENCE)[0]


def test_false_positives_are_those_whose_interval_lies_above_the_level():
    sentence = false_positives(a=(0.2, 0.1), b=(1.0, 0.9), c=(0.07, 0.04), d=(0.06, 0.05), e=(0.09, 0.0501))
    above, within = sentence.split(";")
    assert "plain vectors" in above
    assert "B in 100 %, A in 20 % and E in 9 % of 300 samples" in above
    assert "C and D" in within
    assert "A in 20 % of 300 samples" in false_positives(a=(0.2, 0.1))
    assert false_positives(a=(0.2, 0.05), b=(0.0, 0.0)).startswith("No test ")


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ((0, 0, 0.5, 0.5, 1), ["A and B report no bias", "C and D report no bias", "for E"]),
        ((0, 1), ["A reports no bias", "for B"]),
        ((0,), ["A reports no bias"]),
        ((0.5, 1), ["A reports no bias for some words biased against", "for B"]),
        ((1, 1), ["no biased words for which A and B report no bias"]),
    ],
)
def test_trustworthiness(values, expected):
    values = {name: {"trustworthy": float(value)} for name, value in zip("abcde", values, strict=False)}
    parts = described(values)[0].split("; ")
    assert len(parts) == len(expected)
    assert all(text in part for part, text in zip(parts, expected, strict=True))


def test_metrics_without_a_value_are_not_named():
    assert described({"a": {"trustworthy": NAN}, "b": {"accuracy": 0.5}}) == []
    (sentence,) = described({"a": {"trustworthy": 0.0}, "b": {"trustworthy": NAN}})
    assert sentence.startswith("A reports no bias")


def order(values):
    return described(values)[-1]


def test_a_metric_that_dominates_all_others():
    assert order({"a": {"power": 0.1, "labor": 0.2}, "b": {"power": 0.5, "labor": 0.2}, "c": {"power": 0.5}}) != (
        order({"a": {"power": 0.1, "labor": 0.2}, "b": {"power": 0.6, "labor": 0.2}, "c": {"power": 0.5}})
    )
    assert order({"a": {"power": 0.1, "labor": 0.2}, "b": {"power": 0.6, "labor": 0.2}, "c": {"power": 0.5}}) == (
        "By all 2 criteria, B dominates all other metrics. Dominated: A and C."
    )


def test_several_metrics_that_none_dominates():
    values = {
        "a": {"power": 0.1, "subsampling_variability": 0.1},
        "b": {"power": 0.5, "subsampling_variability": 0.3},
        "c": {"power": 0.5, "subsampling_variability": 0.4},
    }
    assert order(values) == (
        "No metric is best at everything. By all 2 criteria, 2 of 3 metrics are dominated by no other. Dominated: C."
    )
    del values["c"]
    assert order(values).endswith("By all 2 criteria, 2 of 2 metrics are dominated by no other.")


def test_equal_metrics_are_both_best():
    assert order({"a": {"power": 0.5, "labor": 0.2}, "b": {"power": 0.5, "labor": 0.2}, "c": {"power": 0.1}}) == (
        "By all 2 criteria, 2 of 3 metrics are dominated by no other. Dominated: C."
    )
    assert order({"a": {"power": 0.5}, "b": {"labor": 0.2}}).startswith("No metric is best at everything.")


def test_costs_do_not_count():
    values = {"a": {"power": 0.1, "milliseconds": 1.0}, "b": {"power": 0.5, "milliseconds": 2.0}}
    assert order(values) == "By the one criterion, B dominates all other metrics. Dominated: A."


def test_one_metric_alone_has_no_order():
    assert described({"a": {"power": 0.1}, "b": {"milliseconds": 1.0}}) == []


def test_all_sentences_in_their_order():
    values = {
        "a": {"false_positive_rate": 0.5, "trustworthy": 0.0},
        "b": {"false_positive_rate": 0.02, "trustworthy": 1.0},
    }
    found = described(values, false_positive_rate={"low": 0.01})
    assert [sentence.split()[0] for sentence in found] == ["No", "A", "By"]
