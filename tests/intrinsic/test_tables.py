"""The tables that the study's script makes of small models: keys, gaps, published values and sampled numbers."""

from functools import partial
from itertools import combinations
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from scipy.spatial.distance import jensenshannon
from scipy.stats import pearsonr

from biassay.measurement import metric, occupation_embeddings
from biassay.statistics import paired_tests
from biassay.statistics.intervals import interval_of_mean
from biassay.studies.intrinsic import agreement, tables
from biassay.studies.intrinsic.templates import compare_rankings
from tests.intrinsic import study

close = partial(pytest.approx, rel=1e-4, abs=2e-6, nan_ok=True)  # files have six figures
BIASES = ["data", "unmasking"]
CLUSTERS = np.repeat(range(6), 2)


def select(table, **keys):
    return table[(table[list(keys)] == list(keys.values())).all(axis=1)]


def divergences(found, attribute, bias, model):
    """Jensen–Shannon divergence of each occupation's groups from equal ones, in nats."""
    p = select(found["bias"], model=model, attribute=attribute)[bias].to_numpy().reshape(study.N, -1)
    return np.array([jensenshannon(row, np.full(len(row), 1 / len(row))) ** 2 for row in p])


def word_scores(found, metric, attribute, model):
    return select(found[metric], attribute=attribute, level="word", model=model)["value"].to_numpy()


def correlations(found):
    """r by attribute, pair and model."""
    return found["correlations"].set_index(["attribute", "first", "second", "model"])["r"].sort_index()


def test_words(found):
    table, r = found["words"], correlations(found)
    pairs = [(attribute, *pair) for attribute, names in study.WORDS.items()
             for pair in combinations([*BIASES, *names], 2)]  # fmt: skip
    assert [tuple(key) for key in table[["attribute", "first", "second"]].to_numpy()] == pairs
    scores = word_scores(found, "weat", "gender", 3)
    known = np.isfinite(scores)
    expected = pearsonr(divergences(found, "gender", "data", 3)[known], np.abs(scores[known]))[0]
    assert r["gender", "data", "weat", 3] == close(expected)
    religion = divergences(found, "religion", "unmasking", 5), word_scores(found, "same", "religion", 5)
    assert r["religion", "unmasking", "same", 5] == close(pearsonr(*religion)[0])
    assert np.isnan([r["gender", "data", "same", 6], r["gender", "mac", "direct_bias_published", 4]]).all()
    for row in table.to_dict("records"):
        values = r[row["attribute"], row["first"], row["second"]].to_numpy()
        known = np.isfinite(values)
        assert (row["models"], row["n"]) == (known.sum(), study.N)
        assert (row["r_mean"], row["r_std"]) == close((values[known].mean(), values[known].std(ddof=1)))
        low_high = interval_of_mean(values[known], CLUSTERS[known], study.RESAMPLES, study.SEED)
        assert (row["low"], row["high"]) == close(tuple(low_high))
    is_shown = (table["first"] == "data") & (table["second"] == "unmasking")
    assert table["published_max"].fillna(0).tolist() == (0.7 * is_shown).tolist()


def test_comparisons_of_words(found):
    tests, r = found["comparisons"].set_index(["attribute", "against", "first", "second"]), correlations(found)
    pairs = [(attribute, bias, *pair) for attribute, names in study.WORDS.items() for bias in BIASES
             for pair in combinations(names, 2)]  # fmt: skip
    assert tests.index.tolist() == pairs
    assert set(tests["clusters"]) == {6}
    for (attribute, against, first, second), difference in tests["difference"].items():
        expected = (r[attribute, against, first] - r[attribute, against, second]).mean()
        assert difference == pytest.approx(expected, abs=3e-5)


def test_comparisons_of_attributes(found):
    tests, names = found["attribute_comparisons"], ["unmasking", *study.SEVERAL]
    keys = [("r", name) for name in names] + [("share_of_upper_bound", name) for name in names[1:]]
    assert list(zip(tests["statistic"], tests["metric"], strict=True)) == keys
    r = found["correlations"].query("first == 'data'").pivot(index="model", columns=["second", "attribute"], values="r")
    for row in tests.itertuples():
        known = r[row.metric].notna().all(axis=1)
        means, bounds = r[known][row.metric].mean(), r[known]["unmasking"].mean()
        means = means / bounds if row.statistic != "r" else means
        assert (row.first, row.second, row.n) == ("gender", "religion", known.sum())
        assert row.difference == close(means["gender"] - means["religion"])


def simulate_attributes(shares, random, n_distributions=10):
    """Correlations of two models per distribution, with upper bounds of .9 and .6 and the metric's shares of them."""
    parts, distributions = [], np.arange(n_distributions).repeat(2)
    for attribute, bound, share in zip(study.GROUPS, (0.9, 0.6), shares, strict=True):
        common, own = random.normal(0, 0.1, (2, n_distributions)).repeat(2, axis=1), random.normal(0, 0.05, (2, 20))
        upper = bound + common[0] + own[0]
        for name, r in (("unmasking", upper), ("m", share * upper + common[1] + own[1])):
            columns = {"first": "data", "second": name, "attribute": attribute, "model": range(20), "r": r}
            parts.append(pd.DataFrame(columns | {"distribution": distributions}))
    return pd.concat(parts)


@pytest.mark.parametrize(("shares", "null"), [((0.5, 0.5), "share_of_upper_bound"), ((0.4, 0.6), "r")])
def test_rates_of_the_tests_between_attributes(shares, null, monkeypatch):
    """At most as many p ≤ .05 as chance gives (binomial limits, 100 runs) for what is equal, more for what is not."""
    compare = partial(paired_tests.compare_means, n_resamples=399)
    monkeypatch.setattr(agreement.paired_tests, "compare_means", compare)
    groups = SimpleNamespace(groups=study.GROUPS.get)
    random, p = np.random.default_rng(5), {"r": [], "share_of_upper_bound": []}
    for _ in range(100):
        tests = agreement.compare_attributes(groups, simulate_attributes(shares, random), 1)
        for row in tests[tests["metric"] == "m"].itertuples():
            p[row.statistic].append(row.p)
    for statistic, values in p.items():
        rate = np.mean(np.array(values) <= 0.05)
        assert rate <= 0.12 if statistic == null else rate >= 0.5
        assert rate >= 0.01


def test_only_attributes_of_two_groups_are_compared_with_others():
    groups, random = {"a": "12", "b": "123", "c": "1234", "d": "12"}, np.random.default_rng(1)
    parts = [simulate_attributes((0.5, 0.5), random).query("attribute == 'gender'").assign(attribute=a) for a in groups]
    table, names = pd.concat(parts), SimpleNamespace(groups=groups.get)
    tests = agreement.compare_attributes(names, table[(table["second"] != "m") | (table["attribute"] != "c")], 1)
    pairs = tests.query("metric == 'm'").groupby("statistic")[["first", "second"]].agg("".join)
    assert (pairs["first"] + pairs["second"]).tolist() == ["abbd"] * 2
    assert tests.query("metric == 'unmasking'")["second"].tolist() == ["b", "c", "d", "d"]
    assert len(agreement.compare_attributes(names, table[table["attribute"] == "b"], 1)) == 0
    alone = agreement.compare_attributes(names, table[table["second"] == "unmasking"], 1)  # it has no upper bound
    assert set(alone["statistic"]) == {"r"}


def test_shares_of_bounds_by_hand():
    values, bounds = pd.DataFrame({"a": [0.2, 0.4], "b": [0.1, 0.3]}), pd.DataFrame({"a": [0.5, 0.7], "b": [-0.2, 0.1]})
    found = agreement.linearise_shares(values, bounds)
    assert found["a"].tolist() == pytest.approx([0.5 + (0.2 - 0.25) / 0.6, 0.5 + (0.4 - 0.35) / 0.6])
    assert found["b"].isna().all()


def test_signs_are_compared_with_the_first_group(found):
    table = found["signs"]
    order = [("data", "unmasking"), ("data", "weat"), ("data", "same"), ("unmasking", "weat"), ("unmasking", "same")]
    assert list(zip(table["first"], table["second"], strict=True)) == order
    assert set(table["attribute"]) == {"gender"}
    models = [model for model in range(12) if model != 6]  # whose scores are equal
    male = select(found["bias"], attribute="gender", group="male").set_index("model")["data"]
    r = [pearsonr(male[model], word_scores(found, "same", "gender", model))[0] for model in models]
    assert table["r_mean"][2] == close(np.mean(r))


def test_sets(found):
    table, tests = found["sets"], found["set_comparisons"]
    keys = [(attribute, kind, *pair) for attribute, names in study.WORDS.items() for kind in ("noisy", "ideal")
            for pair in combinations([*BIASES, *names, "neighbours"], 2)]  # fmt: skip
    assert [tuple(key) for key in table[["attribute", "labels", "first", "second"]].to_numpy()] == keys
    r = table.set_index(["attribute", "labels", "first", "second"])
    data = [divergences(found, "gender", "data", model).mean() for model in range(12)]
    scores = select(found["weat"], level="set", labels="noisy")["value"].abs()
    row = r.loc["gender", "noisy", "data", "weat"]
    assert (row["r"], row["p"]) == close(tuple(pearsonr(data, scores)))
    assert (row["models"], row["distributions"]) == (12, 6)
    assert row["low"] < row["r"] < row["high"]
    counts = table.set_index(["labels", "first", "second"]).loc[("noisy", "data", "neighbours"), "models"]
    assert counts.tolist() == [11, 11]
    for row in tests[tests["n"] == 12].to_dict("records"):
        key = row["attribute"], row["labels"], row["against"]
        difference = r["r"][*key, row["first"]] ** 2 - r["r"][*key, row["second"]] ** 2
        assert row["difference"] == pytest.approx(difference, abs=3e-6)


def test_retraining_variability(found):
    table = found["retraining_variability"].set_index(["attribute", "metric"])
    biases = ["data", "data (root)", "unmasking", "unmasking (root)"]
    assert table.index.tolist() == [(name, key) for name, metrics in study.WORDS.items() for key in [*biases, *metrics]]
    assert set(table["models"]) == {12}
    assert table["difference"].between(table["low"], table["high"]).all()
    assert table["distributions"].to_dict() == {key: 5 if key[1] == "mac" else 6 for key in table.index}
    assert table["published"].dropna().to_dict() == {
        ("gender", "unmasking (root)"): 0.291, ("gender", "weat"): 1.358, ("religion", "direct_bias_published"): 0.486,
    }  # fmt: skip
    assert table["sign_flip_rate"]["gender", "weat"] > 0 == table["sign_flip_rate"]["gender", "data"]


def unmasked(written, model, attribute):
    """p of each occupation, sentence and group, of the stored log-probabilities."""
    return study.shares(np.load(written["folder"] / f"encoded/job {model % 2}/{model}/{attribute}/unmasking.npy"))


def test_templates(written, found):
    whole = found["reliability"].set_index("attribute")
    assert whole["n_sentences"].to_dict() == study.SENTENCES
    assert whole["n_sampled"].tolist() == [6, 4]  # 7 tenths
    assert whole["published"].tolist() == close([np.nan, 0.08])
    in_curve = found["reliability_curve"].set_index(["attribute", "n"]).loc[("religion", 2)]
    for row, n in ((whole.loc["religion"], 4), (in_curve, 2)):
        p = [unmasked(written, model, "religion") for model in range(12)]
        shares = [compare_rankings(of_model, n, study.SAMPLES, seed=study.SEED) for of_model in p]
        changed, other = zip(*shares, strict=True)
        assert (row["models"], row["disagreement"]) == close((12, np.mean(other)))
        assert (row["mean"], row["std"]) == close((np.mean(changed), np.std(changed, ddof=1)))


def test_power(found):
    table = found["power"].set_index(["attribute", "metric", "strength"])
    metrics = ["unmasking", *study.METRICS]
    keys = [(a, m, s) for a in study.GROUPS for m in metrics if (a, m) != ("religion", "weat") for s in (0.4, 1.0)]
    assert table.index.tolist() == keys
    effects = found["min_detectable_effect"]
    assert list(zip(effects["attribute"], effects["metric"], strict=True)) == [key[:2] for key in keys[::2]]
    halves = occupation_embeddings.draw_halves(study.N, study.SUBSETS, seed=study.SEED)
    biased, unbiased = (
        [divergences(found, "gender", "unmasking", model)[halves].mean(axis=1) for model in models]
        for models in (range(15, 18), range(12, 15))
    )
    pairs = [x > y for x in biased for y in unbiased]
    row = table.loc["gender", "unmasking", 0.4]
    assert (row["detection_rate"], row["models"], row["n_subsets"]) == close((np.mean(pairs), 3, study.SUBSETS))
    assert row["divergence"] == close(np.mean([divergences(found, "gender", "data", m) for m in range(15, 18)]))
    assert table.loc["gender", "neighbours", 1.0]["undefined"] == close(3 / study.SUBSETS / 3)
    assert table.loc["gender", "mac", 1.0]["detection_rate"] > 0.8  # below 1 is bias as well
    assert table.loc["gender", "weat", 1.0]["detection_rate"] > 0.8  # on both sides


def test_names_as_they_stand(written, tmp_path):
    """Words that pandas reads as missing values are names here."""
    words = {"occupation 7": "nan", "occupation 3": "None"}
    for name in ("bias", "weat", "mac"):
        table = pd.read_csv(written[name], keep_default_na=False)
        table.replace({"occupation": words}).to_csv(tmp_path / f"{name}.csv", index=False)
    loaded = tables.load_study(str(written["models"]), str(tmp_path / "bias.csv"))
    weat, modules = (
        tables.read_scores(str(tmp_path / "weat.csv")),
        {name: metric.load(name) for name in ("weat", "mac")},
    )
    scores = {"weat": weat, "mac": tables.read_scores(str(tmp_path / "mac.csv"))}
    unsigned, signed = tables.select_word_scores(loaded, scores, modules)
    values = signed["gender"]["weat"]
    assert (list(unsigned["religion"]), values.shape) == (["mac"], (12, 8))
    pd.testing.assert_frame_equal(unsigned["gender"]["weat"], values.abs())
    rows = scores["mac"].query("attribute == 'gender' and level == 'word' and model == 2")
    distances = unsigned["gender"]["mac"].loc[2]  # from 1, the value without bias
    assert sorted(distances.dropna()) == pytest.approx(sorted((rows["value"] - 1).abs().dropna()))
    of_sets = tables.select_set_scores(loaded, scores, modules, {"weat": {}, "mac": {}})["gender", "ideal"]["mac"]
    one = scores["mac"].query("attribute == 'gender' and level == 'set' and model == 2")["value"].iloc[0]
    assert of_sets[2] == pytest.approx(abs(one - 1))
    assert values.columns[:2].tolist() == ["nan", "None"]
    assert values.isna().sum(axis=None) == 1
