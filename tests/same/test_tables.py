"""The tables that the study's script makes of a small grid: keys, gaps, published values and sampled numbers."""

from functools import partial
from itertools import combinations

import numpy as np
import pandas as pd
import pytest
import scipy.stats

from biassay.statistics.intervals import interval_of_mean
from biassay.statistics.paired_tests import correct_holm
from tests.same import study

close = partial(pytest.approx, rel=1e-4, nan_ok=True)  # files have six figures
SIGNED = ["weat", "same", "ripa"]
UNSIGNED = study.WORD
NAN = np.nan


def test_correlations_of_words(found):
    table = found["correlations"]
    assert len(table) == 18 * 18
    rows = table.set_index(["ground_truth", "metric", "against", "model"])
    scores = found["scores"]["weat"].query("level == 'word' and model == 7")["value"].to_numpy()
    bias = found["bias"].query("model == 7")["training"].to_numpy()
    known = np.isfinite(scores)
    test, row = scipy.stats.pearsonr(scores[known], bias[known]), rows.loc["signed", "weat", "training", 7]
    assert (row["n"], row["r"], row["r2"], row["p"]) == close((11, test.statistic, test.statistic**2, test.pvalue))
    assert (row["low"], row["high"]) == close(tuple(test.confidence_interval(0.95)))
    scores = found["scores"]["mac"].query("level == 'word' and model == 7")["value"].to_numpy()
    expected = scipy.stats.pearsonr(np.abs(scores - 1), np.abs(0.5 - bias)).statistic  # 1: without bias
    assert rows.loc["unsigned", "mac", "training", 7]["r"] == close(expected)
    assert rows.loc["signed", "same", "training", 6][["r", "low", "high", "r2", "p"]].isna().all()  # constant
    assert rows.loc["unsigned", "mac", "training", 9]["n"] == 0
    expected = found["models"].set_index("model").loc[table["model"], ["distribution", "learned"]]
    assert (table[["distribution", "learned"]].to_numpy() == expected.to_numpy()).all()


def test_summary_and_comparisons(found):
    keys = ["ground_truth", "metric", "against"]
    learned = found["correlations"].query("learned").dropna(subset="r2")
    assert found["summary"]["published"].notna().sum() == 2
    for row in found["summary"].to_dict("records"):
        rows = learned[(learned[keys] == [row[key] for key in keys]).all(axis=1)]
        assert (row["models"], row["r2_mean"], row["r2_std"]) == close((len(rows), rows["r2"].mean(), rows["r2"].std()))
        low_high = interval_of_mean(rows["r2"].to_numpy(), rows["distribution"].to_numpy(), study.RESAMPLES, study.SEED)
        assert (row["low"], row["high"]) == close(tuple(low_high))
        significant = (rows["p"] < 0.05) & (rows["r"] > 0)
        shares = (significant.mean(), (rows["r"] < 0).mean())
        assert (row["share_significant"], row["share_negative"]) == close(shares)
        same_truth = learned[(learned["metric"] == "unmasking") & (learned["ground_truth"] == row["ground_truth"])]
        bound = same_truth[same_truth["model"].isin(rows["model"])]["r2"].mean()
        bound = bound if row["against"] == "training" else NAN
        assert (row["upper_bound"], row["share_of_upper_bound"]) == close((bound, row["r2_mean"] / bound))
    published = found["summary"].set_index(keys)["published"]
    assert (published["signed", "weat", "training"], published["unsigned", "mac", "training"]) == (0.41, 0.04)
    pairs = [(kind, against, *pair) for kind, names in (("signed", SIGNED), ("unsigned", UNSIGNED))
             for against in ("training", "unmasking") for pair in combinations(names, 2)]  # fmt: skip
    columns = ["ground_truth", "against", "first", "second"]
    assert [tuple(key) for key in found["comparisons"][columns].to_numpy()] == pairs


def test_differences_and_angles(found):
    r2 = found["correlations"].query("against == 'training'").set_index(["ground_truth", "metric", "model"])["r2"]
    models = found["models"].query("learned")["model"]
    table = found["differences"].set_index("model")
    assert table.index.tolist() == models.tolist()
    row = table.loc[8]
    same, unsigned, direct = r2["signed", "same", 8], r2["unsigned", "same", 8], r2["unsigned", "direct_bias", 8]
    assert (row["r2_same"], row["r2_same_unsigned"], row["r2_direct_bias"]) == close((same, unsigned, direct))
    parts = row[["difference", "due_to_sign", "due_to_direction"]].tolist()
    assert parts == pytest.approx([same - direct, same - unsigned, unsigned - direct], abs=2e-6)
    assert found["angles"]["published"].tolist() == close([10.9, NAN, 17.6])
    mean, pronoun = found["directions"].set_index("second").loc[["mean", "pronoun"]].to_dict("records")
    assert mean["models"] == 15
    assert [pronoun[name] for name in ("angle_mean", "std", "max")] == close(
        [2 * mean[n] for n in ("angle_mean", "std", "max")]
    )
    assert mean["angle_mean"] == close(table["angle"].mean())


def test_sets(found):
    table = found["sets"].set_index(["metric", "against"])
    assert table.index.tolist() == [(name, key) for name in study.METRICS for key in ("mean", "std", "absolute")]
    assert set(table.loc["mac", "n"]) == {14}
    assert set(table.loc["weat", "n"]) == {14}  # one undefined word
    models = found["models"].query("learned")["model"]
    p = found["bias"].pivot(index="model", columns="occupation", values="unmasking").loc[models]
    scores = found["scores"]["ripa"].query("level == 'set'").set_index("model")["value"][models]
    summaries = {"std": p.std(axis=1, ddof=0), "absolute": (p - 0.5).abs().sum(axis=1), "mean": p.mean(axis=1)}
    distributions = found["models"].set_index("model")["distribution"]
    for against, summary in summaries.items():
        both = pd.DataFrame({"score": scores if against == "mean" else scores.abs(), "summary": summary})
        means = both.groupby(distributions).mean()
        expected = [scipy.stats.pearsonr(*part.to_numpy().T) for part in (both, means)]
        assert tuple(table.loc[("ripa", against), ["r", "p"]]) == close((expected[0].statistic, expected[1].pvalue))
    mac = found["scores"]["mac"].query("level == 'set'").set_index("model")["value"][models]
    both = pd.DataFrame({"score": (mac - 1).abs(), "summary": summaries["absolute"]}).dropna()
    assert table["r"]["mac", "absolute"] == close(scipy.stats.pearsonr(both["score"], both["summary"]).statistic)
    np.testing.assert_allclose(table["p_holm"], correct_holm(table["p"].to_numpy()), rtol=1e-4)
    assert (table["low"] < table["high"]).all()
    assert table["published"].dropna().to_dict() == {("same_skew", "mean"): 0.21, ("ripa", "absolute"): 0.43}
    tests = found["set_comparisons"]
    assert tests.groupby("against", sort=False).size().to_dict() == {"mean": 1, "std": 15, "absolute": 15}
    for row in tests[tests["n"] == 15].to_dict("records"):
        difference = table["r2"][row["first"], row["against"]] - table["r2"][row["second"], row["against"]]
        assert row["difference"] == pytest.approx(difference, abs=3e-6)


def test_variability(found):
    retraining = found["retraining_variability"].set_index("metric")
    assert retraining.index.tolist() == [*study.WORD, "unmasking"]
    assert set(retraining["models"]) == {12}  # the other three of the 15 have no repeat that learned
    assert retraining["distributions"].to_dict() == dict.fromkeys(retraining.index, 6) | {"mac": 5}
    assert retraining["published"].dropna().to_dict() == {"direct_bias": 0.306}
    subsampling = found["subsampling_variability"].set_index("metric")
    assert subsampling["models"].to_dict() == dict.fromkeys(study.METRICS, 15) | {"mac": 14, "weat": 14}
    assert subsampling["relative"].to_dict() == dict.fromkeys(study.METRICS, False) | {"ripa": True}
    learned = found["models"].query("learned")["model"]
    # SAME is between 0 and 1, and WEAT of 3 and 1 occupations with a stereotype between ±4 / √3
    for metric, span in (("same", 1), ("weat", 8 / np.sqrt(3))):
        rows = found["subsets"][metric][found["subsets"][metric]["model"].isin(learned)]
        change = (rows["value"] - rows["full_value"]).abs().groupby(rows["model"]).mean()
        assert subsampling.loc[metric, "deviation"] == close(change.mean() / span)
    assert subsampling["published"].dropna().to_dict() == {"mac": 0.001}
    for table, column in ((retraining, "difference"), (subsampling.drop("ripa"), "deviation")):
        assert table[column].between(table["low"], table["high"]).all()
