"""docs/metrics.md agrees with the registry."""

import re

import numpy as np
import pytest

from biassay import measure
from biassay.measurement import metric as metrics
from biassay.support import registry
from tests.running import ROOT

PAGE = (ROOT / "docs/metrics.md").read_text("utf-8")


def test_every_metric_has_its_row():
    assert set(re.findall(r"^\| `(\w+)`", PAGE, re.M)) == set(registry.names("metrics"))


def test_the_metric_of_ones_own_works(tmp_path):
    code = re.findall(r"```python\n(.*?)```", PAGE, re.S)[-1]
    (tmp_path / "own.py").write_text(code)
    result = measure(str(tmp_path / "own.py"), targets=[[1.0, 0], [1, 2]], attributes=[[[1.0, 0]], [[0.0, 1]]])
    assert result.set == pytest.approx(np.sqrt((1 + 0.2) / 2))


def test_the_example_of_predictions_gives_what_its_comments_say():
    code = next(block for block in re.findall(r"```python\n(.*?)```", PAGE, re.S) if "measure_predictions" in block)
    names = {}
    exec(code, names)
    said = re.findall(r"^result\.(.*?)  # ([\[{].*?[]}])(?=$|:)", code, re.M)
    assert [what for what, _ in said] == ["sample", 'words["classes"]', "positives"]
    for what, value in said:
        found = eval(f"result.{what}", names)
        assert (found.tolist() if isinstance(found, np.ndarray) else found) == eval(value)


def test_what_makes_a_metric_undefined_is_what_it_declares():
    for name, text in re.findall(r"^\| `(\w+)`.*\| ([^|]+) \|$", PAGE, re.M):
        told = {level: about.undefined for level, about in metrics.load(name).METRIC.levels.items() if about.undefined}
        one = len(set(told.values())) == 1
        words = next(iter(told.values())) if one else "; ".join(f"{level}: {why}" for level, why in told.items())
        assert text == (words or "–"), name
