"""The entry `biassay.measure_predictions`: forms, names, orders, what is reported, metrics of one's own."""

import numpy as np
import pandas as pd
import pytest

from biassay import Measurement, measure, measure_predictions

GROUND_TRUTH = ["nurse", "nurse", "nurse", "pilot", "nurse", "pilot", "pilot"]
FOUND = ["nurse", "nurse", "pilot", "pilot", "pilot", "pilot", "nurse"]
GROUPS = ["f", "f", "f", "f", "m", "m", "m"]
GAPS = [2 / 3, 1 / 2]  # nurse 2/3 against 0/1, pilot 1/1 against 1/2


def columns(names, classes=("nurse", "pilot")):
    return np.array([[int(name == of) for of in classes] for name in names])


def ask(predictions=FOUND, ground_truth=GROUND_TRUTH, groups=GROUPS, **given):
    return measure_predictions("tpr_gap", predictions=predictions, ground_truth=ground_truth, groups=groups, **given)


def test_everything_that_is_reported():
    found = ask()
    assert isinstance(found, Measurement)
    np.testing.assert_allclose(found.word, GAPS)
    assert found.set == pytest.approx(7 / 12)
    assert found.metric == "tpr_gap"
    assert found.words == {"classes": ["nurse", "pilot"], "groups": ["f", "m"]}
    assert found.n_positives == {"f": [3, 1], "m": [1, 2]}
    assert found.ranges == {"word": (-1, 1, 0, True), "set": (0, 1, 0, False)}
    assert (found.missing, found.undefined, found.pairing_std) == ({}, {}, None)


PROBABILITIES = np.where(columns(FOUND) == 1, 0.5, 0.49)
FORMS = {
    "arrays": {"predictions": np.array(FOUND), "ground_truth": np.array(GROUND_TRUTH, dtype=object),
    "groups": np.array(GROUPS)},
    "series": {"predictions": pd.Series(FOUND), "ground_truth": pd.Series(GROUND_TRUTH, dtype="category")},
    "columns": {"predictions": columns(FOUND), "ground_truth": columns(GROUND_TRUTH)},
    "lists of lists": {"predictions": columns(FOUND).tolist(), "ground_truth": columns(GROUND_TRUTH).tolist()},
    "frames of several types": {
        "predictions": pd.DataFrame({"nurse": columns(FOUND)[:, 0] == 1, "pilot": columns(FOUND)[:, 1] / 2}),
        "ground_truth": pd.DataFrame(columns(GROUND_TRUTH)),
    },
    "probabilities": {"predictions": PROBABILITIES, "ground_truth": columns(GROUND_TRUTH)},
    "names and columns": {"predictions": FOUND, "ground_truth": columns(GROUND_TRUTH), "classes": np.array(["nurse",
    "pilot"])},
    "order": {"order": ["f", "m"]},
}  # fmt: skip


@pytest.mark.parametrize("form", FORMS)
def test_every_form_gives_the_same(form):
    found = ask(**FORMS[form])
    np.testing.assert_allclose(found.word, GAPS)
    assert list(found.n_positives.values()) == [[3, 1], [1, 2]]


def test_a_threshold_is_reached_by_what_equals_it():
    given = {"predictions": [[0.3], [0.7]], "ground_truth": [[1], [1]], "groups": ["a", "b"]}
    for threshold, gap in ((0.3, 0), (0.31, -1), (0.5, -1), (0.7, -1), (0.71, 0), (1.0, 0)):
        assert ask(**given, threshold=threshold).word == [gap]
    assert ask(**given).word == [-1]
    assert ask(predictions=columns(FOUND), ground_truth=columns(GROUND_TRUTH), threshold=1).word == pytest.approx(GAPS)


def test_the_order_of_groups():
    np.testing.assert_allclose(ask(order=["m", "f"]).word, np.negative(GAPS))
    turned = ask(FOUND[::-1], GROUND_TRUTH[::-1], GROUPS[::-1])  # the second group appears first
    np.testing.assert_allclose(turned.word, np.negative(GAPS))
    assert turned.words["groups"] == ["m", "f"]
    assert turned.n_positives == {"m": [1, 2], "f": [3, 1]}
    assert ask(order=("m", "f")).words["groups"] == ["m", "f"]
    numbered = ask(groups=[7, 7, 7, 7, 0, 0, 0], order=[0, 7])
    assert numbered.words["groups"] == ["0", "7"]
    np.testing.assert_allclose(numbered.word, np.negative(GAPS))


def test_the_order_of_classes():
    turned = ask(classes=["pilot", "nurse"])
    np.testing.assert_allclose(turned.word, GAPS[::-1])
    assert turned.n_positives == {"f": [1, 3], "m": [2, 1]}
    assert ask(columns(FOUND), columns(GROUND_TRUTH)).words["classes"] == ["0", "1"]
    assert ask(columns(FOUND), columns(GROUND_TRUTH), classes=["x", "y"]).words["classes"] == ["x", "y"]
    by_number = {"nurse": 10, "pilot": 9}
    found = ask([by_number[name] for name in FOUND], [by_number[name] for name in GROUND_TRUTH])
    assert found.words["classes"] == ["9", "10"]
    np.testing.assert_allclose(found.word, GAPS[::-1])
    mixed = ask(
        [{"nurse": 10, "pilot": "a"}[name] for name in FOUND], ["10" if n == "nurse" else "a" for n in GROUND_TRUTH]
    )
    assert mixed.words["classes"] == ["10", "a"]


def test_classes_without_a_value_are_named():
    found = ask([*FOUND, "cook"], [*GROUND_TRUTH, "nurse"], [*GROUPS, "m"], classes=["nurse", "pilot", "guard", "cook"])
    np.testing.assert_allclose(found.word, [*GAPS, np.nan, np.nan])
    assert found.set == pytest.approx(7 / 12)
    assert found.undefined == {"word": "2 of 4 values: a group has no text of the class: guard, cook"}
    assert found.n_positives == {"f": [3, 1, 0, 0], "m": [2, 2, 0, 0]}
    only = ask(["cook", "cook"], ["cook", "nurse"], ["f", "m"])
    assert np.isnan(only.set)
    assert only.undefined == {
        "word": "2 of 2 values: a group has no text of the class: cook, nurse",
        "set": "for every class, a group has no text",
    }
    many = ask(np.ones((2, 7)), [[1] * 7, [0] * 7], ["f", "m"])
    assert many.undefined["word"].endswith("class: 0, 1, 2, 3, 4, … (7 in all)")
    five = ask(np.ones((2, 5)), [[1] * 5, [0] * 5], ["f", "m"])
    assert five.undefined["word"].endswith("class: 0, 1, 2, 3, 4")


def test_more_groups_and_a_metrics_options():
    groups = ["a", "a", "b", "b", "c", "c"]
    given = {"predictions": [[1], [1], [1], [0], [0], [0]], "ground_truth": [[1]] * 6, "groups": groups}
    found = ask(**given)
    assert found.word == pytest.approx([1 / 6])  # 1, 1/2, 0
    assert found.ranges["word"] == (0, pytest.approx(2 / 9), 0, False)
    roots = ask(**given, spread="std")
    assert roots.word == pytest.approx([6**-0.5])
    assert roots.set == pytest.approx(6**-0.5)
    assert roots.ranges["set"].b_max == pytest.approx((2 / 9) ** 0.5)


MINE = """
import numpy as np
from biassay import Level, Metric, tpr_gap

METRIC = Metric(summary="x", source="mine", takes="predictions", groups=(2, 3), word=Level(0.0, 9.0))

def word_bias(predictions, truth, groups, *, times: int = 1):
    return VALUE
"""


@pytest.fixture
def mine(tmp_path):
    def mine(value, **given):
        path = tmp_path / "mine.py"
        path.write_text(MINE.replace("VALUE", value))
        return measure_predictions(
            str(path), **{"predictions": FOUND, "ground_truth": GROUND_TRUTH, "groups": GROUPS} | given
        )

    return mine


def test_a_metric_of_ones_own(mine):
    found = mine("np.abs(tpr_gap.word_bias(predictions, truth, groups)) * times", times=2)
    np.testing.assert_allclose(found.word, np.multiply(2, GAPS))
    assert (found.metric, found.set) == ("mine", None)
    assert mine("(predictions - truth).max(axis=0) + groups.max() * 1.0").word.tolist() == [2, 2]
    unsaid = mine("np.full(2, np.nan)").undefined
    assert unsaid == {"word": "2 of 2 values: the metric gives no reason: nurse, pilot"}


@pytest.mark.parametrize(
    ("value", "given", "message"),
    [
        ("np.zeros(3)", {}, r"mine.word_bias: .*\(2,\).*got shape \(3,\)"),
        ("[None, 1]", {}, "mine.word_bias: .* got list"),
        ("np.array([0, 9.5])", {}, "mine.word_bias: .* 0 to 9, got 9.5"),
        ("np.zeros(2)", {"times": 1.5}, "mine: times: expected an integer"),
        ("np.zeros(2)", {"spread": "std"}, "mine: unknown option 'spread'; expected one of: times"),
        ("np.zeros(2)", {"groups": list("abcdabc")}, "mine: expected 2 to 3 groups of texts, got 4"),
    ],
)
@pytest.mark.bad_input(
    "values that a metric returns", "refused; the message names the function, the value and the declared range"
)
def test_what_a_metric_of_ones_own_does_not_declare_is_refused(mine, value, given, message):
    with pytest.raises(ValueError, match=message):
        mine(value, **given)


def test_each_entry_refuses_what_another_takes():
    with pytest.raises(ValueError, match=r"^tpr_gap: takes predictions; call measure_predictions$"):
        measure("tpr_gap", targets=[[1.0]], groups=[[[1.0]], [[1.0]]])
    for name, takes, entry in (
        ("weat", "vectors", "measure"),
        ("first_order", "explicit values", "measure"),
        ("pll", "a language model", "measure_language_model"),
    ):
        with pytest.raises(ValueError, match=f"^{name}: takes {takes}; call {entry}$"):
            measure_predictions(name, predictions=FOUND, ground_truth=GROUND_TRUTH, groups=GROUPS)
