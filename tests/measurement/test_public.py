"""What is imported from biassay itself, and the examples of the pages about measuring."""

import re
import subprocess
import sys

import numpy as np
import pytest

import biassay
from biassay import measure
from tests.running import ROOT


def test_importing_the_package_stays_light():
    code = "import sys, biassay; print(sorted(set(sys.modules) & {'numpy', 'torch', 'biassay.core'}))"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert result.stdout == "[]\n", result.stderr


def test_public_names_are_what_they_are_called():
    for name in biassay.PUBLIC:
        if name != "load_language_model":
            assert getattr(biassay, name).__name__ == name
    assert set(dir(biassay)) >= set(biassay.PUBLIC) == set(biassay.__all__)
    assert biassay.weat.METRIC.source
    assert biassay.pmi_svd.INPUT == "counts"
    with pytest.raises(AttributeError, match="module 'biassay' has no attribute 'nothing'"):
        _ = biassay.nothing


def read_blocks(page):
    return re.findall(r"```python\n(.*?)```", (ROOT / "docs/howto" / page).read_text("utf-8"), re.S)


def test_the_example_of_an_own_metric(tmp_path):
    (code,) = read_blocks("own_metric.md")
    (tmp_path / "own.py").write_text(code)
    result = measure(str(tmp_path / "own.py"), targets=[[1.0, 0], [1, 2]], groups=[[[1.0, 0]], [[0.0, 1]]])
    assert result.set == pytest.approx(np.sqrt((1 + 0.2) / 2))


def test_the_example_of_predictions_gives_what_its_comments_say():
    (code,) = read_blocks("predictions.md")
    names = {}
    exec(code, names)
    comments = re.findall(r"^result\.(.*?)  # ([\[{].*?[]}])(?=$|:)", code, re.M)
    assert [name for name, _ in comments] == ["word", 'words["classes"]', "n_positives"]
    for name, value in comments:
        found = eval(f"result.{name}", names)
        assert (found.tolist() if isinstance(found, np.ndarray) else found) == eval(value)
