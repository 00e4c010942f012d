"""The entry `biassay.measure_predictions`: forms, names, orders, reports, own metrics."""

import numpy as np
import pandas as pd
import pytest

from biassay import measure, measure_predictions

GROUND_TRUTH = ["nurse", "nurse", "nurse", "pilot", "nurse", "pilot", "pilot"]
FOUND = ["nurse", "nurse", "pilot", "pilot", "pilot", "pilot", "nurse"]
GROUPS = ["f", "f", "f", "f", "m", "m", "m"]
GAPS = [2 / 3, 1 / 2]  # nurse 2/3 against 0/1, pilot 1/1 against 1/2
DEFAULTS = {"predictions": FOUND, "ground_truth": GROUND_TRUTH, "groups": GROUPS}


def columns(names, classes=("nurse", "pilot")):
    return np.array([[int(name == column) for column in classes] for name in names])


def measure_gap(**changes):
    return measure_predictions("tpr_gap", **DEFAULTS | changes)


def test_the_report():
    found = measure_gap()
    np.testing.assert_allclose(found.word, GAPS)
    assert found.set == pytest.approx(7 / 12)
    assert found.words == {"classes": ["nurse", "pilot"], "groups": ["f", "m"]}
    assert found.n_positives == {"f": [3, 1], "m": [1, 2]}
    assert found.ranges == {"word": (-1, 1, 0, True), "set": (0, 1, 0, False)}
    assert found.undefined == {}


FORMS = {
    "arrays": {"predictions": np.array(FOUND), "ground_truth": np.array(GROUND_TRUTH, dtype=object)},
    "series": {"predictions": pd.Series(FOUND), "ground_truth": pd.Series(GROUND_TRUTH, dtype="category")},
    "lists of lists": {"predictions": columns(FOUND).tolist(), "ground_truth": columns(GROUND_TRUTH) * 1.0},
    "frames": {
        "predictions": pd.DataFrame({"nurse": columns(FOUND)[:, 0] == 1, "pilot": columns(FOUND)[:, 1] / 2}),
        "ground_truth": pd.DataFrame(columns(GROUND_TRUTH)),
    },
    "names and columns": {"ground_truth": columns(GROUND_TRUTH), "classes": np.array(["nurse", "pilot"])},
    "groups by number": {"groups": [7, 7, 7, 7, 0, 0, 0]},
}


@pytest.mark.parametrize("form", FORMS)
def test_every_form_gives_the_same(form):
    found = measure_gap(**FORMS[form])
    np.testing.assert_allclose(found.word, GAPS)
    assert list(found.n_positives.values()) == [[3, 1], [1, 2]]


def test_a_threshold_is_reached_by_an_equal_probability():
    given = {"predictions": [[0.3], [0.7]], "ground_truth": [[1], [1]], "groups": ["a", "b"]}
    for threshold, gap in ((0.3, 0), (0.31, -1), (0.7, -1), (0.71, 0)):
        assert measure_gap(**given, threshold=threshold).word == [gap]
    assert measure_gap(**given | {"predictions": [[0.49], [0.5]]}).word == [-1]


def test_the_order_of_groups():
    for found in (
        measure_gap(order=["m", "f"]),
        measure_gap(**{key: values[::-1] for key, values in DEFAULTS.items()}),  # the second group appears first
        measure_gap(groups=[7, 7, 7, 7, 0, 0, 0], order=[0, 7]),
    ):
        np.testing.assert_allclose(found.word, np.negative(GAPS))
        assert list(found.n_positives.values()) == [[1, 2], [3, 1]]


def test_the_order_of_classes():
    turned = measure_gap(classes=["pilot", "nurse"])
    np.testing.assert_allclose(turned.word, GAPS[::-1])
    assert turned.n_positives == {"f": [1, 3], "m": [2, 1]}
    tables = {"predictions": columns(FOUND), "ground_truth": columns(GROUND_TRUTH)}
    assert measure_gap(**tables).words["classes"] == ["0", "1"]
    for numbers, names in (({"nurse": 10, "pilot": 9}, ["9", "10"]), ({"nurse": 10, "pilot": "a"}, ["10", "a"])):
        named = {key: [numbers[name] for name in DEFAULTS[key]] for key in tables}
        assert measure_gap(**named).words["classes"] == names


def test_classes_without_a_value_are_named():
    found = measure_gap(predictions=[*FOUND, "cook"], ground_truth=[*GROUND_TRUTH, "nurse"], groups=[*GROUPS, "m"],
                        classes=["nurse", "pilot", "guard", "cook"])  # fmt: skip
    np.testing.assert_allclose(found.word, [*GAPS, np.nan, np.nan])
    assert found.set == pytest.approx(7 / 12)
    assert found.undefined == {"word": "2 of 4 values: a group has no text of the class: guard, cook"}


def test_the_range_follows_options():
    given = {"predictions": [[1], [1], [1], [0], [0], [0]], "ground_truth": [[1]] * 6, "groups": list("aabbcc")}
    roots = measure_gap(**given, spread="std")  # of the rates 1, 1/2, 0
    assert [*roots.word, roots.set] == pytest.approx([6**-0.5] * 2)
    assert roots.ranges["set"].b_max == pytest.approx((2 / 9) ** 0.5)


def test_each_entry_refuses_the_metrics_of_others():
    with pytest.raises(ValueError, match=r"^tpr_gap: .* measure_predictions$"):
        measure("tpr_gap", targets=[[1.0]], groups=[[[1.0]], [[1.0]]])
    for name, entry in (("weat", "measure"), ("first_order", "measure"), ("pll", "measure_language_model")):
        with pytest.raises(ValueError, match=f"^{name}: .* {entry}$"):
            measure_predictions(name, **DEFAULTS)


def test_tables_that_do_not_correspond_are_refused():
    tables = {name: pd.DataFrame(columns(DEFAULTS[name])) for name in ("predictions", "ground_truth")}
    assert measure_gap(**tables).word == pytest.approx(measure_gap().word)
    numbered = {name: table.rename(columns={0: 5, 1: 4}) for name, table in tables.items()}
    assert measure_gap(**numbered).words["classes"] == ["5", "4"]
    assert measure_gap(**numbered, classes=["nurse", "pilot"]).words["classes"] == ["nurse", "pilot"]
    with pytest.raises(ValueError, match=r"predictions: .* at position 1, got 'nurse '"):
        measure_gap(predictions=["pilot", "nurse ", *DEFAULTS["predictions"][2:]])
    with pytest.raises(ValueError, match=r"classes: expected a name .*at position 0, got 0\.5"):
        measure_gap(**{name: table.rename(columns={0: 0.5}) for name, table in tables.items()})
    with pytest.raises(ValueError, match=r"expected equal columns in one order, got 1, 0 and 0, 1"):
        measure_gap(**tables | {"predictions": tables["predictions"][[1, 0]]})
    for name in tables:
        with pytest.raises(ValueError, match=r"expected the index of .*reset_index"):
            measure_gap(**tables | {name: tables[name][::-1]})
    with pytest.raises(ValueError, match="groups: expected the index of predictions"):
        measure_gap(**tables | {"groups": pd.Series(GROUPS)[::-1]})
