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
    assert reached["unsigned", "unmasking", "training"] == 1
    assert np.isnan(reached["signed", "unmasking", "training"])  # here unmasking falls as the training bias grows
    assert reached["unsigned", "size", "training"] == pytest.approx(1)  # its R² is that of unmasking itself
    assert np.isnan(reached["signed", "plus", "unmasking"])


def test_a_metric_that_falls_in_all_models_is_last():
    random = np.random.default_rng(1)
    p = random.uniform(size=(14, 4))
    of, size, noise = grid(p), np.abs(0.5 - p), random.normal(size=p.shape)
    scores = {"falls": like(of, 0.5 - size + 0.01 * noise), "follows": like(of, size + 0.05 * noise)}
    words = agreement.correlate_words(of, scores, dict.fromkeys(scores, False))
    means = agreement.summarise_correlations(words, 50, 1).set_index(["metric", "against"])
    row = means.loc["falls", "training"]
    assert -1 <= row["low"] < row["r2_mean"] < row["high"] < -0.9
    sets = {name: values.mean(axis=1) for name, values in scores.items()}
    levels = agreement.correlate_sets(of, sets, dict.fromkeys(sets, False), 50, 1).set_index(["metric", "against"])
    row = levels.loc["falls", "absolute"]
    assert -1 <= row["low"] < row["r2"] < row["high"] < -0.9
    for tests in (agreement.compare_words(words, 1), agreement.compare_sets(of, sets, dict.fromkeys(sets, False), 1)):
        tests = tests[tests["against"].isin(["training", "absolute"])]
        assert tests[["first", "second"]].to_numpy().tolist() == [["falls", "follows"]]
        assert tests["difference"].item() < -1
        assert tests["p_holm"].item() < 0.01


def test_angles_by_how_far_direct_bias_falls_behind():
    """SAME must have at least 0.6; differences of 0.25 and 0.4 are between. Models without an angle are in no mean."""
    models = pd.DataFrame({"model": range(6), "against": "training"})
    same = models.assign(ground_truth="signed", metric="same", r2=[0.6, 0.9, 0.875, 0.9, 0.9, 0.5])
    other = models.assign(ground_truth="unsigned", metric="direct_bias", r2=[0.5, 0.7, 0.625, 0.5, 0.1, 0])
    angles = models.assign(first="mean", second="principal", angle=[10, 170, 20, 40, np.nan, 80])
    found = directions.compare_with_direct_bias(grid([[0.1, 0.2]] * 6), pd.concat([same, other]), angles)
    assert found["category"].tolist() == ["similar", "similar", "between", "between", "worse", ""]
    found = found.assign(due_to_sign=[0.1, 0.3, 0.2, 0.5, 0.9, 1], due_to_direction=[0.0, -0.1, 0.1, 0.3, 0.5, 1])
    groups = directions.summarise_categories(found).set_index("category")
    assert groups["models"].to_dict() == {"similar": 2, "between": 2, "worse": 0}
    parts = ["angle_mean", "difference", "due_to_sign", "due_to_direction"]
    assert groups.loc["similar", parts].tolist() == pytest.approx([10, 0.15, 0.2, -0.05])
    assert groups.loc["between", parts].tolist() == pytest.approx([30, 0.325, 0.35, 0.2])
    assert "5" in groups.loc["worse", "note"]
    assert groups.loc["similar", "note"] == ""


def test_equal_groups_have_no_directions():
    group = np.tile([0.0, 0.0, 1.0], (4, 1))
    assert directions.bias_directions([group, group], np.array(["pronoun"] * 2 + ["possessive"] * 2)) == {}


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
    found = variability.subsampling_variability(of, {"m": table, "free": below}, {"m": 4.0, "free": np.nan}, 10, 1)
    assert found["deviation"].tolist() == pytest.approx([(0.5 + 2) / 2 / 4, np.nan], nan_ok=True)
    assert found["relative"].tolist() == [False, True]
    assert found["models"].tolist() == [2, 2]
    assert found["undefined"].tolist() == [0.5, 0.5]


def test_the_median_model_has_the_lower_median_of_its_mean_r2():
    r2 = {0: [0.1, 0.2], 1: [0.9, 0.2], 2: [np.nan, np.nan], 3: [0.8, 0.9], 4: [0.3, 0.3], 5: [0.0, 1.0]}
    rows = [(model, value, "training", model != 5) for model, values in r2.items() for value in values]
    table = pd.DataFrame(rows, columns=["model", "r2", "against", "learned"]).assign(signed=True)
    other = table.assign(against="unmasking", r2=-table["r2"])
    assert agreement.find_median_model(pd.concat([other, table])) == 4
    assert agreement.find_median_model(table[:0]) is None
