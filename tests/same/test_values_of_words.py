"""Every column of the tables of words and directions, computed once more from the files by loops, numpy and scipy."""

import numpy as np
import pandas as pd
import pytest
import scipy.stats

from tests.same import study
from tests.same.study import bias, close, flat, interval, kept, sample
from tests.scripted import run

SIGNED = ("weat", "same", "ripa", "unmasking")
SAMPLE = ("weat", "same", "mac", "direct_bias", "ripa", "unmasking")


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    return study.read(study.write(tmp_path_factory.mktemp("words")))


def test_correlations_of_words(found):
    table, models = found["correlations"], found["models"].set_index("model")
    assert list(table["metric"].unique()) == list(SAMPLE)
    assert len(table) == len(models) * (2 * len(SAMPLE) - 1)
    for row in table.to_dict("records"):
        scores, truth = sample(found, row["metric"], row["model"]), bias(found, row["model"], row["against"])
        signed = row["metric"] in SIGNED
        assert row["signed"] == signed
        pairs = [(scores[w], p if signed else abs(0.5 - p)) for w, p in truth.items() if w in scores]
        assert (row["distribution"], row["kept"]) == tuple(models.loc[row["model"], ["distribution", "kept"]])
        assert row["n"] == len(pairs)
        if len(pairs) < 3 or np.ptp(pairs, axis=0)[0] == 0:
            assert np.isnan([row["r"], row["r2"], row["p"]]).all()
        else:
            r, p = scipy.stats.pearsonr(*zip(*pairs, strict=True))
            assert (row["r"], row["r2"], row["p"]) == close((r, r * r, p))


def test_summary_of_the_kept_models(found):
    published = {"weat": 0.41, "mac": 0.04, "direct_bias": 0.13}
    pairs = [(name, against) for name in SAMPLE for against in ("training", "unmasking")][:-1]
    assert [tuple(pair) for pair in found["summary"][["metric", "against"]].to_numpy()] == pairs
    for row in found["summary"].to_dict("records"):
        chosen = found["correlations"]
        chosen = chosen[(chosen["metric"] == row["metric"]) & (chosen["against"] == row["against"])].dropna(subset="r")
        by_model = {r["model"]: r for r in chosen.to_dict("records")}
        groups = [[by_model[m] for m in group if m in by_model] for group in kept(found).values()]
        rows = [r for group in groups for r in group]
        r2 = [[r["r2"] for r in group] for group in groups if group]
        assert row["models"] == len(rows)
        assert (row["r2_mean"], row["r2_std"]) == close((np.mean(flat(r2)), np.std(flat(r2), ddof=1)))
        assert (row["low"], row["high"]) == close(interval(r2, np.mean))
        assert row["signed"] == (row["metric"] in SIGNED)
        sees = [r["p"] < 0.05 and (r["r"] > 0 or not row["signed"]) for r in rows]
        below = np.mean([r["r"] < 0 for r in rows]) if row["signed"] else np.nan
        assert (row["seen"], row["negative"]) == close((np.mean(sees), below))
        assert row["published"] == close(published.get(row["metric"], np.nan))
    assert found["summary"]["negative"].max() > 0


def test_differences_and_angles(found):
    r2 = found["correlations"].query("against == 'training'").set_index(["metric", "model"])["r2"]
    given = found["found_directions"].query("second == 'mean'").set_index("model")["angle"]
    groups = {"similar": [], "between": [], "worse": []}
    models = flat(kept(found).values())
    assert found["differences"]["model"].tolist() == models
    for row in found["differences"].to_dict("records"):
        same, direct = r2["same", row["model"]], r2["direct_bias", row["model"]]
        assert (row["r2_same"], row["r2_direct_bias"]) == close((same, direct))
        assert row["difference"] == close(same - direct)
        assert row["angle"] == close(given[row["model"]])
        group = "similar" if same - direct < 0.25 else "worse" if same - direct > 0.4 else "between"
        assert row["group"] == group if same >= 0.6 else pd.isna(row["group"])
        if same >= 0.6:
            groups[group].append(row["angle"])
    published = {"similar": 10.9, "between": np.nan, "worse": 17.6}
    words = {"similar": "Direct Bias similar (difference < 0.25)", "between": "between (0.25 to 0.4)",
             "worse": "Direct Bias worse (difference > 0.4)"}  # fmt: skip
    assert found["angles"]["group"].tolist() == list(groups)
    for row in found["angles"].to_dict("records"):
        angles = groups[row["group"]]
        assert (row["models"], row["description"]) == (len(angles), words[row["group"]])
        expected = (np.mean(angles), np.std(angles, ddof=1) if len(angles) > 1 else np.nan, published[row["group"]])
        assert (row["angle_mean"], row["angle_std"], row["published"]) == close(expected)
        assert pd.isna(row["note"])


def test_angles_between_all_directions(found):
    table, models = found["found_directions"], flat(kept(found).values())
    assert (table["angle"] > 90).any()
    for row, second in zip(found["directions"].to_dict("records"), ("mean", "he - she"), strict=True):
        values = [a for m, s, a in zip(table["model"], table["second"], table["angle"], strict=True)
                  if s == second and m in models]  # fmt: skip
        values = [min(a, 180 - a) for a in values]
        assert (row["first"], row["second"], row["models"]) == ("principal", second, len(models))
        expected = (np.mean(values), np.std(values, ddof=1), min(values), max(values))
        assert (row["mean"], row["std"], row["min"], row["max"]) == close(expected)


def test_a_metric_without_its_scores_is_an_error(found, tmp_path):
    paths = study.write(tmp_path)
    for script, names in (("correlate", study.FIRST), ("measure_stability", study.SECOND)):
        given = paths | {"directions": paths["found_directions"], "scores": paths["scores"][:-1]}
        params = {"metrics": {name: name for name in study.METRICS}, "bootstrap": 10, "seed": 1}
        with pytest.raises(ValueError, match="argument 2 is shorter"):
            run(f"same/{script}.py", input=given, params=params, output={name: tmp_path / "x" for name in names})
