"""Runs from another folder and as a module of another workflow, and paths of their configuration."""

import json
import os
import subprocess
import sys

import pytest

from biassay.workflow import paths
from tests.running import ROOT

PROPERTIES = {"properties": {"metrics": ["mac"], "n_starts": 1}}
MODULE = """
module biassay:
    snakefile: "{root}/Snakefile"
    config: {config}

use rule * from biassay as biassay_*
"""


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
    assert "Table as a figure" in (tmp_path / "results/board/properties.html").read_text("utf-8")
    assert (tmp_path / "results/corpora").exists() is False
    assert "train_same" in run(tmp_path, "same", "-n", *there)  # the shipped model and lists are found


@pytest.mark.parametrize("prefix", [None, "part"])
def test_the_workflow_is_a_module_of_another(tmp_path, prefix):
    text = MODULE.format(root=ROOT, config=PROPERTIES)
    (tmp_path / "Snakefile").write_text(text.replace("config:", f'prefix: "{prefix}"\n    config:') if prefix else text)
    run(tmp_path, "biassay_properties")
    assert (tmp_path / (prefix or ".") / "results/properties/properties.csv").is_file()
    assert "biassay_train_same" in run(tmp_path, "biassay_all", "-n")


def test_a_path_is_looked_up_from_the_run_then_from_the_workflow(tmp_path, monkeypatch):
    home, here = tmp_path / "home", tmp_path / "here"
    for path in (home / "lists/both.yaml", home / "lists/shipped.yaml", here / "lists/both.yaml", home / "mine.py"):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("")
    monkeypatch.chdir(here)
    config = {
        "first_order": {"word_lists": {"a": "lists/both.yaml", "b": "lists/shipped.yaml", "c": "lists/none.yaml"}},
        "corpora": {"mine": {"path": ["lists/*pped.yaml", "/abs/x"], "swap": ["lists/shipped.yaml"]}, "odd": None},
        "embeddings": {"x": {"algorithm": "skipgram"}, "y": {"algorithm": "mine.py"}},
        "language_models": {"m": {"pretrain": {"vocabulary": 3000}}},
        "own_metrics": {"m": "mine.py"},
    }
    paths.locate(config, home)
    assert config == {
        "first_order": {
            "word_lists": {"a": "lists/both.yaml", "b": "../home/lists/shipped.yaml", "c": "lists/none.yaml"}
        },
        "corpora": {
            "mine": {"path": ["../home/lists/*pped.yaml", "/abs/x"], "swap": ["../home/lists/shipped.yaml"]},
            "odd": None,
        },
        "embeddings": {"x": {"algorithm": "skipgram"}, "y": {"algorithm": "../home/mine.py"}},
        "language_models": {"m": {"pretrain": {"vocabulary": 3000}}},
        "own_metrics": {"m": "../home/mine.py"},
    }


def test_every_path_of_the_default_configuration_is_known():
    import yaml

    def strings(node, place=()):
        items = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
        for key, value in items:
            if isinstance(value, str) and "/" in value:
                yield (*place, key)
            yield from strings(value, (*place, key))

    found = list(strings(yaml.safe_load((ROOT / "config.yaml").read_text("utf-8"))))
    assert len(found) > 12
    known = [pattern.split(".") for pattern in paths.PATHS]
    for place in found:
        assert any(
            len(keys) == len(place) and all(key in ("*", name) for key, name in zip(keys, place, strict=True))
            for keys in known
        ), place
