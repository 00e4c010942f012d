"""Values of the study's tables, computed again from models, bias, scores and probabilities."""

from itertools import combinations

import numpy as np
import pandas as pd
import pytest
import scipy.stats

from biassay.statistics import paired_tests
from biassay.studies.intrinsic.templates import disagreement, instability
from tests.intrinsic import believable, study
from tests.intrinsic.study import (
    SEED,
    TEMPLATE_DRAWS,
    close,
    correlation,
    distributions,
    divergence,
    probabilities,
    words,
)
from tests.same.study import flat, interval

NAMES = {
    attribute: [
        "data",
        "unmasking",
        *(name for name in believable.METRICS if attribute in believable.WORDS.get(name, [])),
    ]
    for attribute in believable.GROUPS
}
SETS = {
    "gender": ["weat", "same", "mac", "direct_bias_1", "neighbours", "neighbours (leaking)"],
    "religion": ["same", "mac", "direct_bias_1", "neighbours", "neighbours (leaking)"],
}


def magnitudes(found, attribute, name, model):
    """Scores of occupations as they are compared with divergences."""
    signed = attribute in believable.SIGNED.get(name, [])
    return {word: abs(value) if signed else value for word, value in words(found, attribute, name, model).items()}


def test_words(made):
    _, found = made
    pairs = [(attribute, *pair) for attribute, names in NAMES.items() for pair in combinations(names, 2)]
    table = found["words"]
    assert [tuple(key) for key in table[["attribute", "first", "second"]].to_numpy()] == pairs
    by_model = found["correlations"].set_index(["attribute", "first", "second", "model"])["r"]
    for row in table.to_dict("records"):
        key, clusters = (row["attribute"], row["first"], row["second"]), []
        for models in distributions(found).values():
            sides = [[magnitudes(found, key[0], name, model) for name in key[1:]] for model in models]
            r = [correlation(*pair) for pair in sides]
            assert [by_model[(*key, model)] for model in models] == close(r)
            clusters.append([value for value in r if not np.isnan(value)])
        clusters = [cluster for cluster in clusters if cluster]
        r = flat(clusters)
        assert row["models"] == len(r)
        assert (row["r_mean"], row["r_std"]) == close((np.mean(r), np.std(r, ddof=1)))
        assert (row["low"], row["high"]) == close(interval(clusters, np.mean))
    assert set(table["n"]) == {len(believable.OCCUPATIONS)}
    shown = (table["first"] == "data") & (table["second"] == "unmasking")
    assert table["published_max"][shown].tolist() == [0.7] * 2
    assert table["published_max"][~shown].isna().all()


def test_comparisons_of_words(made):
    _, found = made
    families = [(attribute, bias) for attribute in NAMES for bias in ("data", "unmasking")]
    table = found["comparisons"]
    assert [tuple(key) for key in table[["attribute", "against"]].drop_duplicates().to_numpy()] == families
    clusters = found["models"].set_index("model")["distribution"]
    for attribute, against in families:
        r = found["correlations"]
        r = r[(r["attribute"] == attribute) & (r["first"] == against)]
        r = r[~r["second"].isin(["data", "unmasking"])].pivot(index="model", columns="second", values="r")
        values = {name: r[name].to_numpy() for name in NAMES[attribute][2:]}
        expected = paired_tests.compare_means(values, clusters[r.index].to_numpy(), seed=SEED)
        tests = table[(table["attribute"] == attribute) & (table["against"] == against)].reset_index()
        assert tests[["first", "second", "n", "clusters"]].equals(expected[["first", "second", "n", "clusters"]])
        np.testing.assert_allclose(tests[["difference", "p"]].astype(float), expected[["difference", "p"]], atol=3e-5)
        np.testing.assert_allclose(tests["p_holm"], paired_tests.correct_holm(tests["p"].to_numpy(float)), rtol=1e-4)


def test_signs_are_compared_with_the_first_group(made):
    _, found = made
    table = found["signs"]
    order = [("data", "unmasking"), ("data", "weat"), ("data", "same"), ("unmasking", "weat"), ("unmasking", "same")]
    assert list(zip(table["first"], table["second"], strict=True)) == order
    assert set(table["attribute"]) == {"gender"}

    def values(name, model):
        if name in ("data", "unmasking"):
            return {word: p[0] for word, p in probabilities(found, model, "gender", name).items()}
        return words(found, "gender", name, model)

    for row in table.to_dict("records"):
        models = flat(distributions(found).values())
        r = [correlation(*(values(row[side], model) for side in ("first", "second"))) for model in models]
        assert row["r_mean"] == close(np.nanmean(r))
    assert table["r_mean"].min() > 0.5  # scores are positive towards male, the first group


def set_value(found, attribute, kind, name, model):
    """A model's mean divergence, or a score without its sign."""
    if name in ("data", "unmasking"):
        return np.mean([divergence(p) for p in probabilities(found, model, attribute, name).values()])
    metric, _, leaking = name.partition(" ")
    table = found["scores"][metric]
    labels = kind if attribute in believable.LABELLED.get(metric, []) else ""
    rows = table[(table["model"] == model) & (table["attribute"] == attribute) & (table["labels"] == labels)]
    return abs(rows[rows["level"] == ("leaking" if leaking else "set")]["value"].item())


def test_sets(made):
    _, found = made
    keys = [(attribute, kind, *pair) for attribute, names in SETS.items() for kind in ("noisy", "ideal")
            for pair in combinations(["data", "unmasking", *names], 2)]  # fmt: skip
    table = found["sets"]
    assert [tuple(key) for key in table[["attribute", "labels", "first", "second"]].to_numpy()] == keys
    for row in table[::3].to_dict("records"):
        groups = [[[set_value(found, row["attribute"], row["labels"], row[side], m) for side in ("first", "second")]
                   for m in models] for models in distributions(found).values()]  # fmt: skip
        groups = [[case for case in group if np.isfinite(case).all()] for group in groups]
        assert (row["models"], row["distributions"]) == (len(flat(groups)), sum(map(bool, groups)))
        assert (row["r"], row["p"]) == close(scipy.stats.pearsonr(*zip(*flat(groups), strict=True)))
        drawn = interval([g for g in groups if g], lambda of: scipy.stats.pearsonr(*zip(*of, strict=True))[0])
        assert (row["low"], row["high"]) == close(drawn)
    tests = found["set_comparisons"]
    assert not tests[["first", "second"]].isin(["neighbours (leaking)"]).any(axis=None)
    r2 = table.set_index(["attribute", "labels", "first", "second"])["r"] ** 2
    for row in tests[tests["n"] == 12].to_dict("records"):
        first, second = (r2[row["attribute"], row["labels"], row["against"], row[side]] for side in ("first", "second"))
        assert row["difference"] == pytest.approx(first - second, abs=3e-6)


def test_retraining_variability(made):
    table = made[1]["retraining_variability"]
    biases = ["data", "data (root)", "unmasking", "unmasking (root)"]
    keys = [(attribute, name) for attribute, names in NAMES.items() for name in [*biases, *names[2:]]]
    assert [tuple(key) for key in table[["attribute", "metric"]].to_numpy()] == keys
    assert set(table["distributions"][table["metric"] != "mac"]) == {6}
    assert set(table["distributions"][table["metric"] == "mac"]) == {5}
    published = {("gender", "weat"): 1.358, ("gender", "unmasking (root)"): 0.291, ("religion", "direct_bias_1"): 0.486}
    assert table["published"].tolist() == close([published.get(key, np.nan) for key in keys])
    flips = table.set_index(["attribute", "metric"])["sign_flip_rate"]
    assert flips["gender", "weat"] > 0 == flips["gender", "data"]


def unmasked(made, model, attribute):
    """p of each occupation, sentence and group, of the stored log-probabilities."""
    paths, found = made
    chunk = found["plan"].set_index("model")["chunk"][model]
    return believable.shares(np.load(paths["folder"] / f"encoded/{chunk}/{model}/{attribute}/unmasking.npy"))


def test_templates(made):
    _, found = made
    grid, whole = flat(distributions(found).values()), found["reliability"]
    drawn = whole.rename(columns={"n_sampled": "n"})[["attribute", "n", "mean", "std", "models", "disagreement"]]
    assert list(zip(drawn["attribute"], drawn["n"], strict=True)) == [("gender", 6), ("religion", 4)]  # 7 tenths
    for row in pd.concat([found["reliability_curve"], drawn]).to_dict("records"):
        p = [unmasked(made, model, row["attribute"]) for model in grid]
        changed = [instability(of, row["n"], TEMPLATE_DRAWS, seed=SEED) for of in p]
        assert row["models"] == 12
        assert (row["mean"], row["std"]) == close((np.mean(changed), np.std(changed, ddof=1)))
        assert row["disagreement"] == close(
            np.mean([disagreement(of, row["n"], TEMPLATE_DRAWS, seed=SEED) for of in p])
        )
    assert whole["n_sentences"].tolist() == list(believable.SENTENCES.values())
    assert whole["published"].tolist() == close([np.nan, 0.08])


def test_two_attributes_at_once(made):
    paths, found = made
    chunks, r, cells = found["plan"].set_index("model")["chunk"], [], []
    for model in flat(distributions(found).values()):
        given = np.exp(np.load(paths["folder"] / f"encoded/{chunks[model]}/{model}/religion/given_gender.npy"))
        given = (given / given.sum(axis=-1, keepdims=True)).mean(axis=1)[:, :-1]
        joint = unmasked(made, model, "gender").mean(axis=1)[:, :, None] * given
        data = [np.array([probabilities(found, model, name, "data")[word] for word in believable.OCCUPATIONS])
                for name in ("gender", "religion")]  # fmt: skip
        planted = data[0][:, :, None] * data[1][:, None]
        r.append(np.corrcoef(joint.ravel(), planted.ravel())[0, 1])
        cells.append((joint.mean(axis=0).ravel(), planted.mean(axis=0).ravel()))
    table = found["intersections"].set_index("statistic")
    assert table.index.tolist() == ["r", "r_product", "r_divergence", "information"]
    assert table.loc["r", "mean"] == close(np.mean(r))
    clusters = [[r[2 * i], r[2 * i + 1]] for i in range(6)]
    assert (table.loc["r", "low"], table.loc["r", "high"]) == close(interval(clusters, np.mean))
    np.testing.assert_allclose(found["joint_groups"][["p_model", "p_data"]], np.mean(cells, axis=0).T, rtol=1e-4)


def test_four_distributions_have_no_intervals(tmp_path):
    believable.write(tmp_path, distributions=4)
    paths = study.tabulate(tmp_path)
    for name in ("words", "signs", "comparisons", "sets", "set_comparisons", "intersections"):
        assert pd.read_csv(paths[name])[["low", "high"]].isna().all(axis=None), name
    assert pd.read_csv(paths["comparisons"])["p"].min() == 2 / 2**4
