"""Benchmarks run at their smallest sizes; those that need other software or minutes are not tested."""

import subprocess
import sys

import pytest

from tests.running import ROOT

MODEL = "resources/models/bert-tiny-enwiki"
SMALL = {
    "audit": "--only text --words 20000 --dimensions 8 --runs 1",
    "audit_calibration": f"{MODEL} --shares 0 1 --audits 1 --words 4 --metrics weat",
    "calibration_validation": "FOLDER --strengths 0 1 --seeds 1 --tokens 100000 --samples 2 --doses 1 --metrics weat",
    "counts": "FOLDER/text.txt --runs 1",
    "glove": "--dimensions 4 --threads 1 --epochs 1",
    "heads": "--width 8 --texts 100 --looped 1",
    "pll": "--pairs 2",
    "silhouette": "--shuffles 2 --words 40",
    "training": "--models 2 --batch 2 --steps 2 --repeats 1",
}


@pytest.mark.slow
@pytest.mark.parametrize("script", SMALL)
def test_a_benchmark_runs(script, tmp_path):
    (tmp_path / "text.txt").write_text("<doc>\nsome words and some more words, of a text of words\n</doc>\n" * 20)
    command = [sys.executable, f"benchmarks/{script}.py", *SMALL[script].replace("FOLDER", str(tmp_path)).split()]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.stdout, done.stderr
    assert "Traceback" not in done.stderr, done.stderr  # a missed target has a status other than 0, too
