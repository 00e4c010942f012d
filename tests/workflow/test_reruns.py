"""Jobs that run again after each change in reruns.yaml, and no others."""

import shutil
from pathlib import Path

import pytest
import yaml

from tests.running import ROOT, planned, snakemake

CHANGES = yaml.safe_load((ROOT / "tests/workflow/reruns.yaml").read_text("utf-8"))


@pytest.fixture(scope="module")
def untouched(finished, tmp_path_factory):
    """A finished run, in which tests restore every file."""
    return Path(shutil.copytree(finished, tmp_path_factory.mktemp("untouched") / "project"))


@pytest.mark.parametrize("case", CHANGES, ids=[case["change"] for case in CHANGES])
def test_what_hangs_on_a_change_runs_again_and_nothing_else(untouched, case):
    if "file" not in case:
        for path in untouched.rglob("*"):
            if path.is_file() and ".snakemake" not in path.parts and "results" not in path.parts:
                path.touch()
        assert planned(untouched, config=case.get("config")) == case["jobs"]
        return
    path = untouched / case["file"]
    text = path.read_text("utf-8")
    changed = text + case["append"] if "append" in case else text.replace(case["old"], case["new"], 1)
    assert changed != text
    path.write_text(changed, "utf-8")
    try:
        assert planned(untouched) == case["jobs"]
    finally:
        path.write_text(text, "utf-8")


def test_a_changed_declaration_reruns_a_metric_of_ones_own(project):
    (project / "mine.py").write_text(
        "from biassay import Level, Metric, cosine\n"
        "METRIC = Metric(summary='first', source='mine', word=Level(-1, 1))\n"
        "def word_bias(targets, attributes):\n    return cosine(targets, attributes[0]).mean(axis=1)\n"
    )
    config = {"own_metrics": {"mine": "mine.py"}}
    target = "results/first_order/scores/biased/mine.csv"
    result = snakemake(project, target, config=config)
    assert result.returncode == 0, result.stderr
    for name, jobs in {
        "measurement/metric": 1,
        "numerics/geometry": 1,
        "metrics/weat": 0,
        "measurement/query": 0,
    }.items():
        path = project / f"biassay/{name}.py"
        text = path.read_text()
        path.write_text(text + "\nCHANGED = 1\n")
        assert planned(project, target, config=config).get("score_first_order", 0) == jobs, name
        path.write_text(text)
