"""docs/architecture.md and its picture agree with the code."""

import re
from xml.etree import ElementTree

import pytest

from docs import draw_architecture
from tests.running import ROOT

PAGE = (ROOT / "docs/architecture.md").read_text("utf-8")
PICTURE = (ROOT / "docs/img/architecture.svg").read_text("utf-8")
OWN = re.sub(r"<!-- \w+ -->.*?<!-- end -->", "", PAGE, flags=re.DOTALL)
RERUN = "stale: run `python docs/draw_architecture.py`"


@pytest.fixture(scope="module")
def stages():
    return draw_architecture.read_stages()


@pytest.fixture(scope="module")
def packages(stages):
    return draw_architecture.read_packages(stages)


def test_the_picture_and_the_tables_are_as_the_code_is(stages, packages):
    assert draw_architecture.picture(stages, packages) == PICTURE, RERUN
    assert draw_architecture.table("stages", stages) in PAGE, RERUN
    assert draw_architecture.table("packages", packages) in PAGE, RERUN


def test_the_picture_names_every_stage_rule_and_package(stages, packages):
    texts = {element.text for element in ElementTree.fromstring(PICTURE).iter("{http://www.w3.org/2000/svg}text")}
    assert {path.parent.name for path in (ROOT / "biassay").glob("*/__init__.py")} == {
        package.name for package in packages
    }
    assert {path.name.removesuffix(".smk") for path in (ROOT / "rules").iterdir()} - {
        "cluster",
        "common",
        "inputs",
    } == {stage.name for stage in stages}
    assert {part.name for part in stages + packages} | {rule for stage in stages for rule, _ in stage.rows} <= texts


def test_data_and_imports_go_down(stages, packages):
    for parts in (stages, packages):
        above = set()
        for part in parts:
            assert set(part.sources) <= above, part.name
            above.add(part.name)


def test_the_page_fits_a_screen_and_names_what_there_is(stages):
    assert OWN.count("\n") <= 60
    named = set(re.findall(r"(?:`|\]\()([\w.<>-]+(?:/[\w.<>-]*)+|\w+\.\w+|Snakefile)(?:`|\))", OWN))
    assert len(named) > 25
    for path in named - {"results/", "downloads/"}:  # which are there after a run only
        pattern = re.sub(r"<\w+>", "*", path).rstrip("/")
        if made := re.match(r"results/(?:logs/)?([^/]+)", pattern):
            assert made[1] in {"*", *(stage.name for stage in stages)}, path
        else:
            assert any(ROOT.glob(pattern)) or any((ROOT / "docs").glob(pattern)), path
