"""docs/metrics.md comes from the metrics' files, and the examples of the pages about measuring work."""

import re

import numpy as np
import pytest

from biassay import measure
from biassay.core import registry
from biassay.measurement import metric as metrics
from docs import write_metrics
from tests.running import ROOT

HOWTO = ROOT / "docs/howto"


def blocks(page):
    return re.findall(r"```python\n(.*?)```", (HOWTO / page).read_text("utf-8"), re.S)


def test_the_page_is_what_the_files_say():
    assert write_metrics.PAGE.read_text("utf-8") == write_metrics.build_page(), (
        "stale: run python docs/write_metrics.py"
    )


@pytest.mark.parametrize("name", registry.names("metrics"))
def test_every_metric_has_its_row_and_all_about_it(name):
    page = write_metrics.PAGE.read_text("utf-8")
    section = re.search(rf"^## {name}\n(.*?)(?=^## |\Z)", page, re.M | re.S)[1]
    assert f"| [`{name}`](#{name}) |" in page
    declared = metrics.load(name).METRIC
    for said in (declared.summary, declared.avoid, *(level.undefined for level in declared.levels.values())):
        assert said in section
    formula = re.search(r"```text\n(.+?)\n```", section, re.S)[1]
    assert re.search(r"[=−Σ‖·(]", formula)
    assert "](https://" in section.partition("**Papers**")[2]


@pytest.mark.parametrize(
    ("name", "row"),
    [
        ("weat", "−2 … 2 | −2 … 2 | 0 | yes | vectors"),
        ("mac", "0 … 2 | 0 … 2 | 1 | – | vectors"),
        ("same", "−1 … 1, five groups 0 … 1 | 0 … 1 | 0 | word level | vectors"),
        ("ripa", "unbounded, five groups ≥ 0 | ≥ 0 | 0 | word level | vectors"),
        ("classification", "– | 0 … 1 | 0.5, five groups 0.2 | – | vectors"),
        ("unmasking", "0 … 0.216, five groups 0 … 0.423 | 0 … 0.216, five groups 0 … 0.423 | 0 | – | a language model"),
        ("pll", "unbounded | 0 … 1 | 0 / 0.5 | word level | a language model"),
        ("weat_p_value", "– | 0 … 1 | – | – | vectors"),
    ],
)
def test_rows_say_what_papers_do(name, row):
    assert write_metrics.format_row(name, metrics.load(name).METRIC) == f"| [`{name}`](#{name}) | {row} |"


def test_properties_are_those_of_the_study():
    assert write_metrics.describe_properties("weat", metrics.load("weat")) == [
        "word level, 2 groups: comparable: no, trustworthy: yes",
        "set level, 2 groups: comparable: yes, trustworthy: no, sensitive to skew: no, "
        "sensitive to stereotypes: only if X and Y follow the stereotypes",
    ]
    (reason,) = write_metrics.describe_properties("clustering", metrics.load("clustering"))
    assert reason.startswith("not applicable: it is label-based")


def test_the_metric_of_ones_own_works(tmp_path):
    (code,) = blocks("own_metric.md")
    (tmp_path / "own.py").write_text(code)
    result = measure(str(tmp_path / "own.py"), targets=[[1.0, 0], [1, 2]], groups=[[[1.0, 0]], [[0.0, 1]]])
    assert result.set == pytest.approx(np.sqrt((1 + 0.2) / 2))


def test_the_example_of_predictions_gives_what_its_comments_say():
    (code,) = blocks("predictions.md")
    names = {}
    exec(code, names)
    said = re.findall(r"^result\.(.*?)  # ([\[{].*?[]}])(?=$|:)", code, re.M)
    assert [what for what, _ in said] == ["word", 'words["classes"]', "n_positives"]
    for what, value in said:
        found = eval(f"result.{what}", names)
        assert (found.tolist() if isinstance(found, np.ndarray) else found) == eval(value)
