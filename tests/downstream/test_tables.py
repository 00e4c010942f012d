"""Tables of models, pairs, bias and robustness, through the scripts, against what the models' files hold."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import binomtest

from biassay.metrics import direct_bias, gweat, same, weat
from biassay.studies.downstream import scores, tables
from biassay.studies.downstream.texts import Texts
from tests.downstream import study
from tests.downstream.study import load, one

close = pytest.approx


def test_models(made):
    table = made[1]["models"]
    assert table["name"].tolist() == study.NAMES
    assert table["job"].tolist() == ["tiny"] + ["planted"] * 6 + ["deep"]
    assert table["strength"].dropna().tolist() == study.STRENGTHS
    assert table["seed"].dropna().tolist() == list(range(2**32 - 6, 2**32))  # written in full


def test_pairs_and_which_sentence_is_the_likelier(made, folder):
    shares, differences, pairs = made[1]["shares"], made[1]["differences"], pd.read_csv(folder / "pairs/sentences.csv")
    assert [list(table) for table in (shares, differences)] == [tables.SHARES, tables.DIFFERENCES]
    assert set(shares["model"]) == set(study.NAMES) - {"deep"}  # an encoder expects nothing
    for row in shares.itertuples():
        of = pairs.index[pairs["attribute"] == row.attribute]
        scores = load(folder, row.model, "pairs/sentences/scores")[of]
        values = scores[:, 0] - scores[:, 1]
        more = int((values > 1e-4).sum())
        assert row.share_stereotypical == close(more / 15, abs=1e-5)
        assert (row.n_pairs, row.mean_difference) == (15, close(np.abs(values).mean(), rel=1e-4))
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
        keys = {key: getattr(row, key) for key in ("set", "model", "version", "n_directions")}
        found = one(table, **keys)
        assert (found["bias"], found["is_valid"]) == (close(row.gap, nan_ok=True, rel=1e-5), row.is_valid)
    for row in made[1]["shares"].itertuples():
        found = one(table, set="sentences", attribute=row.attribute, model=row.model)
        expected = ["", 0, close(row.share_stereotypical, rel=1e-5), True]
        assert found[["version", "n_directions", "bias", "is_valid"]].tolist() == expected
    assert len(made[1]["classes"]) == 8 * 2 * 2 * (4 + 2)


def test_reading(tmp_path):
    (tmp_path / "one.csv").write_text(
        "set,n_directions,group_words,bias,is_valid\nbios,1,,0.5,True\n007,0,None,,False\n"
    )
    found = tables.read(tmp_path / "one.csv")
    assert found["group_words"].tolist() == ["", "None"]
    assert found["set"].tolist() == ["bios", "007"]
    assert found["bias"].isna().tolist() == [False, True]
    assert found["is_valid"].tolist() == [True, False]
    (tmp_path / "none.csv").write_text("set,n_directions,value\n")
    assert tables.read(tmp_path / "none.csv")["n_directions"].dtype == float
    (tmp_path / "empty.csv").write_text("")
    with pytest.raises(ValueError, match=r"empty\.csv: broken table"):
        tables.read(tmp_path / "empty.csv")


def test_published_numbers(made):
    ranking, titles = made[1]["ranking"], made[1]["titles"]
    columns = ["ground_truth", "set", "attribute", "version", "score", "published"]
    assert set(ranking.dropna(subset="published")[columns].itertuples(index=False, name=None)) == {
        ("downstream", "biographies", "gender", "scrubbed", "same", 0.66),
        ("downstream", "comments", "race", "scrubbed", "direct_bias", 0.36),
        ("downstream", "sentences", "gender", "", "weat", 1.0),
    }
    found = titles.dropna(subset="published")[["set", "attribute", "metric", "published"]]
    assert found.to_numpy().tolist() == [["biographies", "gender", "same", 0.0454]]


def test_rows_of_the_analysis(made):
    """Models that do not count have no correlation; planted rankings are of vectors that are not debiased."""
    by_class, by_pair, ranking = (made[1][name] for name in ("by_class", "by_pair", "ranking"))
    assert not len(by_class[(by_class["model"] == "tiny") & (by_class["set"] == "biographies")])
    assert set(by_class.loc[by_class["model"] == "planted_5", "n_directions"]) == {1}
    assert by_pair.groupby("metric")["signed"].value_counts().to_dict() == {
        ("same", False): 14, ("same", True): 14, ("weat", False): 14, ("weat", True): 14,
        ("direct_bias", False): 14, ("direct_bias_1", False): 14,
    }  # fmt: skip
    planted = ranking[ranking["ground_truth"] == "planted"]
    assert (planted["group_words"] == "raw").all()
    assert planted["score"].value_counts().to_dict() == {
        "same": 6, "weat": 3, "gweat": 6, "direct_bias": 6, "direct_bias_1": 6, "downstream": 6,
    }  # fmt: skip
    assert set(planted["n_models"]) <= {5, 6}
    assert set(made[1]["robustness"]["n_texts"]) == {10, 4, 6, 2}


MODULES = {"same": same, "weat": weat, "gweat": gweat, "direct_bias": direct_bias, "direct_bias_1": direct_bias}


@pytest.mark.parametrize("metric", study.METRICS)
@pytest.mark.parametrize("name", ["biographies", "comments"])
def test_scores_of_texts(made, folder, metric, name):
    texts, table = Texts.open(folder / "texts" / name), made[1]["scores"]
    table = table[(table["metric"] == metric) & (table["set"] == name)]
    if (metric, name) == ("weat", "comments"):
        assert not len(table)  # three groups
        return
    n = len(texts.classes)
    assert len(table) == 8 * 2 * (3 * (1 + (0 if metric == "gweat" else n)) + 1)
    assert (table["attribute"] == texts.attribute).all()
    module, options = MODULES[metric], study.CHOSEN[metric]["options"]
    groups = study.words_of(folder, "planted_4", texts.attribute)
    assignment = scores.assign_classes(texts.labels, texts.groups, len(groups), study.GROUPINGS[name])
    targets = load(folder, "planted_4", f"texts/{name}/raw")
    debiased, debiased_groups = scores.debias(targets, groups, 1)
    for kind, of_kind in (("raw", groups), ("debiased", debiased_groups)):
        keys = {"model": "planted_4", "version": "raw", "n_directions": 1, "group_words": kind}
        expected = scores.score_texts(module, debiased, of_kind, texts.labels, assignment, options)
        assert one(table, level="set", **keys)["value"] == close(expected, nan_ok=True)
        if metric != "gweat":
            expected = scores.score_classes(module, debiased, of_kind, texts.labels, options)
            found = [one(table, level="class", **keys, **{"class": label})["value"] for label in texts.classes]
            np.testing.assert_allclose(found, expected, atol=1e-8)
    titles = load(folder, "planted_4", f"texts/{name}/titles")
    found = one(table, level="titles", model="planted_4", version="scrubbed")
    expected = scores.score_texts(module, titles, groups, np.eye(n), assignment, options)
    assert found[["n_directions", "group_words", "class", "value"]].tolist() == [0, "raw", "", close(expected)]


@pytest.mark.parametrize("metric", study.METRICS)
def test_scores_of_pairs(made, folder, metric):
    pairs = pd.read_csv(folder / "pairs/sentences.csv", keep_default_na=False)  # a group is called None
    of_sets, of_pairs = (made[1][part][made[1][part]["metric"] == metric] for part in ("scores", "pair_scores"))
    of_sets = of_sets[of_sets["set"] == "sentences"]
    assert len(of_sets) == 8 * (1 if metric == "weat" else 2)
    assert len(of_pairs) == (0 if metric == "gweat" else 8 * 30)
    module, options = MODULES[metric], study.CHOSEN[metric]["options"]
    for attribute, part in pairs.groupby("attribute"):
        groups = dict(zip(study.WORDS[attribute], study.words_of(folder, "planted_2", attribute), strict=True))
        vectors = load(folder, "planted_2", "pairs/sentences/masked")[part.index]
        first, second = (part[f"group_{kind}"].to_numpy() for kind in ("stereotypical", "antistereotypical"))
        of_set, of_each = scores.score_pairs(module, vectors, groups, first, second, options)
        if of_set is not None:
            assert one(of_sets, model="planted_2", attribute=attribute)["value"] == close(of_set)
        if of_each is not None:
            found = of_pairs[(of_pairs["model"] == "planted_2") & (of_pairs["attribute"] == attribute)]
            assert found["pair"].tolist() == part.index.tolist()
            np.testing.assert_allclose(found["value"], of_each, atol=1e-8)
