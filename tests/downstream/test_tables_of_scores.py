"""The study's tables of scores, through the script, against the metrics on what the models' files hold."""

import numpy as np
import pandas as pd
import pytest

from biassay.metrics import direct_bias, gweat, same, weat
from biassay.statistics.seeds import seed_of
from biassay.studies.downstream.scores import Vectors, score_subsets
from biassay.studies.downstream.texts import Texts
from biassay.vectors.debias import hard_debias
from tests.downstream import study
from tests.downstream.study import load, one, words_of

close = pytest.approx
MODULES = {"same": same, "weat": weat, "gweat": gweat, "direct_bias": direct_bias, "direct_bias_1": direct_bias}


def sides(texts, grouping):
    """The classes of each group, in plain loops."""
    n, c = len(texts.names), len(texts.classes)
    counts = [[int(texts.labels[texts.groups == g, i].sum()) for i in range(c)] for g in range(n)]
    shares = [[counts[g][i] / (texts.groups == g).sum() for i in range(c)] for g in range(n)]
    of = counts if grouping == "count" else shares
    chosen = [max(range(n), key=lambda g, i=i: (of[g][i], -g)) for i in range(c)]
    found = list(enumerate(chosen))
    for g in range(n):
        if g not in chosen:
            found.append((max(range(c), key=lambda i, g=g: (shares[g][i], -i)), g))
    return found


def value(metric, vectors, groups, labels, chosen):
    module, options = MODULES[metric], study.CHOSEN[metric]["options"]
    if metric not in ("weat", "gweat"):
        return module.set_bias(vectors, groups, **options)
    rows = [(row, group) for number, group in chosen for row in np.flatnonzero(labels[:, number])]
    return module.set_bias(vectors[[row for row, _ in rows]], groups, np.array([group for _, group in rows]))


@pytest.mark.parametrize("metric", study.METRICS)
@pytest.mark.parametrize("name", ["biographies", "comments"])
def test_scores_of_texts(made, folder, metric, name):
    texts, attribute = Texts.open(folder / "texts" / name), study.OF[name]
    table = made[1]["scores"]
    table = table[(table["metric"] == metric) & (table["set"] == name)]
    if (metric, name) == ("weat", "comments"):
        assert not len(table)  # three groups
        return
    chosen, n = sides(texts, study.GROUPINGS[name]), len(texts.classes)
    assert len(table) == 8 * 2 * (3 * (1 + (0 if metric == "gweat" else n)) + 1)
    assert (table["attribute"] == attribute).all()
    for model in ("tiny", "planted_4", "deep"):
        groups = words_of(folder, model, attribute)
        for version in ("scrubbed", "raw"):
            targets = load(folder, model, f"texts/{name}/{version}")
            cases = {(0, "raw"): (targets, groups)}
            cases[1, "raw"] = (hard_debias(targets, groups, n_directions=1), groups)
            cases[1, "debiased"] = (
                cases[1, "raw"][0],
                [hard_debias(group, groups, n_directions=1) for group in groups],
            )
            for (k, kind), (vectors, attributes) in cases.items():
                keys = {"model": model, "version": version, "n_directions": k, "group_words": kind}
                found = one(table, level="set", **keys)
                expected = value(metric, vectors, attributes, texts.labels, chosen)
                assert (found["value"], found["class"]) == (close(expected, nan_ok=True), "")
                for number, label in enumerate(texts.classes if metric != "gweat" else []):
                    of_class = vectors[texts.labels[:, number] == 1]
                    expected = MODULES[metric].word_bias(of_class, attributes, **study.CHOSEN[metric]["options"]).mean()
                    found = one(table, level="class", **keys, **{"class": label})
                    assert found["value"] == close(expected, nan_ok=True, abs=1e-8)
            titles = value(metric, load(folder, model, f"texts/{name}/titles"), groups, np.eye(n), chosen)
            found = one(table, level="titles", model=model, version=version)
            assert found[["n_directions", "group_words", "class", "value"]].tolist() == [0, "raw", "", close(titles)]


@pytest.mark.parametrize("metric", study.METRICS)
def test_scores_of_pairs(made, folder, metric):
    pairs, scores, samples = (
        pd.read_csv(folder / "pairs/sentences.csv", keep_default_na=False),  # a group is called None
        *(made[1][part] for part in ("scores", "pair_scores")),
    )
    scores = scores[(scores["metric"] == metric) & (scores["set"] == "sentences")]
    samples = samples[samples["metric"] == metric]
    assert len(scores) == 8 * (1 if metric == "weat" else 2)
    assert len(samples) == (0 if metric == "gweat" else 8 * 30)
    options = study.CHOSEN[metric]["options"]
    for attribute, of in pairs.groupby("attribute"):
        names = list(study.WORDS[attribute])
        groups = words_of(folder, "planted_2", attribute)
        vectors = load(folder, "planted_2", "pairs/sentences/masked")[of.index]
        if metric != "gweat":
            found = samples[(samples["model"] == "planted_2") & (samples["attribute"] == attribute)]
            expected = [
                MODULES[metric].word_bias(vector[None], [groups[names.index(group)] for group in pair], **options)[0]
                for vector, pair in zip(
                    vectors, of[["group_stereotypical", "group_antistereotypical"]].to_numpy(), strict=True
                )
            ]
            assert found["pair"].tolist() == of.index.tolist()
            np.testing.assert_allclose(found["value"], expected, atol=1e-8)
        if (metric, attribute) != ("weat", "race"):
            found = one(scores, model="planted_2", attribute=attribute, level="set")
            labels = np.array([names.index(group) for group in of["group_stereotypical"]])
            of_labels = (labels,) if metric in ("weat", "gweat") else ()
            assert found["value"] == close(MODULES[metric].set_bias(vectors, groups, *of_labels, **options))
            assert found[["version", "n_directions", "group_words", "class"]].tolist() == ["", 0, "raw", ""]


def test_subsets_of_the_scrubbed_texts(made, folder):
    table = made[1]["subsets"]
    of_same = table[(table["metric"] == "same") & (table["set"] == "biographies") & (table["model"] == "planted_1")]
    assert of_same[["permutation", "share"]].to_numpy().tolist() == [[i, s] for i in range(3) for s in (0.5, 0.25, 0.1)]
    assert not of_same["regrouped"].any()
    of_weat = table[(table["metric"] == "weat") & (table["model"] == "tiny")]
    assert of_weat["regrouped"].tolist() == [False, True] * 9
    orders = table[(table["metric"] == "same") & (table["set"] == "comments")].groupby("model")["value"].count()
    assert orders.tolist() == [9] * 8
    for metric, name in (("same", "biographies"), ("gweat", "comments")):
        vectors = Vectors(load(folder, "deep", f"texts/{name}/scrubbed"), words_of(folder, "deep", study.OF[name]))
        texts, grouping = Texts.open(folder / "texts" / name), study.GROUPINGS[name]
        drawn = score_subsets(MODULES[metric], vectors, texts, grouping, {}, [0.5, *study.SHARES], study.PERMUTATIONS,
                               seed=seed_of(study.SEED, 42))  # fmt: skip
        found = table[(table["metric"] == metric) & (table["set"] == name) & (table["model"] == "deep")]
        found = found[["share", "permutation", "regrouped", "value"]].to_numpy(float)
        np.testing.assert_allclose(found, np.array(list(drawn), float), atol=1e-8)


def test_the_groupings_of_the_small_study_differ(folder):
    """Else the tests here would not see which of them a set of texts is scored with."""
    for name, grouping in study.GROUPINGS.items():
        other = {"count": "share", "share": "count"}[grouping]
        texts = Texts.open(folder / "texts" / name)
        assert sorted(sides(texts, grouping)) != sorted(sides(texts, other)), name


def test_seeds_of_models_are_written_whole(made):
    assert made[1]["models"]["seed"].dropna().tolist() == list(range(2**32 - 6, 2**32))
