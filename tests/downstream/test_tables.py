"""Tables of models, pairs, bias and robustness, through the scripts, against what the models' files hold."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import binomtest

from biassay.studies.downstream import tables
from tests.downstream import study
from tests.downstream.stored import load, one

close = pytest.approx


def test_models(made):
    table = made[1]["models"]
    assert table["name"].tolist() == study.NAMES
    assert table["job"].tolist() == ["tiny"] + ["planted"] * 6 + ["deep"]
    assert table["strength"].tolist()[1:7] == study.STRENGTHS
    assert table["strength"].isna().tolist() == [True] + [False] * 6 + [True]
    assert "folder" not in table


@pytest.mark.bad_input("names from data", "no file at such a path is run, read or written")
@pytest.mark.parametrize("name", ["../../x", "/x", "", ".."])
def test_a_models_name_leads_to_no_other_folder(tmp_path, name):
    (tmp_path / "models.csv").write_text(f"name,job,kind\ntiny,tiny,masked\n{name},tiny,masked\n")
    with pytest.raises(ValueError, match=r"models\.csv: (row 2: )?name"):
        tables.read_models([str(tmp_path)])


def test_tables_have_columns_of_their_own_only(made):
    assert not [name for name, table in made[1].items() if any(column.startswith("Unnamed") for column in table)]


def test_pairs_and_which_sentence_is_the_likelier(made, folder):
    shares, differences, pairs = made[1]["shares"], made[1]["differences"], pd.read_csv(folder / "pairs/sentences.csv")
    assert [list(table) for table in (shares, differences)] == [tables.SHARES, tables.DIFFERENCES]
    assert set(shares["model"]) == set(study.NAMES) - {"deep"}  # an encoder expects nothing
    for row in shares.itertuples():
        of = pairs.index[pairs["attribute"] == row.attribute]
        scores = load(folder, row.model, "pairs/sentences/scores")[of]
        values = scores[:, 0] - scores[:, 1]
        more = int((values > 1e-4).sum())
        assert (row.n_pairs, row.share_stereotypical, row.mean_difference) == (
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
        keys = {key: getattr(row, key) for key in ("set", "model", "version", "n_directions")}
        found = one(table, **keys)
        assert (found["bias"], found["is_valid"]) == (close(row.gap, nan_ok=True, rel=1e-5), row.is_valid)
    for row in made[1]["shares"].itertuples():
        found = one(table, set="sentences", attribute=row.attribute, model=row.model)
        assert found[["version", "n_directions", "bias", "is_valid"]].tolist() == [
            "",
            0,
            close(row.share_stereotypical, rel=1e-5),
            True,
        ]
    assert list(made[1]["classifiers"]) == tables.CLASSIFIERS
    assert len(made[1]["classes"]) == 8 * 2 * 2 * (4 + 2)
    assert made[1]["classes"].columns.tolist() == tables.CLASSES


def test_robustness_and_titles(made):
    robustness, titles, subsets, scores = (made[1][name] for name in ("robustness", "titles", "subsets", "scores"))
    assert set(robustness["n_texts"]) == {10, 4, 6, 2}
    for row in [*robustness.itertuples(), *titles.itertuples()]:
        share = getattr(row, "share", 0.5)
        again = getattr(row, "regrouped", False)
        level = "set" if hasattr(row, "share") else "titles"
        of = subsets[(subsets["metric"] == row.metric) & (subsets["set"] == row.set) & (subsets["share"] == share)
                     & (subsets["regrouped"] == again)]  # fmt: skip
        whole = scores[(scores["metric"] == row.metric) & (scores["set"] == row.set) & (scores["level"] == level)
                       & (scores["version"] == "scrubbed") & (scores["n_directions"] == 0)]  # fmt: skip
        whole = whole.set_index("model")["value"]
        far = (of["value"].to_numpy() - whole.loc[of["model"]].to_numpy()) / (4 if row.metric == "weat" else 1)
        known = np.abs(far[np.isfinite(far)])
        assert [row.mean, row.std] == close(
            [known.mean(), known.std()] if len(known) else [np.nan] * 2, rel=1e-4, nan_ok=True
        )
        assert row.share_undefined == close(np.isnan(far).mean(), rel=1e-4)
    found = titles.dropna(subset="published")[["set", "attribute", "metric", "published"]]
    assert found.to_numpy().tolist() == [["biographies", "gender", "same", 0.0454]]


@pytest.mark.bad_input("tables of a study", "the message names the missing column and the existing ones")
def test_reading(tmp_path):
    (tmp_path / "one.csv").write_text(
        "set,n_directions,group_words,value,bias,is_valid\nbios,1,,,0.5,True\n007,0,raw,2,,False\n"
    )
    found = tables.read_table(tmp_path / "one.csv", ["set", "bias"])
    assert found["group_words"].tolist() == ["", "raw"]
    assert found["set"].tolist() == ["bios", "007"]
    assert found[["value", "bias"]].isna().to_numpy().tolist() == [[True, False], [False, True]]
    assert found["is_valid"].tolist() == [True, False]
    (tmp_path / "none.csv").write_text("set,n_directions,value\n")
    assert tables.read_table(tmp_path / "none.csv", [])["n_directions"].dtype == float
    with pytest.raises(
        ValueError,
        match=r"one.csv: lacks the columns class, gap; it has set, n_directions, group_words, value, bias, is_valid$",
    ):
        tables.read_table(tmp_path / "one.csv", ["set", "class", "gap"])
