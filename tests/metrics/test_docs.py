"""docs/metrics.md agrees with the registry."""

import re

import numpy as np
import pytest

from biassay import measure
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
