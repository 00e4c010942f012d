"""Runs from another folder and as a module of another workflow, and paths of their configuration."""

import json
import os
import subprocess
import sys

import pytest

from tests.running import ROOT

PROPERTIES = {"properties": {"metrics": ["mac"], "n_starts": 1}}
MODULE = """
module biassay:
    snakefile: "{root}/Snakefile"
    config: {config}

use rule * from biassay as biassay_*
"""

pytestmark = pytest.mark.slow


def run(folder, *arguments):
    """Run Snakemake in a folder with the library of this checkout; return its output."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "snakemake", "--cores", "2", *arguments]
    result = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    assert result.returncode == 0, result.stdout + result.stderr
    return result.stdout + result.stderr


def test_results_are_written_where_it_runs(tmp_path):
    (tmp_path / "mine.yaml").write_text(json.dumps(PROPERTIES))
    there = ["-s", str(ROOT / "Snakefile"), "--directory", str(tmp_path), "--configfile", str(tmp_path / "mine.yaml")]
    run(ROOT, "properties", *there)
    assert "mac" in (tmp_path / "results/properties/properties.csv").read_text()
    assert "Nothing to be done" in run(tmp_path, "properties", *there)
    run(ROOT, "results/board/properties.html", *there)
    assert "mac" in (tmp_path / "results/board/properties.html").read_text("utf-8")
    assert (tmp_path / "results/corpora").exists() is False
    assert "train_same" in run(tmp_path, "same", "-n", *there)  # the shipped model and lists are found


@pytest.mark.parametrize("prefix", [None, "part"])
def test_the_workflow_is_a_module_of_another(tmp_path, prefix):
    text = MODULE.format(root=ROOT, config=PROPERTIES)
    (tmp_path / "Snakefile").write_text(text.replace("config:", f'prefix: "{prefix}"\n    config:') if prefix else text)
    run(tmp_path, "biassay_properties")
    assert (tmp_path / (prefix or ".") / "results/properties/properties.csv").is_file()
    assert "biassay_train_same" in run(tmp_path, "biassay_all", "-n")
