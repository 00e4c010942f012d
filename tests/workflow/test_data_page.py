"""docs/data.md and docs/papers.md name the source of all shipped data."""

import re

import pytest

from biassay.words import references
from docs import write_data
from tests.running import ROOT

RERUN = "stale: run python docs/write_data.py"


def test_the_pages_are_what_the_files_say():
    assert (ROOT / "docs/data.md").read_text("utf-8") == write_data.data_page(), RERUN
    assert (ROOT / "docs/papers.md").read_text("utf-8") == write_data.papers_page(), RERUN


def test_every_file_that_is_shipped_is_there():
    page = (ROOT / "docs/data.md").read_text("utf-8")
    for path in (ROOT / "resources").rglob("*.*"):
        place = path.relative_to(ROOT / "resources")
        if place.parts[0] in ("board", "measured", "tables", "references.bib"):
            continue
        named = f"{'/'.join(place.parts[:2])}/" if place.parts[0] == "models" else str(place)
        assert re.search(rf"^\| `{re.escape(named)}` \| \S.+ \| \S.+ \|$", page, re.M), named


def test_every_paper_is_there():
    page = (ROOT / "docs/papers.md").read_text("utf-8")
    for entry in references.read().values():
        assert f"]({references.link(entry)})" in page


@pytest.mark.parametrize(
    ("name", "text", "source", "licence"),
    [
        ("words/a.yaml", "source: lexicon of Ada (MIT)\nx: [a]\n", "lexicon of Ada (MIT)", "MIT"),
        ("words/a.yaml", "source: own compilation\nx: [a]\n", "own compilation", "MIT (biassay's)"),
        (
            "words/a.yaml",
            "source: own compilation; it takes in Ada's list (CC BY 4.0)\n",
            "own compilation; it takes in Ada's list (CC BY 4.0)",
            "MIT (biassay's), CC BY 4.0 (its sources')",
        ),
        (
            "words/a.csv",
            "# Words.\n# Source: Ada 2020. Licence: MIT License, Permission …\nword\na\n",
            "Ada 2020",
            "MIT",
        ),
        ("statistics/a.csv", "# Source: an office, 2017.\nword\na\n", "an office, 2017", "facts"),
    ],
)
def test_heads_are_read(tmp_path, name, text, source, licence):
    path = tmp_path / name
    path.parent.mkdir()
    path.write_text(text)
    assert write_data.find_source(path) == source
    assert write_data.find_licences(path) == licence


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("a.yaml", "x: [a]\n", "missing source"),
        ("a.csv", "word\na\n", "missing source"),
        ("a.yaml", "source: a book\n", "missing licence; expected one of: CC BY 4.0, MIT, public domain, own"),
    ],
)
def test_a_file_that_does_not_say_is_refused(tmp_path, name, text, message):
    (tmp_path / name).write_text(text)
    with pytest.raises(ValueError, match=re.escape(f"{tmp_path / name}: {message}")):
        write_data.find_licences(tmp_path / name)
