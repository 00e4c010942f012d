"""The examples of the pages about measuring work."""

import re

import numpy as np
import pytest

from biassay import measure
from tests.running import ROOT

HOWTO = ROOT / "docs/howto"


def read_blocks(page):
    return re.findall(r"```python\n(.*?)```", (HOWTO / page).read_text("utf-8"), re.S)


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
