"""Data packages: tidy tables, types and errors."""

import json

import pandas as pd
import pytest

from biassay import cli
from biassay.interchange import export
from biassay.interchange.command import bibliography
from biassay.report import results as described

TABLES = {
    "same/scores/weat.csv": "model,level,occupation,value\n0,word,nurse,0.250000001\n1,set,,\n",
    "same/scores/same_skew.csv": "model,level,occupation,value\n0,set,,-0.5\n",
    "same/models.csv": "model,distribution,mean,spread,repeat,seed,r2,learned\n0,0,0.3,0.15,0,63064072,0.9,True\n",
    "seeds/2/same/models.csv": "model,distribution,mean,spread,repeat,seed,r2,learned\n0,0,0.3,0.15,0,7,0.1,False\n",
    "downstream/pairs/sentences.csv": "attribute,more\ngender,The nurse said so.\n",
    "logs/x.csv": "nothing\n",
}


@pytest.fixture
def results(tmp_path):
    for path, text in TABLES.items():
        (tmp_path / "results" / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "results" / path).write_text(text)
    return tmp_path / "results"


def test_tables_of_a_kind_become_one_with_values_as_printed(results, tmp_path):
    assert export.write_package(results, tmp_path / "out") == {"same_models": 2, "same_scores": 3}
    assert (tmp_path / "out/same_scores.csv").read_text() == (
        "metric,model,level,occupation,value\nsame_skew,0,set,,-0.5\nweat,0,word,nurse,0.250000001\nweat,1,set,,\n"
    )
    models = pd.read_csv(tmp_path / "out/same_models.csv")
    assert models["run_seed"].isna().tolist() == [True, False]
    assert models["seed"].tolist() == [63064072, 7]


def test_every_column_is_described_and_every_metric_cited(results, tmp_path):
    export.write_package(results, tmp_path / "out")
    description = json.loads((tmp_path / "out/datapackage.json").read_text())
    for resource in description["resources"]:
        names = list(pd.read_csv(tmp_path / "out" / resource["path"], nrows=0).columns)
        assert [field["name"] for field in resource["schema"]["fields"]] == names
        assert all(field["description"] for field in resource["schema"]["fields"])
        assert resource["description"]
    learned = next(field for field in description["resources"][0]["schema"]["fields"] if field["name"] == "learned")
    assert (learned["type"], learned["trueValues"]) == ("boolean", ["True"])
    cited = (tmp_path / "out/references.bib").read_text()
    assert "@article{caliskan2017,\n" in cited  # of weat
    assert "{schroeder2021,\n" in cited  # of same_skew, and of weat, once
    assert cited.count("{schroeder2021,") == 1
    assert "{dev2019," not in cited


def test_parquet_has_the_types(results, tmp_path):
    pytest.importorskip("pyarrow")
    export.write_package(results, tmp_path / "out", form="parquet")
    scores = pd.read_parquet(tmp_path / "out/same_scores.parquet")
    assert [str(kind) for kind in scores.dtypes] == ["string", "Int64", "string", "string", "float64"]
    assert scores["value"].isna().tolist() == [False, False, True]
    assert scores["occupation"].isna().tolist() == [True, False, True]
    assert str(pd.read_parquet(tmp_path / "out/same_models.parquet")["learned"].dtype) == "boolean"


@pytest.mark.parametrize(
    ("path", "text", "message"),
    [
        ("same/bias.csv", "model,mood\n0,1\n", "bias.csv: column 'mood'"),
        ("same/scores/mac.csv", "model,value\nzero,1\n", "same_scores: column 'model': .*integer"),
        ("seeds/3/same/models.csv", "learned\nmaybe\n", "same_models: column 'learned': .*boolean"),
    ],
)
def test_bad_tables_are_named_and_nothing_is_left(results, tmp_path, path, text, message):
    (results / path).parent.mkdir(parents=True, exist_ok=True)
    (results / path).write_text(text)
    with pytest.raises(ValueError, match=message):
        export.write_package(results, tmp_path / "out")
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("table", "column"),
    [("first_order/diagnosis/wiki/factors.csv", "factor_women"), ("first_order/diagnosis/wiki/bands.csv", "n_women"),
     ("downstream/datasheets/talk.csv", "n_texts_christian"), ("downstream/datasheets/talk.csv", "share_christian")],
)  # fmt: skip
def test_groups_may_have_any_name(table, column):
    assert described.find_column(table, column)


def test_the_command_says_what_it_wrote_or_what_is_wrong(results, tmp_path, capsys):
    arguments = ["export", str(tmp_path / "out"), "--results", str(results)]
    assert cli.main(arguments) == 0
    assert capsys.readouterr().out.startswith(f"{tmp_path / 'out'}: 2 tables, 5 rows, datapackage.json")
    assert cli.main(arguments) == 2
    assert str(tmp_path / "out") in capsys.readouterr().err
    assert cli.main(["export", str(tmp_path / "b"), "--results", str(tmp_path / "none")]) == 2
    assert f"{tmp_path / 'none'}: " in capsys.readouterr().err


def test_cite_prints_entries_once_also_of_a_file(tmp_path, capsys):
    assert cli.main(["cite", "weat", "same"]) == 0
    output = capsys.readouterr().out
    assert output.startswith("@article{caliskan2017,\n")
    assert output.count("{schroeder2021,") == 1
    (tmp_path / "mine.py").write_text(
        "from biassay import Level, Metric\n"
        "METRIC = Metric(summary='', source='', word=Level(0, 1), cite=('dev2019',))\n"
        "def word_bias(targets, groups):\n    return targets[:, 0]\n"
    )
    assert cli.main(["cite", str(tmp_path / "mine.py")]) == 0
    assert capsys.readouterr().out.startswith("@inproceedings{dev2019,")
    assert cli.main(["cite", "weet"]) == 2
    assert "unknown metric: weet" in capsys.readouterr().err


def test_variants_go_by_their_metric_and_what_is_unknown_is_told():
    assert bibliography.find_keys(["ripa_pairs"]) == bibliography.find_keys(["ripa"])
    assert bibliography._find_metric("same_skew_2") == "same_skew"  # and not same
    assert bibliography.find_keys(["mine"]) == ([], ["mine"])
    assert bibliography.format_bibtex(["mine"]) == "% No entry for mine.\n"


def test_a_metric_that_a_table_names_by_a_file_is_not_run(results, tmp_path):
    (tmp_path / "mine.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w')\n")
    names = [str(tmp_path / "mine.py"), str(tmp_path / "mine"), "../../mine.py"]
    assert bibliography.find_keys(names) == ([], names)
    (results / "board").mkdir()
    (results / "board/board.csv").write_text(f'metric,criterion\n"{names[0]}\n@misc{{a,}}",power\n')
    export.write_package(results, tmp_path / "out")
    assert not (tmp_path / "ran").exists()
    cited = (tmp_path / "out/references.bib").read_text()
    assert "mine.py" in cited.split("\n")[0]
    assert "\n@misc{a," not in cited
