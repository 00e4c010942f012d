"""`snakemake audit`: one job per model, one page for all, and errors before any job."""

import pandas as pd
import pytest
import yaml

from tests.audit.conftest import OWN
from tests.audit.example_vectors import question, vectors, write
from tests.running import copy_project, planned, snakemake

pytestmark = pytest.mark.slow
QUICK = {"permutations": 99, "resamples": 20, "random_words": 20, "metrics": ["weat", "gweat", "mine"]}


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    folder = tmp_path_factory.mktemp("audit_run")
    copy_project(folder)
    example = question()
    (folder / "lists.yaml").write_text(yaml.safe_dump(dict(example.groups)))
    test = {"groups": [f"lists.yaml:{name}" for name in example.groups], "targets": dict(example.targets)}
    (folder / "ours.yaml").write_text(yaml.safe_dump(test))
    (folder / "mine.py").write_text(OWN)
    write(folder / "planted.txt", vectors(example, 2.5))
    write(folder / "fair.txt", vectors(example, 0.0, seed=5))
    return folder


def config(**changes):
    models = {"planted": {"file": "planted.txt"}, "fair": {"file": "fair.txt"}}
    return {"own_metrics": {"mine": "mine.py"}, "audit": {"models": models, "tests": ["ours.yaml"], **QUICK, **changes}}


def test_a_run_and_what_a_change_runs_again(project):
    result = snakemake(project, "audit", config=config())
    assert result.returncode == 0, result.stderr
    table = pd.read_csv(project / "results/audit/metrics.csv")
    assert set(table["source"]) == {"planted", "fair"}
    assert set(table["metric"]) == {"weat", "gweat", "mine"}
    assert "Comparison" in (project / "results/audit/index.html").read_text()
    own = pd.read_csv(project / "results/audit/planted/metrics.csv")
    pd.testing.assert_frame_equal(own, table[table["source"] == "planted"].reset_index(drop=True))
    assert planned(project, "audit", config=config()) == {}
    write(project / "fair.txt", vectors(question(), 0.0, seed=6))
    again = planned(project, "audit", config=config())
    assert again == {"measure_audit": 1, "join_audits": 1, "audit": 1}
    lists = yaml.safe_load((project / "lists.yaml").read_text())
    (project / "lists.yaml").write_text(yaml.safe_dump({name: words[1:] for name, words in lists.items()}))
    assert planned(project, "audit", config=config())["measure_audit"] == 2


def test_an_audit_needs_models(project):
    result = snakemake(project, "-n", "audit", config=config(models={}))
    assert result.returncode != 0
    assert "audit.models is empty" in result.stdout + result.stderr
