"""Every column of the tables of words and directions, recomputed by loops, numpy and scipy."""

from itertools import combinations

import numpy as np
import pandas as pd
import pytest
import scipy.stats

from tests.same import study
from tests.same.study import bias, close, flat, flipped, holm, interval, learned, word

SIGNED = ("weat", "same", "ripa", "unmasking")
GROUND_TRUTHS = {"signed": ("weat", "same", "ripa", "unmasking"),
          "unsigned": ("weat", "same", "mac", "direct_bias", "ripa", "unmasking")}  # fmt: skip
KEYS = [(ground_truth, name, against) for ground_truth, names in GROUND_TRUTHS.items() for name in names
        for against in ("training", "unmasking") if name != against]  # fmt: skip


def answered(ground_truth, metric, score):
    """A score as it is compared with a ground truth."""
    if ground_truth == "signed" or metric not in SIGNED:
        return score
    return abs(0.5 - score) if metric == "unmasking" else abs(score)


def test_correlations_of_words(found):
    table, models = found["correlations"], found["models"].set_index("model")
    keys = table[["ground_truth", "metric", "against"]].drop_duplicates()
    assert [tuple(key) for key in keys.to_numpy()] == KEYS
    assert len(table) == len(models) * len(KEYS)
    for row in table.to_dict("records"):
        scores, ground_truth = word(found, row["metric"], row["model"]), bias(found, row["model"], row["against"])
        assert row["signed"] == (row["metric"] in SIGNED)
        pairs = [(answered(row["ground_truth"], row["metric"], scores[w]), answered(row["ground_truth"], "unmasking",
        p))
                 for w, p in ground_truth.items() if w in scores]  # fmt: skip
        assert (row["distribution"], row["learned"]) == tuple(models.loc[row["model"], ["distribution", "learned"]])
        assert row["n"] == len(pairs)
        if len(pairs) < 3 or np.ptp(pairs, axis=0)[0] == 0:
            assert np.isnan([row["r"], row["low"], row["high"], row["r2"], row["p"]]).all()
        else:
            test = scipy.stats.pearsonr(*zip(*pairs, strict=True))
            r, p = test
            assert (row["r"], row["r2"], row["p"]) == close((r, r * r, p))
            assert (row["low"], row["high"]) == close(tuple(test.confidence_interval(0.95)))


def rows_of(found, **keys):
    """Rows of correlations.csv with these values and an R², by model."""
    table = found["correlations"].dropna(subset="r")
    for name, value in keys.items():
        table = table[table[name] == value]
    return {row["model"]: row for row in table.to_dict("records")}


def test_summary_of_the_models_that_learned(found):
    published = {("signed", "weat"): 0.41, ("unsigned", "mac"): 0.04, ("unsigned", "direct_bias"): 0.13}
    assert [tuple(key) for key in found["summary"][["ground_truth", "metric", "against"]].to_numpy()] == KEYS
    for row in found["summary"].to_dict("records"):
        by_model = rows_of(found, ground_truth=row["ground_truth"], metric=row["metric"], against=row["against"])
        groups = [[by_model[m] for m in group if m in by_model] for group in learned(found).values()]
        rows = [r for group in groups for r in group]
        r2 = [[r["r2"] for r in group] for group in groups if group]
        assert row["models"] == len(rows)
        assert (row["r2_mean"], row["r2_std"]) == close((np.mean(flat(r2)), np.std(flat(r2), ddof=1)))
        assert (row["low"], row["high"]) == close(interval(r2, np.mean))
        assert row["signed"] == (row["metric"] in SIGNED)
        sees = [r["p"] < 0.05 and (r["r"] > 0 or not row["signed"]) for r in rows]
        assert (row["share_significant"], row["share_negative"]) == close(
            (np.mean(sees), np.mean([r["r"] < 0 for r in rows]))
        )
        upper_bound = rows_of(found, ground_truth=row["ground_truth"], metric="unmasking", against="training")
        upper_bound = np.mean([upper_bound[r["model"]]["r2"] for r in rows]) if row["against"] == "training" else np.nan
        assert (row["upper_bound"], row["share_of_upper_bound"]) == close(
            (upper_bound, np.mean(flat(r2)) / upper_bound)
        )
        expected = (
            published.get((row["ground_truth"], row["metric"]), np.nan) if row["against"] == "training" else np.nan
        )
        assert row["published"] == close(expected)
    assert found["summary"]["share_negative"].max() > 0


def test_each_two_metrics_are_compared_within_a_truth(found):
    pairs = [
        (ground_truth, against, *pair) for ground_truth, names in GROUND_TRUTHS.items() for against in ("training",
        "unmasking")
        for pair in combinations(names[:-1], 2)
    ]  # fmt: skip
    table = found["comparisons"]
    assert [tuple(key) for key in table[["ground_truth", "against", "first", "second"]].to_numpy()] == pairs
    for row in table.to_dict("records"):
        first, second = (rows_of(found, ground_truth=row["ground_truth"], against=row["against"], metric=row[which])
                         for which in ("first", "second"))  # fmt: skip
        groups = [[round(first[m]["r2"] - second[m]["r2"], 6) for m in models if m in first and m in second]
                  for models in learned(found).values()]  # fmt: skip
        groups = [group for group in groups if group]
        assert (row["n"], row["clusters"]) == (len(flat(groups)), len(groups))
        assert row["difference"] == pytest.approx(np.mean(flat(groups)), abs=2e-6)
        assert row["p"] == close(flipped(groups))
        assert (row["low"], row["high"]) == pytest.approx(interval(groups, np.mean, 9999), abs=2e-6)
    for _, family in table.groupby(["ground_truth", "against"]):
        assert family["p_holm"].tolist() == close(holm(family["p"].tolist()))
    alike = table[(table["first"] == "weat") & (table["second"] == "same")]
    assert alike["difference"].tolist() == pytest.approx([0] * 4, abs=0.02)  # of the models that have both in full


def test_differences_and_angles(found):
    r2 = found["correlations"].query("against == 'training'").set_index(["ground_truth", "metric", "model"])["r2"]
    given = found["found_directions"].query("second == 'mean'").set_index("model")["angle"]
    groups = {"similar": [], "between": [], "worse": []}
    models = flat(learned(found).values())
    assert found["differences"]["model"].tolist() == models
    for row in found["differences"].to_dict("records"):
        same, size = (r2[ground_truth, "same", row["model"]] for ground_truth in GROUND_TRUTHS)
        direct = r2["unsigned", "direct_bias", row["model"]]
        assert (row["r2_same"], row["r2_same_unsigned"], row["r2_direct_bias"]) == close((same, size, direct))
        parts = (row["difference"], row["due_to_sign"], row["due_to_direction"])
        assert parts == pytest.approx((same - direct, same - size, size - direct), abs=2e-6, nan_ok=True)
        assert row["angle"] == close(given[row["model"]])
        group = "similar" if same - direct < 0.25 else "worse" if same - direct > 0.4 else "between"
        assert row["category"] == group if same >= 0.6 else pd.isna(row["category"])
        if same >= 0.6:
            groups[group].append(row)
    published = {"similar": 10.9, "between": np.nan, "worse": 17.6}
    words = {"similar": "Direct Bias similar (difference < 0.25)", "between": "between (0.25 to 0.4)",
             "worse": "Direct Bias worse (difference > 0.4)"}  # fmt: skip
    assert found["angles"]["category"].tolist() == list(groups)
    for row in found["angles"].to_dict("records"):
        of_group = groups[row["category"]]
        angles = [model["angle"] for model in of_group]
        for part in ("difference", "due_to_sign", "due_to_direction"):
            assert row[part] == pytest.approx(np.mean([model[part] for model in of_group]), abs=2e-6)
        ordered = sorted(of_group, key=lambda model: model["difference"])
        assert row["example_model"] == ordered[(len(ordered) - 1) // 2]["model"]
        assert (row["models"], row["description"]) == (len(angles), words[row["category"]])
        expected = (np.mean(angles), np.std(angles, ddof=1) if len(angles) > 1 else np.nan, published[row["category"]])
        assert (row["angle_mean"], row["angle_std"], row["published"]) == close(expected)
        assert pd.isna(row["note"])


def test_angles_between_all_directions(found):
    table, models = found["found_directions"], flat(learned(found).values())
    assert (table["angle"] > 90).any()
    for row, second in zip(found["directions"].to_dict("records"), ("mean", "he - she"), strict=True):
        values = [a for m, s, a in zip(table["model"], table["second"], table["angle"], strict=True)
                  if s == second and m in models]  # fmt: skip
        values = [min(a, 180 - a) for a in values]
        assert (row["first"], row["second"], row["models"]) == ("principal", second, len(models))
        expected = (np.mean(values), np.std(values, ddof=1), min(values), max(values))
        assert (row["mean"], row["std"], row["min"], row["max"]) == close(expected)


def test_a_metric_without_its_scores_is_an_error(written, tmp_path):
    with pytest.raises(ValueError, match="shorter"):
        study.tabulate(written | {"scores": written["scores"][:-1]}, tmp_path)
