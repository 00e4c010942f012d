"""The papers behind metrics and studies: every one is there, complete, and named by what cites it."""

import re

import pytest

from biassay.core import registry
from biassay.measurement import metric as metrics
from biassay.words import references

ENTRIES = references.read()
PAPERS = ["rekabsaz2021", "spliethoever2021", "schroeder2021", "schroeder2023", "schroeder2024"]
ONE = """@misc{%s,
  title = {A {Title} -- with more},
  author = {Ada, Quill and Moe, Zed},
  year = {2020},
  eprint = {2001.00001},
}
"""


def test_the_shipped_entries_are_complete_and_found_by_their_key():
    assert set(PAPERS) <= set(ENTRIES)
    for key, entry in ENTRIES.items():
        assert re.fullmatch(r"[a-z]+\d{4}[a-z]?", key)
        assert key.endswith(entry["year"]) or key[:-1].endswith(entry["year"])
        assert references.find(key) == entry
        assert re.fullmatch(r"10\.\d{4,}/\S+", entry.get("doi", "10.1000/x"))
        assert re.fullmatch(r"\d{4}\.\d{4,5}", entry.get("eprint", "2001.00001"))
        assert re.match(r"https://\S+$", references.link(entry))
    places = [references.link(entry) for entry in ENTRIES.values()]
    assert len(set(places)) == len(places)


@pytest.mark.parametrize("name", registry.names("metrics"))
def test_every_metric_names_papers_that_have_an_entry(name):
    declared = metrics.load(name).METRIC
    assert declared.cite
    for key in declared.cite:
        assert references.find(key, ENTRIES)


def test_an_entry_is_written_out(tmp_path):
    path = tmp_path / "one.bib"
    path.write_text("% a comment\n" + ONE % "ada2020" + "\n" + ONE % "moe2021")
    found = references.read(path)
    assert list(found) == ["ada2020", "moe2021"]
    entry = found["ada2020"]
    assert entry["kind"] == "misc"
    assert references.format_short(entry) == "Ada and Moe 2020"
    assert references.link(entry) == "https://arxiv.org/abs/2001.00001"
    assert references.link(entry | {"doi": "10.1/x"}) == "https://doi.org/10.1/x"
    assert references.plain_title(entry["title"]) == "A Title – with more"
    assert references.format_short(entry | {"author": "A, B and C, D and E, F"}) == "A et al. 2020"
    assert references.format_short(entry | {"author": "A, B"}) == "A 2020"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (ONE % "a" + ONE % "a", "duplicate entry 'a'"),
        (ONE % "a" + "@misc{b, title={x}}\n", "'@misc{b, title={x}}' is outside"),
        ((ONE % "a").replace("year = {2020}", "year = 2020"), "entry 'a': 'year = 2020,'"),
        ((ONE % "a").replace("year", "when"), "entry 'a': missing year"),
        ((ONE % "a").replace("eprint", "note"), "entry 'a': missing one of doi, eprint, url"),
        ((ONE % "a").replace("{Ada, Quill and Moe, Zed}", "{}"), "entry 'a': missing author"),
    ],
)
def test_what_is_no_entry_is_refused(tmp_path, text, message):
    path = tmp_path / "bad.bib"
    path.write_text(text)
    with pytest.raises(ValueError, match=re.escape(f"{path}: {message}")):
        references.read(path)
