"""The documentation as a site builds without warnings and needs no network."""

import os
import re
import shutil
import subprocess
import sys
from html.parser import HTMLParser

import pytest

import biassay
from biassay import cli
from biassay.workflow.studies import Configuration
from docs import draw_false_positives
from tests.running import ROOT

CHROMIUM = shutil.which("chromium")
LOADING = {"script": "src", "link": "href", "img": "src", "iframe": "src", "source": "src", "video": "src"}


def build(folder, out):
    """Build the site of a folder with mkdocs.yml; return the finished process."""
    pytest.importorskip("material", reason="Material for MkDocs is not installed (pip install -e '.[docs]')")
    pytest.importorskip(
        "mkdocstrings_handlers.python", reason="mkdocstrings is not installed (pip install -e '.[docs]')"
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "NO_MKDOCS_2_WARNING": "1"}
    command = [sys.executable, "-m", "mkdocs", "build", "--site-dir", out]  # --quiet would hide warnings from strict
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """Build the site; return its folder."""
    out = tmp_path_factory.mktemp("site")
    result = build(ROOT, out)
    assert result.returncode == 0, result.stderr
    return out


class Loaded(HTMLParser):
    """Collects what a page loads."""

    def __init__(self, html):
        super().__init__()
        self.addresses = []
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        if tag in LOADING and LOADING[tag] in given and given.get("rel") not in ("canonical", "prev", "next"):
            self.addresses.append(given[LOADING[tag]])


def test_every_page_is_there_and_loads_nothing_from_elsewhere(site):
    pages = [path.relative_to(ROOT / "docs").with_suffix(".html") for path in (ROOT / "docs").rglob("*.md")]
    assert len(pages) > 30
    for page in pages:
        html = (site / page).read_text("utf-8")
        addresses = Loaded(html).addresses
        assert any("stylesheets" in address for address in addresses)
        for address in addresses:
            assert not re.match(r"(https?:)?//", address), (page, address)
            assert (site / page.parent / re.split("[?#]", address)[0]).exists(), (page, address)
    for sheet in site.rglob("*.css"):
        assert not re.search(r"(@import|url\()\s*[\"']?(https?:)?//", sheet.read_text("utf-8")), sheet


def test_broken_links_and_pages_that_are_not_in_the_menu_stop_it(tmp_path):
    shutil.copytree(ROOT / "docs", tmp_path / "docs")
    shutil.copy(ROOT / "mkdocs.yml", tmp_path)
    (tmp_path / "docs/lost.md").write_text("# Lost\n")
    with open(tmp_path / "docs/index.md", "a") as file:
        file.write("\n[nowhere](no_such.md) [nor here](silhouette.md#no-such-part)\n")
    result = build(tmp_path, tmp_path / "site")
    assert result.returncode != 0
    for fault in ("no_such.md", "no-such-part", "lost.md"):
        assert fault in result.stderr


def test_every_public_name_is_described():
    described = set(re.findall(r"^::: (\S+)$", (ROOT / "docs/api.md").read_text("utf-8"), re.M))
    assert described == {target.replace(":", ".") for target in biassay.PUBLIC.values()}


def test_every_command_is_described(capsys):
    with pytest.raises(SystemExit):
        cli.main(["--help"])
    commands = re.findall(r"^    (\w+)\b", capsys.readouterr().out, re.M)
    assert "show" in commands
    page = (ROOT / "docs/command_line.md").read_text("utf-8")
    assert not [name for name in commands if f"| `biassay {name}" not in page]


def test_every_study_has_its_findings_in_the_menu():
    studies = Configuration.model_json_schema()["properties"]["studies"]["items"]["enum"]
    menu = (ROOT / "mkdocs.yml").read_text("utf-8")
    for study in studies:
        assert f": {study}.md" in menu


def test_it_is_read_and_searched_from_a_disk_without_a_network(site):
    if not CHROMIUM:
        pytest.skip("Chromium is not installed (Debian: apt install chromium)")
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    options = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"]
    with playwright.sync_playwright() as tool:
        browser = tool.chromium.launch(executable_path=CHROMIUM, args=options)
        for width in (1400, 390):
            page = browser.new_context(viewport={"width": width, "height": 900}, offline=True).new_page()
            asked, errors = [], []
            page.on("request", lambda request, asked=asked: asked.append(request.url))
            page.on("console", lambda said, errors=errors: errors.append(said.text) if said.type == "error" else None)
            for name in ("index", "metrics", "silhouette", "api"):
                page.goto(f"file://{site}/{name}.html")
                page.wait_for_load_state("networkidle")
                beyond = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
                assert page.evaluate(beyond) <= 0, (name, width)
            if width == 1400:
                page.click("input.md-search__input")
                page.keyboard.type("permutation")
                page.wait_for_selector(".md-search-result__link", state="attached", timeout=20_000)
            assert not errors
            assert not [address for address in asked if not address.startswith(("file:", "data:", "blob:"))]
        browser.close()


def test_the_readme_is_short_and_its_links_end_somewhere():
    text = (ROOT / "README.md").read_text("utf-8")
    assert text.count("\n") <= 200
    links = [link for link in re.findall(r"\]\(([^)]+)\)", text) if not link.startswith("https://")]
    assert len(links) > 20
    for link in links:
        path, _, part = link.partition("#")
        assert (ROOT / path).is_file(), link
        heads = re.findall(r"^#+ (.+)$", (ROOT / path).read_text("utf-8"), re.M) if part else []
        assert not part or part in [re.sub(r"[^\w -]", "", head.lower()).replace(" ", "-") for head in heads], link


def test_the_figure_shows_the_table_of_the_page():
    rows = draw_false_positives.read_rates(draw_false_positives.PAGE.read_text("utf-8"))
    assert rows[0] == ("WEAT", "its own permutation test, two-sided", (48, 16), (100, 0))
    assert len(rows) == 13
    figure = draw_false_positives.FIGURE.read_text("utf-8")
    assert draw_false_positives.describe_figure(rows) in figure, "stale: run python docs/draw_false_positives.py"
    assert all(f">{row.metric}" in figure for row in rows)
    with pytest.raises(ValueError, match=r"silhouette\.md: expected rows with false positives and power"):
        draw_false_positives.read_rates("| a | b |\n")
