"""Values of the study's tables, computed again from models, bias and scores."""

from itertools import combinations

import numpy as np
import pandas as pd
import pytest
import scipy.stats

from biassay.statistics import paired_tests
from tests.same import study
from tests.same.study import bias, close, flat, interval, learned, word

SIGNED = ("weat", "same", "ripa", "unmasking")
GROUND_TRUTHS = {
    "signed": ("weat", "same", "ripa", "unmasking"),
    "unsigned": ("weat", "same", "mac", "direct_bias", "ripa", "unmasking"),
}
SUMMARIES = {"mean": np.mean, "std": np.std, "absolute": lambda p: sum(abs(0.5 - p))}
BOUNDS = {"weat": (-2, 2), "same": (0, 1), "same_skew": (-1, 1), "mac": (0, 2), "direct_bias": (0, 1)}


def compared(ground_truth, metric, score):
    """A score as it is compared with a ground truth."""
    if ground_truth == "signed" or metric not in SIGNED:
        return score
    return abs(0.5 - score) if metric == "unmasking" else abs(score)


def test_correlations_of_words(found):
    table, models = found["correlations"], found["models"].set_index("model")
    assert len(table) == len(models) * 18
    for row in table[::3].to_dict("records"):
        scores, p = word(found, row["metric"], row["model"]), bias(found, row["model"], row["against"])
        kind = row["ground_truth"]
        pairs = [
            (compared(kind, row["metric"], scores[w]), compared(kind, "unmasking", p[w])) for w in p if w in scores
        ]
        assert (row["distribution"], row["learned"]) == tuple(models.loc[row["model"], ["distribution", "learned"]])
        assert (row["n"], row["signed"]) == (len(pairs), row["metric"] in SIGNED)
        if len(pairs) < 3 or np.ptp(pairs, axis=0)[0] == 0:
            assert np.isnan([row["r"], row["low"], row["high"], row["r2"], row["p"]]).all()
        else:
            test = scipy.stats.pearsonr(*zip(*pairs, strict=True))
            assert (row["r"], row["r2"], row["p"]) == close((test.statistic, test.statistic**2, test.pvalue))
            assert (row["low"], row["high"]) == close(tuple(test.confidence_interval(0.95)))


def by_model(found, **keys):
    """R² of the models that learned, by model, and their distributions."""
    table = found["correlations"].query("learned").dropna(subset="r2")
    for name, value in keys.items():
        table = table[table[name] == value]
    return table.set_index("model")


def test_summary_and_comparisons(found):
    published = {("signed", "weat"): 0.41, ("unsigned", "mac"): 0.04, ("unsigned", "direct_bias"): 0.13}
    keys = ["ground_truth", "metric", "against"]
    for row in found["summary"].to_dict("records"):
        rows = by_model(found, **{name: row[name] for name in keys})
        groups = [group["r2"].tolist() for _, group in rows.groupby("distribution")]
        assert row["models"] == len(rows)
        assert (row["r2_mean"], row["r2_std"]) == close((rows["r2"].mean(), rows["r2"].std()))
        assert (row["low"], row["high"]) == close(interval(groups, np.mean))
        sees = (rows["p"] < 0.05) & ((rows["r"] > 0) | (not row["signed"]))
        assert (row["share_significant"], row["share_negative"]) == close((sees.mean(), (rows["r"] < 0).mean()))
        bound = by_model(found, ground_truth=row["ground_truth"], metric="unmasking", against="training")["r2"]
        bound = bound.reindex(rows.index).mean() if row["against"] == "training" else np.nan
        assert (row["upper_bound"], row["share_of_upper_bound"]) == close((bound, row["r2_mean"] / bound))
        is_published = row["against"] == "training"
        expected = published.get((row["ground_truth"], row["metric"]), np.nan) if is_published else np.nan
        assert row["published"] == close(expected)
    pairs = [(kind, against, *pair) for kind, names in GROUND_TRUTHS.items() for against in ("training", "unmasking")
             for pair in combinations(names[:-1], 2)]  # fmt: skip
    columns = ["ground_truth", "against", "first", "second"]
    assert [tuple(key) for key in found["comparisons"][columns].to_numpy()] == pairs
    for (ground_truth, against), tests in found["comparisons"].groupby(columns[:2]):
        metrics = GROUND_TRUTHS[ground_truth][:-1]
        r2 = pd.DataFrame({
            name: by_model(found, ground_truth=ground_truth, against=against, metric=name)["r2"] for name in metrics
        }).round(6)  # fmt: skip
        clusters = found["models"].set_index("model")["distribution"][r2.index].to_numpy()
        expected = paired_tests.compare_means(
            {name: r2[name].to_numpy() for name in metrics}, clusters, seed=study.SEED
        )
        for column in ("n", "clusters", "p"):
            assert tests[column].tolist() == close(expected[column].tolist())
        np.testing.assert_allclose(tests["difference"], expected["difference"], atol=2e-6)
        np.testing.assert_allclose(tests["p_holm"], paired_tests.correct_holm(tests["p"].to_numpy()), rtol=1e-4)


def test_differences_and_angles(found):
    r2 = found["correlations"].query("against == 'training'").set_index(["ground_truth", "metric", "model"])["r2"]
    given = found["found_directions"].query("second == 'mean'").set_index("model")["angle"]
    models = flat(learned(found).values())
    assert found["differences"]["model"].tolist() == models
    for row in found["differences"].to_dict("records"):
        keys = [("signed", "same"), ("unsigned", "same"), ("unsigned", "direct_bias")]
        same, size, direct = (r2[(*key, row["model"])] for key in keys)
        assert (row["r2_same"], row["r2_same_unsigned"], row["r2_direct_bias"]) == close((same, size, direct))
        parts = (row["difference"], row["due_to_sign"], row["due_to_direction"])
        assert parts == pytest.approx((same - direct, same - size, size - direct), abs=2e-6, nan_ok=True)
        assert row["angle"] == close(given[row["model"]])
    assert found["angles"]["published"].tolist() == close([10.9, np.nan, 17.6])
    table = found["found_directions"]
    folded = np.minimum(table["angle"], 180 - table["angle"])[table["model"].isin(models)]
    expected = folded.groupby(table["second"], sort=False).agg(["mean", "std", "min", "max"])
    np.testing.assert_allclose(found["directions"][["mean", "std", "min", "max"]], expected, rtol=1e-5)


def test_sets(found):
    published = {("same_skew", "mean"): 0.21, ("mac", "std"): 0.32, ("ripa", "absolute"): 0.43}
    keys = [(name, against) for name in study.METRICS for against in SUMMARIES]
    assert [tuple(key) for key in found["sets"][["metric", "against"]].to_numpy()] == keys
    for row in found["sets"].to_dict("records"):
        scores = found["scores"][row["metric"]].query("level == 'set'").set_index("model")["value"]
        scores = scores if row["against"] == "mean" else scores.abs()
        groups = [[(scores[m], SUMMARIES[row["against"]](np.array(list(bias(found, m, "unmasking").values()))))
                   for m in models if np.isfinite(scores[m])] for models in learned(found).values()]  # fmt: skip
        r, p = scipy.stats.pearsonr(*zip(*flat(groups), strict=True))
        assert row["n"] == len(flat(groups)) == (14 if row["metric"] == "mac" else 15)
        assert (row["r"], row["r2"], row["p"]) == close((r, r * r, p))
        drawn = interval(groups, lambda cases: scipy.stats.pearsonr(*zip(*cases, strict=True))[0] ** 2)
        assert (row["low"], row["high"]) == close(drawn)
        assert row["published"] == close(published.get((row["metric"], row["against"]), np.nan))
    tests = found["set_comparisons"]
    assert tests.groupby("against", sort=False).size().to_dict() == {"mean": 1, "std": 15, "absolute": 15}
    r2 = found["sets"].set_index(["against", "metric"])["r2"]
    for row in tests[tests["n"] == 15].to_dict("records"):
        difference = r2[row["against"], row["first"]] - r2[row["against"], row["second"]]
        assert row["difference"] == pytest.approx(difference, abs=3e-6)


def test_variability(found):
    distributions = [models for models in learned(found).values() if len(models) > 1]
    for row in found["retraining_variability"].to_dict("records"):
        parts = []
        for models in distributions:
            scores = pd.DataFrame([word(found, row["metric"], m) for m in models]).dropna(axis=1).to_numpy()
            if scores.size:
                a, b = scores.std(axis=1)
                parts.append((abs(a - b) / ((a + b) / 2), scores.std(axis=0, ddof=1).mean(), (a + b) / 2))
        parts = np.array([part for part in parts if np.isfinite(part).all()])
        means = parts.mean(axis=0)
        assert (row["distributions"], row["models"]) == (len(parts), len(flat(distributions)))
        assert (row["difference"], row["within_std"], row["between_std"]) == close(tuple(means))
        assert row["noise_ratio"] == close(means[1] / means[2])
        assert (row["low"], row["high"]) == close(interval([[value] for value in parts[:, 0]], np.mean))
    models = flat(learned(found).values())
    for row in found["subsampling_variability"].to_dict("records"):
        table = found["subsets"][row["metric"]].query("model in @models")
        largest = table[["value", "full_value"]].abs().to_numpy()
        b_min, b_max = BOUNDS.get(row["metric"], (0, np.nanmax(largest)))
        change = (table["value"] - table["full_value"]).abs() / (b_max - b_min)
        by_model_ = change.groupby(table["model"]).mean().dropna()
        assert (row["models"], row["relative"]) == (len(by_model_), row["metric"] not in BOUNDS)
        assert (row["deviation"], row["undefined"]) == close((by_model_.mean(), change.isna().mean()))


def test_a_metric_without_its_scores_is_an_error(written, tmp_path):
    with pytest.raises(ValueError, match="shorter"):
        study.tabulate(written | {"scores": written["scores"][:-1]}, tmp_path)
