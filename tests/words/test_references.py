"""The papers behind metrics and studies: every one is there, complete, and named by what cites it."""

import re

import pytest

from biassay.words import references

ENTRIES = references.read()
PAPERS = ["rekabsaz2021", "spliethoever2021", "schroeder2021", "schroeder2023", "schroeder2024"]


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


def test_an_entry_is_written_out():
    entry = {"title": "A {Title} -- with more", "author": "Ada, Quill and Moe, Zed", "year": "2020", "eprint": "2001.1"}
    assert references.format_short(entry) == "Ada and Moe 2020"
    assert references.link(entry) == "https://arxiv.org/abs/2001.1"
    assert references.link(entry | {"doi": "10.1/x"}) == "https://doi.org/10.1/x"
    assert references.plain_title(entry["title"]) == "A Title – with more"
    assert references.format_short(entry | {"author": "A, B and C, D and E, F"}) == "A et al. 2020"
    assert references.format_short(entry | {"author": "A, B"}) == "A 2020"
    with pytest.raises(ValueError, match=r"references\.bib has no entry.*'caliskan2018'"):
        references.find("caliskan2018")
