"""The documentation as a site builds without warnings and needs no network."""

import os
import re
import subprocess
import sys

import pytest

import biassay
from biassay import cli
from biassay.workflow.configuration import Configuration
from docs import draw_false_positives
from tests import browser
from tests.running import ROOT


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """Build the site, strictly; return its folder."""
    pytest.importorskip("material", reason="Material for MkDocs is not installed (pip install -e '.[docs]')")
    pytest.importorskip("mkdocstrings_handlers.python", reason="mkdocstrings is not installed")
    out = tmp_path_factory.mktemp("site")
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "NO_MKDOCS_2_WARNING": "1"}
    command = [sys.executable, "-m", "mkdocs", "build", "--site-dir", out]
    result = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    return out


def test_every_page_is_there_with_its_generated_parts(site):
    for page in (ROOT / "docs").rglob("*.md"):
        html = (site / page.relative_to(ROOT / "docs").with_suffix(".html")).read_text("utf-8")
        assert "<!-- generated" not in html
    assert "Construct" in (site / "cards/weat.html").read_text("utf-8")
    assert 'id="weat"' in (site / "metrics.html").read_text("utf-8")
    assert "spearman" in (site / "data_dictionary.html").read_text("utf-8")


@browser.needed
@pytest.mark.parametrize("width", [390, 1400])
def test_it_is_read_and_searched_from_a_disk_without_a_network(site, chromium, width):
    for name in ("index", "metrics", "tutorials/first_audit"):
        with browser.opened(chromium, site / f"{name}.html", width=width) as (page, messages):
            assert browser.overflowing(page)[0] <= 0
            assert messages == []
            if name == "index" and width == 1400:
                page.click("input.md-search__input")
                page.keyboard.type("permutation")
                page.wait_for_selector(".md-search-result__link", state="attached", timeout=20_000)


def test_every_public_name_command_and_study_is_described(capsys):
    described = set(re.findall(r"^::: (\S+)$", (ROOT / "docs/api.md").read_text("utf-8"), re.M))
    assert described == {target.replace(":", ".") for target in biassay.PUBLIC.values()}
    with pytest.raises(SystemExit):
        cli.main(["--help"])
    commands = re.findall(r"^    (\w+)\b", capsys.readouterr().out, re.M)
    assert "show" in commands
    page = (ROOT / "docs/command_line.md").read_text("utf-8")
    assert [name for name in commands if f"| `biassay {name}" not in page] == []
    menu = (ROOT / "mkdocs.yml").read_text("utf-8")
    for study in Configuration.model_json_schema()["properties"]["studies"]["items"]["enum"]:
        assert f": {study}.md" in menu


def test_links_of_the_readme_end_somewhere():
    text = (ROOT / "README.md").read_text("utf-8")
    assert text.count("\n") <= 120
    for link in re.findall(r"\]\((?!https://)([^)]+)\)", text):
        path, _, part = link.partition("#")
        heads = re.findall(r"^#+ (.+)$", (ROOT / path).read_text("utf-8"), re.M)
        assert not part or part in [re.sub(r"[^\w -]", "", head.lower()).replace(" ", "-") for head in heads], link


def test_the_figure_of_false_positives_shows_the_table_of_its_page():
    rows = draw_false_positives.read_rates(draw_false_positives.PAGE.read_text("utf-8"))
    assert rows[0] == ("WEAT", "groups", ((42, 26), (48, 17), (53, 21)), ((100, 0),) * 3)
    figure = draw_false_positives.FIGURE.read_text("utf-8")
    assert draw_false_positives.describe_figure(rows) in figure, "stale: run python docs/draw_false_positives.py"
