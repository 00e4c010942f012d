"""Runs from another folder and as a module of another workflow, and paths of their configuration."""

import json
import os
import subprocess
import sys

import pytest

from tests.running import ROOT, copy_project

PROPERTIES = {"properties": {"metrics": ["mac"], "n_starts": 1}}
VERDICTS = "results/properties/verdicts/mac.json"  # of the job check_properties_0
MODULE = """
module biassay:
    snakefile: {source}
    config: {config}

use rule * from biassay as biassay_*
"""
PATH = '"workflow/Snakefile"'

pytestmark = pytest.mark.slow


def run(folder, *arguments, **variables):
    """Run Snakemake in a folder with the library of this checkout; return its output."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), **variables}
    command = [sys.executable, "-m", "snakemake", "--cores", "2", *arguments]
    result = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    assert result.returncode == 0, result.stdout + result.stderr
    return result.stdout + result.stderr


def test_results_are_written_where_it_runs(tmp_path):
    (tmp_path / "mine.yaml").write_text(json.dumps(PROPERTIES))
    there = ["-s", str(ROOT / "Snakefile"), "--directory", str(tmp_path), "--configfile", str(tmp_path / "mine.yaml")]
    run(ROOT, "properties", "results/board/properties.html", *there)
    assert "mac" in (tmp_path / "results/properties/properties.csv").read_text()
    assert "mac" in (tmp_path / "results/board/properties.html").read_text("utf-8")
    assert (tmp_path / "results/corpora").exists() is False
    left = run(tmp_path, "properties", "same", "-n", *there)
    assert "train_same" in left  # the shipped model and lists are found
    assert "_properties" not in left


def test_the_workflow_is_a_module_of_another_with_a_prefix(tmp_path):
    text = MODULE.format(source=f'"{ROOT}/Snakefile"', config=PROPERTIES)
    (tmp_path / "Snakefile").write_text(text.replace("config:", 'prefix: "part"\n    config:'))
    run(tmp_path, f"part/{VERDICTS}")
    assert (tmp_path / "part" / VERDICTS).is_file()
    left = run(tmp_path, "-n")
    assert "biassay_train_same" in left
    assert "check_properties" not in left


@pytest.fixture(scope="module")
def repository(tmp_path_factory):
    """Put this checkout into a git repository with the tag v1."""
    folder = tmp_path_factory.mktemp("repositories") / "biassay"
    copy_project(folder)
    author = ["-c", "user.name=test", "-c", "user.email=test@example.org"]
    for command in (["init", "-q"], ["add", "-A"], [*author, "commit", "-qm", "all"], ["tag", "v1"]):
        subprocess.run(["git", "-C", folder, *command], check=True)
    return folder


@pytest.mark.parametrize(
    "source", ['gitfile("{0}", path={1}, tag="v1")', 'github("owner/biassay", path={1}, tag="v1")']
)
def test_the_workflow_is_a_module_from_git(repository, tmp_path, source):
    (tmp_path / "Snakefile").write_text(MODULE.format(source=source.format(repository, PATH), config=PROPERTIES))
    key = f"url.file://{repository.parent}/.insteadOf"
    git = {"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": key, "GIT_CONFIG_VALUE_0": "https://github.com/owner/"}
    run(tmp_path, VERDICTS, **git, XDG_CACHE_HOME=str(tmp_path / "cache"))
    assert (tmp_path / VERDICTS).is_file()
    (commit,) = (tmp_path / ".snakemake/biassay").glob("*/Snakefile")
    tagged = subprocess.check_output(["git", "-C", repository, "rev-parse", "v1"], text=True)
    assert commit.parent.name == tagged.strip()
