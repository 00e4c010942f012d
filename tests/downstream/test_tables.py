"""Tables of models, pairs, bias and robustness, through the scripts, against what the models' files hold."""

import numpy as np
import pandas as pd
import pytest

from biassay.metrics import direct_bias, gweat, same, weat
from biassay.statistics.intervals import interval_of_mean
from biassay.studies.downstream import scores, tables
from biassay.studies.downstream.texts import Texts
from biassay.vectors.debias import hard_debias
from tests.downstream import study
from tests.downstream.study import load

close = pytest.approx


def test_pairs_and_which_sentence_is_the_likelier(made, folder):
    shares, differences, pairs = made[1]["shares"], made[1]["differences"], pd.read_csv(folder / "pairs/sentences.csv")
    assert set(shares["model"]) == set(study.NAMES) - {"deep"}  # an encoder expects nothing
    for row in shares.itertuples():
        of = pairs.index[pairs["attribute"] == row.attribute]
        scores = load(folder, row.model, "pairs/sentences/scores")
        of = of[np.isfinite(scores[of, 0])]
        scores = scores[of]
        values = scores[:, 0] - scores[:, 1]
        preferred = np.where(np.abs(values) < 1e-4, 0.5, values > 0)
        assert row.share_stereotypical == close(preferred.mean(), abs=1e-5)
        assert (row.n_pairs, row.mean_difference) == (len(of), close(np.abs(values).mean(), rel=1e-4))
        clusters = pairs["occupation"][of].to_numpy()
        interval = interval_of_mean(preferred, clusters, study.BOOTSTRAP, study.SEED)
        assert [row.low, row.high] == close(interval, abs=1e-5)
        found = differences[(differences["model"] == row.model) & (differences["attribute"] == row.attribute)]
        assert (found["pair"].tolist(), found["cluster"].tolist()) == (of.tolist(), clusters.tolist())
        np.testing.assert_allclose(found["value"], values, rtol=1e-6, atol=1e-7)
    assert differences.loc[differences["pair"] == 0, "value"].eq(0).all()
    assert sorted(shares["n_pairs"].unique()) == [14, 15]


def test_bias_is_of_classifiers_and_of_pairs(made):
    bias, classifiers, shares = (made[1][name] for name in ("bias", "classifiers", "shares"))
    assert bias.columns.tolist() == tables.BIAS
    of_pairs = shares.rename(columns={"share_stereotypical": "bias"}).assign(version="", n_directions=0, is_valid=True)
    expected = pd.concat([classifiers.rename(columns={"gap": "bias"}), of_pairs])
    keys = ["set", "attribute", "model", "version", "n_directions"]
    both = bias.merge(expected, on=keys, validate="one_to_one")
    assert (bias["floor"] <= bias["floor_high"]).all()
    assert (bias["p"].between(0, 1) | bias["bias"].isna()).all()
    assert bias.loc[bias["bias"].isna(), "p"].isna().all()
    assert len(both) == len(bias) == 8 * 2 * 2 * 2 + 7 * 2
    np.testing.assert_allclose(both["bias_x"], both["bias_y"], rtol=1e-5)
    assert (both["is_valid_x"].astype(bool) == both["is_valid_y"].astype(bool)).all()


def test_reading(tmp_path):
    header = "set,n_directions,group_words,bias,is_valid\n"
    (tmp_path / "one.csv").write_text(f"{header}bios,1,,0.5,True\n007,0,None,,False\n")
    found = tables.read(tmp_path / "one.csv")
    assert found[["group_words", "set"]].to_numpy().tolist() == [["", "bios"], ["None", "007"]]
    assert found["bias"].isna().tolist() == [False, True]
    assert found["is_valid"].tolist() == [True, False]
    (tmp_path / "none.csv").write_text(header)
    assert tables.read(tmp_path / "none.csv")["n_directions"].dtype == float


def test_rows_of_the_analysis(made):
    """Models that do not count have no correlation; planted rankings are of vectors that are not debiased."""
    by_class, by_pair, ranking = (made[1][name] for name in ("by_class", "by_pair", "ranking"))
    assert made[1]["models"]["seed"].dropna().tolist() == list(range(2**32 - 6, 2**32))  # written in full
    assert not len(by_class[(by_class["model"] == "tiny") & (by_class["set"] == "biographies")])
    assert set(by_class.loc[by_class["model"] == "planted_5", "n_directions"]) == {1}
    signs = {name: [False, True] if name in ("same", "weat") else [False] for name in study.METRICS if name != "gweat"}
    assert {name: sorted(of["signed"].unique()) for name, of in by_pair.groupby("metric")} == signs
    columns = ["set", "version", "score", "published"]
    assert set(ranking.dropna(subset="published")[columns].itertuples(index=False, name=None)) == {
        ("biographies", "scrubbed", "same", 0.66),
        ("comments", "scrubbed", "direct_bias", 0.36),
        ("sentences", "", "weat", 1.0),
    }
    assert made[1]["titles"]["published"].dropna().tolist() == [0.0454]
    planted = ranking[ranking["ground_truth"] == "planted"]
    assert (planted["group_words"] == "raw").all()
    assert planted["score"].value_counts().to_dict() == dict.fromkeys(study.METRICS, 6) | {"weat": 3, "downstream": 6}
    assert set(planted["n_models"]) <= {5, 6}
    assert set(made[1]["robustness"]["n_texts"]) == {10, 4, 6, 2}


MODULES = {"same": same, "weat": weat, "gweat": gweat, "direct_bias": direct_bias, "direct_bias_1": direct_bias}


@pytest.mark.parametrize("metric", study.METRICS)
@pytest.mark.parametrize("name", study.SIZES)
def test_scores_of_texts(made, folder, metric, name):
    texts, table = Texts.open(folder / "texts" / name), made[1]["scores"]
    table = table[(table["metric"] == metric) & (table["set"] == name)]
    if (metric, name) == ("weat", "comments"):
        assert not len(table)  # three groups
        return
    n, has_words = len(texts.classes), metric != "gweat"
    assert len(table) == 8 * 2 * (3 * (1 + n * has_words) + 1)
    module, options = MODULES[metric], study.CHOSEN[metric]["options"]
    groups = study.words_of(folder, "planted_4", texts.attribute)
    assignment = scores.assign_classes(texts.labels, texts.groups, len(groups), study.GROUPINGS[name])
    raw = load(folder, "planted_4", f"texts/{name}/raw")
    debiased, *debiased_groups = (hard_debias(part, groups, n_directions=1) for part in (raw, *groups))
    rows = table.query("model == 'planted_4' and version == 'raw' and n_directions == 1")
    for kind, of_kind in (("raw", groups), ("debiased", debiased_groups)):
        expected = [scores.score_texts(module, debiased, of_kind, texts.labels, assignment, options)]
        if has_words:
            expected += list(scores.score_classes(module, debiased, of_kind, texts.labels, options))
        found = rows[rows["group_words"] == kind].set_index(["level", "class"])["value"]
        found = found.loc[[("set", ""), *(("class", label) for label in texts.classes if has_words)]]
        np.testing.assert_allclose(found, expected, rtol=1e-6, atol=1e-8)
    titles = load(folder, "planted_4", f"texts/{name}/titles")
    (value,) = table.query("level == 'titles' and model == 'planted_4' and version == 'scrubbed'")["value"]
    assert value == close(scores.score_texts(module, titles, groups, np.eye(n), assignment, options))


@pytest.mark.parametrize("metric", study.METRICS)
def test_scores_of_pairs(made, folder, metric):
    pairs = pd.read_csv(folder / "pairs/sentences.csv", keep_default_na=False)  # a group is called None
    of_sets, of_pairs = (made[1][part].query(f"metric == '{metric}'") for part in ("scores", "pair_scores"))
    of_sets = of_sets[of_sets["set"] == "sentences"]
    assert len(of_sets) == 8 * (1 if metric == "weat" else 2)
    assert len(of_pairs) == (0 if metric == "gweat" else 8 * 30)
    module, options = MODULES[metric], study.CHOSEN[metric]["options"]
    for attribute, part in pairs.groupby("attribute"):
        groups = dict(zip(study.WORDS[attribute], study.words_of(folder, "planted_2", attribute), strict=True))
        vectors = load(folder, "planted_2", "pairs/sentences/masked")[part.index]
        first, second = (part[f"group_{kind}"].to_numpy() for kind in ("stereotypical", "antistereotypical"))
        of_set, of_each = scores.score_pairs(module, vectors, groups, first, second, options)
        chosen = "model == 'planted_2' and attribute == @attribute"
        assert of_sets.query(chosen)["value"].tolist() == ([] if of_set is None else [close(of_set)])
        found = of_pairs.query(chosen)
        assert found["pair"].tolist() == ([] if of_each is None else part.index.tolist())
        np.testing.assert_allclose(found["value"], [] if of_each is None else of_each, atol=1e-8)
