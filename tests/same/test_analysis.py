"""Analysis of planted bias, by values worked out by hand."""

import numpy as np
import pandas as pd
import pytest
import scipy.stats

from biassay.studies.same import agreement, directions, tables, variability

OCCUPATIONS = ["a", "b", "c", "d"]


def grid(unmasking, training=None, distribution=None, learned=None):
    """A grid of models by their p(male)."""
    unmasking = pd.DataFrame(unmasking, columns=OCCUPATIONS[: len(unmasking[0])], dtype=float)
    n = len(unmasking)
    models = pd.DataFrame({"distribution": distribution or range(n), "learned": learned or [True] * n})
    training = unmasking if training is None else pd.DataFrame(training, columns=unmasking.columns, dtype=float)
    return tables.Grid(models.rename_axis("model"), training, unmasking)


def like(grid, values):
    return pd.DataFrame(values, index=grid.models.index, columns=grid.unmasking.columns, dtype=float)


def test_words_of_signed_scores_follow_p_and_of_others_its_distance_from_one_half():
    p = [0.1, 0.4, 0.7, 0.9]
    of = grid([p], training=[[0.9, 0.5, 0.4, 0.0]])
    samples = {"plus": like(of, [2 * np.array(p) - 1]), "minus": like(of, [0.5 - np.array(p)]),
               "size": like(of, [[0.8, 0.2, 0.4, 0.8]])}  # fmt: skip
    signed = {"plus": True, "minus": True, "size": False}
    table = agreement.correlate_words(of, samples, signed)
    rows = table.set_index(["ground_truth", "metric", "against"])
    assert rows.loc[("signed", "plus", "unmasking"), "r"] == pytest.approx(1)
    assert rows.loc[("signed", "minus", "unmasking"), "r"] == pytest.approx(-1)
    assert rows.loc[("unsigned", "minus", "unmasking"), "r"] == pytest.approx(1)
    assert rows.loc[("unsigned", "size", "unmasking"), "r2"] == pytest.approx(1)
    for metric, scores in (("size", [0.8, 0.2, 0.4, 0.8]), ("unmasking", [0.4, 0.1, 0.2, 0.4])):
        expected = scipy.stats.pearsonr(scores, [0.4, 0.0, 0.1, 0.5])[0]
        assert rows.loc[("unsigned", metric, "training"), "r"] == pytest.approx(expected)
    assert rows.loc[("signed", "unmasking", "training"), "n"] == 4
    assert table.index.tolist() == list(range(12))
    assert ("signed", "size", "training") not in rows.index
    assert ("signed", "unmasking", "unmasking") not in rows.index
    summary = agreement.summarise_correlations(table, 10, 1)
    assert summary["signed"].tolist() == [True] * 9 + [False] * 2 + [True]
    reached = summary.set_index(["ground_truth", "metric", "against"])["share_of_upper_bound"]
    assert reached["signed", "unmasking", "training"] == reached["unsigned", "unmasking", "training"] == 1
    assert reached["unsigned", "size", "training"] == pytest.approx(1)  # its R² is that of unmasking itself
    assert np.isnan(reached["signed", "plus", "unmasking"])


def angles_of(same, direct_bias, angle):
    """The rows of `differences` for models with these R²."""
    of = grid([[0.1, 0.2]] * len(same))
    rows = [
        {"model": model, "ground_truth": ground_truth, "metric": name, "against": "training", "r2": value}
        for ground_truth, name, values in (("signed", "same", same), ("unsigned", "direct_bias", direct_bias))
        for model, value in enumerate(values)
    ]
    given = pd.DataFrame({"model": range(len(same)), "first": "mean", "second": "principal", "angle": angle})
    return directions.compare_with_direct_bias(of, pd.DataFrame(rows), given)


def test_angles_by_how_far_direct_bias_falls_behind():
    found = angles_of([0.7, 0.9, 0.8, 0.9, 0.5], [0.6, 0.7, 0.5, 0.1, 0.0], [10, 170, 30, 20, 80])
    assert found["category"].tolist() == ["similar", "similar", "between", "worse", ""]
    groups = directions.summarise_categories(found).set_index("category")
    assert groups["models"].to_dict() == {"similar": 2, "between": 1, "worse": 1}
    assert groups["angle_mean"].to_dict() == pytest.approx({"similar": 10, "between": 30, "worse": 20})
    assert groups["difference"].to_dict() == pytest.approx({"similar": 0.15, "between": 0.3, "worse": 0.8})
    found = found.assign(due_to_sign=[0.1, 0.3, 0.2, 0.5, 0.9], due_to_direction=[0.0, -0.1, 0.1, 0.3, 0.5])
    parts = directions.summarise_categories(found).set_index("category")[["due_to_sign", "due_to_direction"]]
    assert parts.loc["similar"].tolist() == pytest.approx([0.2, -0.05])
    assert parts.loc["worse"].tolist() == pytest.approx([0.5, 0.3])


def test_groups_at_their_limits():
    """SAME must have at least 0.6; differences of 0.25 and 0.4 are between. Models without an angle are in no mean."""
    found = angles_of([0.6, 0.875, 0.9, 0.9], [0.5, 0.625, 0.5, 0.1], [10, 20, 40, np.nan])
    assert found["category"].tolist() == ["similar", "between", "between", "worse"]
    groups = directions.summarise_categories(found).set_index("category")
    assert groups["models"].to_dict() == {"similar": 1, "between": 2, "worse": 0}
    assert "4" in groups.loc["worse", "note"]
    assert groups.loc["similar", "note"] == ""


def test_directions_by_means_and_by_kind_of_pronoun():
    female, kinds = np.tile([0.0, 0.0, 1.0], (4, 1)), np.array(["pronoun", "pronoun", "possessive", "possessive"])
    male = np.array([[1.0, 0, 0]] * 2 + [[0, 1.0, 0]] * 2)
    found = directions.bias_directions([male, female], kinds)
    assert list(found) == ["mean", "pronoun", "possessive", "principal"]
    np.testing.assert_allclose(found["pronoun"], np.array([1, 0, -1]) / np.sqrt(2))
    np.testing.assert_allclose(found["mean"], np.array([0.5, 0.5, -1]) / np.sqrt(1.5))
    np.testing.assert_allclose(found["mean"] @ found["principal"], 1)
    assert directions.bias_directions([female, female], kinds) == {}


def test_sets_against_mean_spread_and_distance_from_one_half():
    p = np.array([[0.1, 0.3], [0.5, 0.9], [0.2, 0.2], [0.6, 0.7]])
    of = grid(p.tolist())
    sets = {"m": pd.Series([0.2, 0.7, 0.2, 0.65])}
    table = agreement.correlate_sets(of, sets, {"m": False}, 20, 1).set_index("against")
    assert table.loc["mean", "r2"] == pytest.approx(1)
    spread = scipy.stats.pearsonr([0.2, 0.7, 0.2, 0.65], [0.1, 0.2, 0, 0.05])
    distance = scipy.stats.pearsonr([0.2, 0.7, 0.2, 0.65], [0.6, 0.4, 0.6, 0.3])
    assert tuple(table.loc["std", ["r", "p"]]) == pytest.approx(tuple(spread))
    assert tuple(table.loc["absolute", ["r", "p"]]) == pytest.approx(tuple(distance))
    assert table.loc["absolute", "p_holm"] == pytest.approx(2 * distance[1])


def test_retraining_variability_by_hand():
    """Spreads 1 and 3 in one distribution, 2 and 2 in the other: differences 1 and 0; a third has one model."""
    of = grid([[0.5, 0.5]] * 5, distribution=[1, 1, 0, 0, 2])
    scores = like(of, [[-1, 1], [-3, 3], [0, 4], [1, 5], [0, 9]])
    table = variability.retraining_variability(of, {"m": scores, "constant": like(of, [[1, 1]] * 5)}, 200, 1)
    assert table["note"].tolist() == ["", "undefined scores", "undefined scores"]
    assert table["noise_ratio"].isna().tolist() == [False, True, True]
    row = table.iloc[0]
    assert (row["distributions"], row["models"], row["difference"]) == (2, 4, 0.5)
    within = (np.sqrt(2) + np.sqrt(0.5)) / 2  # of [-1, -3] and [1, 3], then of [0, 1] and [4, 5]
    assert row["within_std"] == pytest.approx(within)
    assert (row["between_std"], row["noise_ratio"]) == pytest.approx((2, within / 2))


def test_one_repeat_is_not_computable():
    of = grid([[0.1, 0.5], [0.4, 0.6], [0.4, 0.7]], distribution=[0, 1, 1], learned=[True, True, False])
    table = variability.retraining_variability(of, {"m": of.unmasking}, 10, 1)
    assert table["difference"].isna().all()
    assert (table["note"] == variability.ONE_REPEAT).all()


def test_subsampling_variability_by_hand():
    of = grid([[0.5, 0.5]] * 3)
    table = pd.DataFrame({"model": [0, 0, 1, 1, 2, 2], "subset": [0, 1] * 3, "value": [1, 2, 4, *[np.nan] * 3],
                          "full_value": 2})  # fmt: skip
    below = table.assign(value=-table["value"], full_value=-table["full_value"])
    found = variability.subsampling_variability(
        of, {"m": table, "free": below}, {"m": (-2.0, 2.0), "free": (0.0, None)}, 10, 1
    )
    assert found["deviation"].tolist() == pytest.approx([(0.5 + 2) / 2 / 4, np.nan], nan_ok=True)
    assert found["relative"].tolist() == [False, True]
    assert found["models"].tolist() == [2, 2]
    assert found["undefined"].tolist() == [0.5, 0.5]


def test_intervals_of_equal_variability_have_no_width():
    """Ten distributions have the spreads 1 and 3, and each subset of their models is 1 of 4 from the full value."""
    of = grid([[0.5, 0.5]] * 20, distribution=list(range(10)) * 2)
    scores = like(of, [[-1, 1]] * 10 + [[-3, 3]] * 10)
    found = variability.retraining_variability(of, {"m": scores}, 50, 1).iloc[0]
    assert found[["difference", "low", "high"]].tolist() == [1, 1, 1]
    subsets = pd.DataFrame({"model": of.models.index, "subset": 0, "value": 3.0, "full_value": 2.0})
    found = variability.subsampling_variability(of, {"m": subsets}, {"m": (-2.0, 2.0)}, 50, 1).iloc[0]
    assert found[["deviation", "low", "high"]].tolist() == [0.25] * 3


def test_the_median_model_has_the_lower_median_of_its_mean_r2():
    r2 = {0: [0.1, 0.2], 1: [0.9, 0.2], 2: [np.nan, np.nan], 3: [0.8, 0.9], 4: [0.3, 0.3], 5: [0.0, 1.0]}
    rows = [(model, value, "training", model != 5) for model, values in r2.items() for value in values]
    table = pd.DataFrame(rows, columns=["model", "r2", "against", "learned"]).assign(signed=True)
    other = table.assign(against="unmasking", r2=-table["r2"])
    assert agreement.find_median_model(pd.concat([other, table])) == 4
    assert agreement.find_median_model(table[:0]) is None
