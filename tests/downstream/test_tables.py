"""Tables of the study, through the scripts, against what the models' files hold."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import binomtest, pearsonr

from biassay.metrics import direct_bias, gweat, same, weat
from biassay.numerics.statistics import holm
from biassay.studies.downstream import tables
from biassay.studies.downstream.texts import Texts
from biassay.vectors.debias import hard_debias
from tests.downstream import study

close = pytest.approx
MODULES = {"same": same, "weat": weat, "gweat": gweat, "direct_bias": direct_bias, "direct_bias_1": direct_bias}


@pytest.fixture(scope="module")
def folder(made):
    return made[0]["words"].parent


def load(folder, name, part):
    unit = "planted" if name.startswith("planted") else name
    return np.load(folder / "encoded" / unit / name / f"{part}.npy").astype(float)


def terms(folder, name, attribute):
    found, groups = load(folder, name, f"terms/{attribute}"), study.WORDS[attribute]
    return [found[2 * i : 2 * i + 2] for i in range(len(groups))]


def one(table, **keys):
    for key, value in keys.items():
        table = table[table[key] == value]
    assert len(table) == 1, keys
    return table.iloc[0]


def test_models(made):
    table = made[1]["models"]
    assert table["name"].tolist() == study.NAMES
    assert table["unit"].tolist() == ["tiny"] + ["planted"] * 6 + ["deep"]
    assert table["strength"].tolist()[1:7] == study.STRENGTHS
    assert table["strength"].isna().tolist() == [True] + [False] * 6 + [True]
    assert "folder" not in table


def test_pairs_and_which_sentence_is_the_likelier(made, folder):
    shares, differences, pairs = made[1]["shares"], made[1]["differences"], pd.read_csv(folder / "pairs/sentences.csv")
    assert [list(table) for table in (shares, differences)] == [tables.PAIRS, tables.DIFFERENCES]
    assert set(shares["model"]) == set(study.NAMES) - {"deep"}  # an encoder expects nothing
    for row in shares.itertuples():
        of = pairs.index[pairs["attribute"] == row.attribute]
        scores = load(folder, row.model, "pairs/sentences/scores")[of]
        values = scores[:, 0] - scores[:, 1]
        more = int((values > 1e-4).sum())
        assert (row.pairs, row.share, row.mean_difference) == (
            15,
            close(more / 15, abs=1e-5),
            close(np.abs(values).mean(), rel=1e-4),
        )
        assert [row.low, row.high] == close(list(binomtest(more, 15).proportion_ci(method="wilson")), abs=1e-5)
        found = differences[(differences["model"] == row.model) & (differences["attribute"] == row.attribute)]
        assert found["pair"].tolist() == of.tolist()
        np.testing.assert_allclose(found["value"], values, rtol=1e-6, atol=1e-7)
    assert (differences["set"] == "sentences").all()
    assert differences.loc[differences["pair"] == 0, "value"].eq(0).all()


def test_bias_is_of_classifiers_and_of_pairs(made):
    table = made[1]["bias"]
    assert table.columns.tolist() == tables.BIAS
    assert len(table) == 8 * 2 * 2 * 2 + 7 * 2
    for row in made[1]["classifiers"].itertuples():
        keys = {key: getattr(row, key) for key in ("set", "model", "version", "k")}
        found = one(table, **keys)
        assert (found["bias"], found["counts"]) == (close(row.gap, nan_ok=True, rel=1e-5), row.counts)
    for row in made[1]["shares"].itertuples():
        found = one(table, set="sentences", attribute=row.attribute, model=row.model)
        assert found[["version", "k", "bias", "counts"]].tolist() == ["", 0, close(row.share, rel=1e-5), True]
    assert list(made[1]["classifiers"]) == tables.CLASSIFIERS
    assert len(made[1]["classes"]) == 8 * 2 * 2 * (4 + 2)
    assert made[1]["classes"].columns.tolist() == tables.CLASSES


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
    chosen, n = sides(texts, {"biographies": "count", "comments": "share"}[name]), len(texts.classes)
    assert len(table) == 8 * 2 * (3 * (1 + (0 if metric == "gweat" else n)) + 1)
    assert (table["attribute"] == attribute).all()
    for model in ("tiny", "planted_4", "deep"):
        groups = terms(folder, model, attribute)
        for version in ("scrubbed", "raw"):
            targets = load(folder, model, f"texts/{name}/{version}")
            cases = {(0, "raw"): (targets, groups)}
            cases[1, "raw"] = (hard_debias(targets, groups, k=1), groups)
            cases[1, "debiased"] = (cases[1, "raw"][0], [hard_debias(group, groups, k=1) for group in groups])
            for (k, kind), (vectors, attributes) in cases.items():
                keys = {"model": model, "version": version, "k": k, "terms": kind}
                found = one(table, level="set", **keys)
                expected = value(metric, vectors, attributes, texts.labels, chosen)
                assert (found["value"], found["class"]) == (close(expected, nan_ok=True), "")
                for number, label in enumerate(texts.classes if metric != "gweat" else []):
                    of_class = vectors[texts.labels[:, number] == 1]
                    expected = (
                        MODULES[metric].sample_bias(of_class, attributes, **study.CHOSEN[metric]["options"]).mean()
                    )
                    found = one(table, level="class", **keys, **{"class": label})
                    assert found["value"] == close(expected, nan_ok=True, abs=1e-8)
            titles = value(metric, load(folder, model, f"texts/{name}/titles"), groups, np.eye(n), chosen)
            found = one(table, level="titles", model=model, version=version)
            assert found[["k", "terms", "class", "value"]].tolist() == [0, "raw", "", close(titles)]


@pytest.mark.parametrize("metric", study.METRICS)
def test_scores_of_pairs(made, folder, metric):
    pairs, scores, samples = (
        pd.read_csv(folder / "pairs/sentences.csv"),
        *(made[1][part] for part in ("scores", "samples")),
    )
    scores = scores[(scores["metric"] == metric) & (scores["set"] == "sentences")]
    samples = samples[samples["metric"] == metric]
    assert len(scores) == 8 * (1 if metric == "weat" else 2)
    assert len(samples) == (0 if metric == "gweat" else 8 * 30)
    options = study.CHOSEN[metric]["options"]
    for attribute, of in pairs.groupby("attribute"):
        names = list(study.WORDS[attribute])
        groups = terms(folder, "planted_2", attribute)
        vectors = load(folder, "planted_2", "pairs/sentences/masked")[of.index]
        if metric != "gweat":
            found = samples[(samples["model"] == "planted_2") & (samples["attribute"] == attribute)]
            expected = [
                MODULES[metric].sample_bias(vector[None], [groups[names.index(group)] for group in pair], **options)[0]
                for vector, pair in zip(vectors, of[["group_more", "group_less"]].to_numpy(), strict=True)
            ]
            assert found["pair"].tolist() == of.index.tolist()
            np.testing.assert_allclose(found["value"], expected, atol=1e-8)
        if (metric, attribute) != ("weat", "race"):
            found = one(scores, model="planted_2", attribute=attribute, level="set")
            labels = np.array([names.index(group) for group in of["group_more"]])
            of_labels = (labels,) if metric in ("weat", "gweat") else ()
            assert found["value"] == close(MODULES[metric].set_bias(vectors, groups, *of_labels, **options))
            assert found[["version", "k", "terms", "class"]].tolist() == ["", 0, "raw", ""]


def test_subsets_of_the_scrubbed_texts(made, folder):
    table = made[1]["subsets"]
    of_same = table[(table["metric"] == "same") & (table["set"] == "biographies") & (table["model"] == "planted_1")]
    assert of_same[["permutation", "share"]].to_numpy().tolist() == [[i, s] for i in range(3) for s in (0.5, 0.25, 0.1)]
    assert not of_same["regrouped"].any()
    values = np.abs(
        same.sample_bias(load(folder, "planted_1", "texts/biographies/scrubbed"), terms(folder, "planted_1", "gender"))
    )
    assert of_same["value"].between(values.min(), values.max()).all()
    of_weat = table[(table["metric"] == "weat") & (table["model"] == "tiny")]
    assert of_weat["regrouped"].tolist() == [False, True] * 9
    orders = table[(table["metric"] == "same") & (table["set"] == "comments")].groupby("model")["value"].count()
    assert orders.tolist() == [9] * 8


def pairs_of(bias):
    """Who is below and who is above, in plain loops."""
    known = [b for b in bias.values() if np.isfinite(b)]
    low, high = np.mean(known) - np.std(known), np.mean(known) + np.std(known)
    return [(i, j) for i, a in bias.items() for j, b in bias.items() if a < low and b > high]


def right(pairs, score):
    """Ties count half; what debiasing leaves is rounding."""
    ties = [abs(score[j] - score[i]) < 1e-12 for i, j in pairs]
    return (
        np.mean([0.5 if tie else score[j] > score[i] for tie, (i, j) in zip(ties, pairs, strict=True)])
        if pairs
        else np.nan
    )


@pytest.mark.parametrize("metric", study.METRICS)
def test_ranking_by_bias_downstream(made, metric):
    ranking, bias = made[1]["ranking"], made[1]["bias"]
    scores = made[1]["scores"]
    scores = scores[(scores["metric"] == metric) & (scores["level"] == "set")]
    rows = ranking[(ranking["truth"] == "downstream") & (ranking["score"] == metric)]
    assert len(rows) == (5 if metric == "weat" else 10)
    for row in rows.itertuples():
        of = scores[(scores["set"] == row.set) & (scores["attribute"] == row.attribute)
                    & (scores["version"] == row.version)]  # fmt: skip
        of = of[(of["terms"] == row.terms) | (of["k"] == 0)]
        score = {(s.model, s.k): abs(s.value) for s in of.itertuples()}
        of = bias[(bias["set"] == row.set) & (bias["attribute"] == row.attribute) & (bias["version"] == row.version)]
        known = {(b.model, b.k): b.bias if b.counts else np.nan for b in of.itertuples()}
        pairs = pairs_of(known)
        assert row.pairs == len(pairs)
        undefined = any(np.isnan(score[case]) for pair in pairs for case in pair)
        assert row.accuracy == close(np.nan if undefined else right(pairs, score), nan_ok=True, rel=1e-5)
        assert (row.fewer, row.more) == (len({i for i, _ in pairs}), len({j for _, j in pairs}))
        assert row.cases == sum(map(np.isfinite, known.values()))
        assert row.models == len({model for (model, _), b in known.items() if np.isfinite(b)})


def test_ranking_by_planted_strength(made):
    ranking, bias, scores = (made[1][name] for name in ("ranking", "bias", "scores"))
    strength = dict(zip(study.UNITS["planted"], study.STRENGTHS, strict=True))
    rows = ranking[ranking["truth"] == "planted"]
    assert (rows["terms"] == "raw").all()
    assert rows["score"].value_counts().to_dict() == {"same": 6, "weat": 3, "gweat": 6, "direct_bias": 6,
                                                      "direct_bias_1": 6, "downstream": 6}  # fmt: skip
    for row in rows.itertuples():
        keys = {"set": row.set, "attribute": row.attribute, "version": row.version, "k": 0}
        table = (
            bias[bias["counts"]]
            if row.score == "downstream"
            else scores[(scores["metric"] == row.score) & (scores["level"] == "set") & (scores["terms"] == "raw")]
        )
        for key, chosen in keys.items():
            table = table[table[key] == chosen]
        values = table.set_index("model")["bias" if row.score == "downstream" else "value"].abs().to_dict()
        used = [name for name in strength if name in values]
        pairs = [(i, j) for i in used for j in used if strength[i] < strength[j]]
        lacks = row.score == "downstream" and row.set != "sentences"  # the classifier of one does not count
        assert row.pairs == len(pairs) == (8 if lacks else 12)
        assert row.accuracy == close(right(pairs, values), rel=1e-5)


def test_corrected_p_and_published_values(made):
    table = made[1]["ranking"]
    for _, of in table.groupby("truth"):
        np.testing.assert_allclose(of["p_holm"], holm(of["p"].to_numpy()), rtol=1e-4)
    known = table.dropna(subset="published")
    found = {(row.truth, row.set, row.attribute, row.version, row.score, row.published) for row in known.itertuples()}
    assert found == {
        ("downstream", "biographies", "gender", "scrubbed", "same", 0.66),
        ("downstream", "comments", "race", "scrubbed", "direct_bias", 0.36),
        ("downstream", "sentences", "gender", "", "weat", 1.0),
    }


def test_correlations(made):
    by_class, by_pair, classes = (made[1][name] for name in ("by_class", "by_pair", "classes"))
    assert not len(by_class[(by_class["model"] == "tiny") & (by_class["set"] == "biographies")])  # it does not count
    assert set(by_class.loc[by_class["model"] == "planted_5", "k"]) == {1}
    scores = made[1]["scores"]
    scores = scores[(scores["level"] == "class") & (scores["set"] == "biographies") & (scores["model"] == "planted_3")]
    classes = classes[(classes["set"] == "biographies") & (classes["model"] == "planted_3")]
    for row in by_class[(by_class["model"] == "planted_3") & (by_class["set"] == "biographies")].itertuples():
        same_kind = [(table["version"] == row.version) & (table["k"] == row.k) for table in (scores, classes)]
        x = scores[same_kind[0] & (scores["metric"] == row.metric) & (scores["terms"] == row.terms)]
        y = classes[same_kind[1]].set_index("class").loc[x["class"]]
        if row.classes == "large":
            x, y = x[~y["too_small"].to_numpy()], y[~y["too_small"]]
        assert row.signed == (row.metric in ("same", "weat"))
        if x["value"].notna().all():
            assert row.r == close(pearsonr(x["value"], y["gap"] if row.signed else y["gap"].abs())[0], rel=1e-4)
        else:
            assert np.isnan(row.r)
    assert by_pair.groupby("metric")["signed"].value_counts().to_dict() == {
        ("same", False): 14, ("same", True): 14, ("weat", False): 14, ("weat", True): 14,
        ("direct_bias", False): 14, ("direct_bias_1", False): 14,
    }  # fmt: skip


def test_the_spread_of_correlations(made):
    table = made[1]["correlations"]
    raw = {"classes": made[1]["by_class"], "pairs": made[1]["by_pair"]}
    assert set(table["over"]) == set(raw)
    for row in table.itertuples():
        of = raw[row.over]
        keys = ["set", "attribute", "metric"] + (
            ["version", "k", "terms", "classes"] if row.over == "classes" else ["signed"]
        )
        for key in keys:
            of = of[
                of[key].astype(str) == str(of[key].dtype.type(getattr(row, key)) if key == "k" else getattr(row, key))
            ]
        r = of.dropna(subset="r")["r"]
        assert [row.models, row.median, row.lower] == close([len(r), r.median(), r.quantile(0.25)], rel=1e-4)
        assert row.significant == (of["p"] < 0.05).sum()


def test_sets_and_cases(made):
    sets, cases = made[1]["sets"], made[1]["cases"]
    for row in sets.itertuples():
        of = cases[(cases["set"] == row.set) & (cases["attribute"] == row.attribute) & (cases["version"] == row.version)
                   & (cases["terms"] == row.terms) & (cases["metric"] == row.metric)]  # fmt: skip
        known = of[pd.to_numeric(of["bias"]).notna() & of["value"].notna()]
        assert (row.cases, row.models) == (len(known), known["model"].nunique())
        if np.isfinite(row.r):
            assert row.r == close(pearsonr(known["value"], known["bias"])[0], abs=1e-4)
    assert (cases["value"].dropna() >= 0).all()


def test_robustness_and_titles(made):
    robustness, titles, subsets, scores = (made[1][name] for name in ("robustness", "titles", "subsets", "scores"))
    assert set(robustness["texts"]) == {10, 4, 6, 2}
    for row in [*robustness.itertuples(), *titles.itertuples()]:
        share = getattr(row, "share", 0.5)
        again = getattr(row, "regrouped", False)
        level = "set" if hasattr(row, "share") else "titles"
        of = subsets[(subsets["metric"] == row.metric) & (subsets["set"] == row.set) & (subsets["share"] == share)
                     & (subsets["regrouped"] == again)]  # fmt: skip
        whole = scores[(scores["metric"] == row.metric) & (scores["set"] == row.set) & (scores["level"] == level)
                       & (scores["version"] == "scrubbed") & (scores["k"] == 0)]  # fmt: skip
        whole = whole.set_index("model")["value"]
        far = (of["value"].to_numpy() - whole.loc[of["model"]].to_numpy()) / (4 if row.metric == "weat" else 1)
        known = np.abs(far[np.isfinite(far)])
        assert [row.mean, row.std] == close(
            [known.mean(), known.std()] if len(known) else [np.nan] * 2, rel=1e-4, nan_ok=True
        )
        assert row.undefined == close(np.isnan(far).mean(), rel=1e-4)
    found = titles.dropna(subset="published")[["set", "attribute", "metric", "published"]]
    assert found.to_numpy().tolist() == [["biographies", "gender", "same", 0.0454]]


@pytest.mark.bad_input("tables of the study", "a column that lacks is named, and those that there are")
def test_reading(tmp_path):
    (tmp_path / "one.csv").write_text("set,k,terms,value,bias,counts\nbios,1,,,0.5,True\n007,0,raw,2,,False\n")
    found = tables.read(tmp_path / "one.csv", ["set", "bias"])
    assert found["terms"].tolist() == ["", "raw"]
    assert found["set"].tolist() == ["bios", "007"]
    assert found[["value", "bias"]].isna().to_numpy().tolist() == [[True, False], [False, True]]
    assert found["counts"].tolist() == [True, False]
    (tmp_path / "none.csv").write_text("set,k,value\n")
    assert tables.read(tmp_path / "none.csv", [])["k"].dtype == float
    with pytest.raises(
        ValueError, match=r"one.csv: lacks the columns class, gap; it has set, k, terms, value, bias, counts$"
    ):
        tables.read(tmp_path / "one.csv", ["set", "class", "gap"])
