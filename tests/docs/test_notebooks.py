"""The notebooks of the tutorials run from start to end in a new checkout, with less text than they say."""

import os
import subprocess
import sys

import nbformat
import pytest

from tests.running import ROOT, copy_project

NOTEBOOKS = sorted((ROOT / "docs/tutorials").glob("*.ipynb"))
SMALLER = {
    "--configfile local/": "--configfile configs/tiny.yaml local/",
    "studies: [first_order, silhouette]": "studies: [silhouette]",
    "tokens: 1000000": "tokens: 100000",
    "tokens: 300000": "tokens: 100000",
    "shuffles: 40": "shuffles: 4",
    "n=500": "n=50",
    'tests=["gender"]': 'tests=["gender"], permutations=99, resamples=20',
    "--tests gender": "--tests gender --permutations 99 --resamples 20",
}


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_it_is_kept_without_output(path):
    cells = nbformat.read(path, as_version=4).cells
    assert all(not cell.outputs and cell.execution_count is None for cell in cells if cell.cell_type == "code")


@pytest.mark.slow
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_it_runs_in_a_new_checkout(path, tmp_path):
    pytest.importorskip("nbconvert", reason="nbconvert is not installed (pip install -e '.[docs]')")
    copy_project(tmp_path)
    notebook = nbformat.read(tmp_path / path.relative_to(ROOT), as_version=4)
    for cell in notebook.cells:
        for text, smaller in SMALLER.items():
            cell.source = cell.source.replace(text, smaller)
    nbformat.write(notebook, tmp_path / path.relative_to(ROOT))
    command = [sys.executable, "-m", "nbconvert", "--execute", "--to", "notebook", "--inplace", path.relative_to(ROOT)]
    environment = os.environ | {"PYTHONPATH": str(tmp_path)}
    result = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert result.returncode == 0, result.stderr[-3000:]
