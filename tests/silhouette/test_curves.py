"""Words, ranges and curves of silhouettes, by hand."""

import numpy as np
import pandas as pd
import pytest

from biassay.studies.silhouette import curves

ROW = pd.Series(
    {"b_min": -2.0, "b_max": 3.0, "n_words": 100, "robustness_biased": 0.951, "robustness_unbiased": 0.878,
     "accuracy": 0.6, "auc": 0.98}
)  # fmt: skip


def curve(length, **columns):
    return pd.DataFrame({"n_words": np.arange(1, length + 1), **columns})


def test_scores_are_described_without_missing_ones():
    assert curves.describe_scores(ROW) == "robustness 0.95 / 0.88 (biased / unbiased), accuracy 0.60, AUC 0.98"
    assert curves.describe_scores(ROW.replace({0.951: np.nan, 0.6: np.nan})) == "AUC 0.98"


def test_thin_keeps_beginning_and_end():
    thinned = curves.thin_curve(curve(1081))
    assert len(thinned) == 300
    assert thinned["n_words"].tolist()[:51] == list(range(1, 52))
    assert thinned["n_words"].iloc[-1] == 1081
    assert thinned["n_words"].is_unique
    assert np.ptp(thinned["n_words"].diff().iloc[51:]) <= 1
    assert curves.thin_curve(curve(301))["n_words"].is_unique
    whole = curve(300)
    assert curves.thin_curve(whole) is whole


def test_scale_is_the_range_or_the_largest_value():
    values = curve(3, min=[-1.0, -7.0, 0.1], max=[2.0, 5.0, 0.3])
    assert curves.value_range(ROW, values) == (-2, 3)
    for missing in (["b_min"], ["b_max"], ["b_min", "b_max"]):
        row = ROW.copy()
        row[missing] = np.nan
        assert curves.value_range(row, values) == (-7, 7)
        assert curves.value_range(row, values * [1, -1, -2]) == (-10, 10)
        assert curves.value_range(row, values * 0) == (-1, 1)


def test_zoomed_is_from_a_tenth_of_the_words_on_with_a_margin_of_a_twentieth():
    """k = 10 of 100 words counts, with the least 0.1 of all; 0.4 is the greatest: 0.3 / 20 = .015."""
    low, high = np.r_[[-1.9] * 9, 0.1, [0.2] * 90], np.r_[[2] * 9, 0.3, [0.25] * 40, 0.4, [0.3] * 49]
    values = curve(100, min=low, max=high)
    assert curves.zoomed_range(ROW, values) == pytest.approx((0.085, 0.415))
    assert curves.zoomed_range(ROW, curve(100, min=0.1, max=0.1)) == (-2, 3)
    assert curves.zoomed_range(ROW, curve(100, min=np.nan, max=np.nan)) == (-2, 3)


def test_changes_of_scores():
    """Two biases at 50 of 100 shuffles: .9 → .8 and .5 → .53; one has no accuracy."""
    rows = [("a", 50, 0.9, 0.6), ("a", 100, 0.8, 0.55), ("b", 50, 0.5, np.nan), ("b", 100, 0.53, np.nan)]
    rows += [("a", 2, 0.6, 0.65), ("b", 2, 0.5, np.nan)]
    table = pd.DataFrame(rows, columns=["bias", "n_shuffles", "robustness_biased", "accuracy"]).assign(
        metric="x", list="groups"
    )
    other = table.assign(metric="none", accuracy=np.nan)
    found = curves.measure_changes(pd.concat([table, other])).set_index(["metric", "score", "n_shuffles"])
    assert list(found.index) == [
        ("x", "robustness_biased", 50), ("x", "robustness_biased", 2), ("none", "robustness_biased", 50),
        ("none", "robustness_biased", 2), ("x", "accuracy", 50), ("x", "accuracy", 2),
    ]  # fmt: skip
    expected = [[0.065, 0.1], [0.115, 0.2], [0.065, 0.1], [0.115, 0.2], [0.05, 0.05], [0.1, 0.1]]
    np.testing.assert_allclose(found, expected)
    assert list(found.columns) == ["mean", "max"]


def test_gender_comes_first_and_a_users_kinds_last():
    table = pd.DataFrame({"bias": ["age", "religion", "gender", "age", "ethnicity", "gender"], "n": range(6)})
    assert curves.sort_by_bias(table)["n"].tolist() == [2, 5, 4, 1, 0, 3]
