"""The data dictionary: locations of tables, columns, and the page made from it."""

import os
import subprocess
import sys

import pytest

from biassay.interchange import dictionary
from tests.running import ROOT


@pytest.mark.parametrize(
    ("path", "pattern", "names"),
    [
        ("same/scores/weat.csv", "same/scores/{metric}.csv", {"metric": "weat"}),
        (
            "silhouette/planted/tests/ect.csv",
            "silhouette/{pair}/tests/{metric}.csv",
            {"pair": "planted", "metric": "ect"},
        ),
        ("seeds/2/same/scores/weat.csv", "same/scores/{metric}.csv", {"run_seed": "2", "metric": "weat"}),
        ("seeds/ranking/summary.csv", "seeds/{table}/summary.csv", {"table": "ranking"}),
        ("same/findings.csv", "{study}/findings.csv", {"study": "same"}),
        ("same/none.csv", "same/none.csv", {}),
    ],
)
def test_a_path_tells_the_kind_of_its_table(path, pattern, names):
    location = dictionary.locate(path)
    assert (location.pattern, location.names) == (pattern, names)


@pytest.mark.parametrize(
    ("path", "name", "expected"),
    [
        ("same/tables/summary.csv", "spread", "planted"),  # the stage's, not the common one
        ("same/tables/summary.csv", "metric", "metric, by its file's name"),
        ("same/findings.csv", "n", "what and how many"),  # an exception
        ("intrinsic/models.csv", "model", "number of a model"),
        ("silhouette/planted/robustness.csv", "gender groups, biased", "the same score on the model"),
        ("seeds/correlations/summary.csv", "statistics", "percentages of women"),  # of another stage's table
    ],
)
def test_the_nearest_description_of_a_column_holds(path, name, expected):
    assert expected in dictionary.find_column(path, name).about


def test_what_is_missing_is_named(tmp_path):
    (tmp_path / "same").mkdir()
    (tmp_path / "logs").mkdir()
    (tmp_path / "same/new.csv").write_text("metric,speed\n")
    (tmp_path / "same/models.csv").write_text("model,mood\n")
    (tmp_path / "logs/x.csv").write_text("nothing\n")
    assert dictionary.find_undescribed(tmp_path) == ["same/models.csv: mood", "same/new.csv", "same/new.csv: speed"]


def test_a_description_that_is_none_is_refused():
    with pytest.raises(ValueError, match=r"d\.yaml: same\.r: .*numbers \| \| r"):
        dictionary._parse_columns("d.yaml", "same", {"r": "numbers | | r"})


def test_every_table_has_a_stage_and_every_description_is_of_use():
    content = dictionary.read()
    stages = {path.split("/")[0] for path in content["tables"]} - {"{study}"}
    assert stages == set(content["stages"])
    assert all(path in content["tables"] for path in content["exceptions"])
    for stage, columns in content["stages"].items():
        repeated = [name for name, column in columns.items() if content["common"].get(name) == column]
        assert not repeated, stage


def test_the_page_is_that_of_the_dictionary(tmp_path):
    subprocess.run(
        [sys.executable, ROOT / "docs/write_dictionary.py", tmp_path / "page.md"],
        check=True,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
    )
    assert (tmp_path / "page.md").read_text() == (ROOT / "docs/data_dictionary.md").read_text()
