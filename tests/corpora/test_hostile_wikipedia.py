"""Dumps that are broken, or made to take time and memory."""

import bz2
import logging

import pytest

from biassay.corpora import dump, wikipedia, wikitext
from tests.full_disk import full_disk
from tests.hostile import dump as written
from tests.hostile import page

pytestmark = pytest.mark.bad_input(
    "texts, dumps, encoded corpora",
    "one error with file and position; time and memory are limited by the file's actual size",
)

LAUGHS = '<!DOCTYPE m [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;&b;&b;">]>'
GOOD = page(1, "The '''nurse''' sings.")


def texts(path, content):
    """The articles of a dump with this content."""
    path.write_bytes(content)
    return [(found.number, found.markup) for found in dump.read(path)]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (written(GOOD)[:-30], r"broken XML dump \(ExpatError (no element found|unclosed token): line 1, column \d+\)"),
        (written(GOOD).replace(b"</title>", b""), r"broken XML dump \(ExpatError mismatched tag: line 1, column \d+\)"),
        (written(GOOD).replace(b"nurse", b"n\xffrse"), r"broken XML dump \(ExpatError not well-formed"),
        (written(GOOD).replace(b"nurse", b"n\0rse"), r"broken XML dump \(ExpatError not well-formed"),
        (written(GOOD).replace(b"nurse", b"&b;"), r"broken XML dump \(ExpatError undefined entity"),
        (
            written(GOOD, head='<?xml version="1.0" encoding="nothing"?>'),
            "broken XML dump .*(unknown encoding|LookupErr)",
        ),
        (written(GOOD.replace("nurse", "&c;"), head=LAUGHS), "document type"),
        (written(GOOD, head=LAUGHS).decode().encode("utf-16"), "document type"),
        (written(GOOD, head='<!DOCTYPE m SYSTEM "file:///etc/passwd">'), "document type"),
        (b"no XML", r"broken XML dump \(ExpatError syntax error: line 1, column 0\)"),
        (b"<html/>", "expected a MediaWiki dump .*<html>"),
        (written(GOOD.replace("<id>1</id>", "")), "page 'P1': missing <id>"),
        (written(GOOD.replace("<ns>0</ns>", "")), "page 'P1': missing <ns>"),
        (written(GOOD.replace("<id>1</id>", "<id>one</id>")), "page 'P1': <id>: .*'one'"),
        (written(GOOD.replace("<id>1</id>", "<id>-1</id>")), "<id>: .*'-1'"),
        (written(GOOD.replace("<id>1</id>", "<id>²</id>")), "<id>: .*'²'"),
        (written(GOOD.replace("<id>1</id>", f"<id>{'1' * 5000}</id>")), "<id>: .*'1{40}'"),
        (written(GOOD.replace("<title>P1</title>", "").replace("<ns>0</ns>", "")), "page '': missing <ns>"),
        (written("<a>" * 200), "broken XML dump: more than 100 nested elements"),
        (written(f"<!--{'x' * 1_300_000}-->"), "line 1: a tag has more than 1,048,576 bytes"),
        (written(f'<a b="{"x" * 1_300_000}"/>'), "line 1: a tag has more than 1,048,576 bytes"),
    ],
)
def test_a_broken_dump_is_named_and_leaves_nothing(tmp_path, content, message):
    path = tmp_path / "dump.xml"
    with pytest.raises(ValueError, match=message) as raised:
        texts(path, content)
    assert str(raised.value).startswith(str(path))
    with pytest.raises(ValueError, match=message):
        wikipedia.extract([str(path)], tmp_path / "out.txt", articles=3)
    assert [found.name for found in tmp_path.iterdir()] == ["dump.xml"]


@pytest.mark.parametrize(
    ("pages", "found"),
    [
        (GOOD.replace("<title>P1</title>", ""), [(1, "The '''nurse''' sings.")]),
        (GOOD.replace("<text>The '''nurse''' sings.</text>", ""), []),
        (GOOD.replace("<text>The '''nurse''' sings.</text>", "<text/>"), []),
        (GOOD.replace("<ns>0<", "<ns>1<"), []),
        (GOOD.replace("<revision>", '<redirect title="x"/><revision>'), []),
        (
            GOOD.replace("</revision>", "</revision><revision><text>Later.</text></revision>"),
            [(1, "The '''nurse''' sings.")],
        ),
        (
            GOOD.replace("<text>", "<contributor><id>5</id><text>no</text></contributor><text>"),
            [(1, "The '''nurse''' sings.")],
        ),
        (
            f"<siteinfo><title>S</title><id>7</id></siteinfo>{GOOD}<log><text>no</text></log>",
            [(1, "The '''nurse''' sings.")],
        ),
        (
            page(3, "a &lt;ref&gt; &amp;amp; <![CDATA[<b>]]> c") + page(2, "é\nb"),
            [(3, "a <ref> &amp; <b> c"), (2, "é\nb")],
        ),
    ],
)
def test_articles_are_those_of_the_first_revision(tmp_path, pages, found):
    assert texts(tmp_path / "dump.xml", written(pages)) == found


def test_all_of_a_file_is_told_as_progress(tmp_path, monkeypatch):
    told = []

    class Told:
        def __init__(self, what, total, unit):
            told.append((what, total, unit))

        def add(self, amount):
            told.append(amount)

    monkeypatch.setattr(dump, "Progress", Told)
    monkeypatch.setattr(dump, "CHUNK", 100)
    content = written(GOOD, GOOD)
    texts(tmp_path / "dump.xml", content)
    assert told[0] == ("reading dump.xml", pytest.approx(len(content) / 1e6), "MB on disk")
    assert sum(told[1:]) == pytest.approx(len(content) / 1e6)


@pytest.mark.parametrize("chunk", [1, 7, 100])
def test_pieces_of_any_length_give_the_same(tmp_path, monkeypatch, chunk):
    monkeypatch.setattr(dump, "CHUNK", chunk)
    monkeypatch.setattr(dump, "MAX_TAG", 80)
    content = written(*(page(i, "Some &amp; more é.") for i in range(5)))
    assert texts(tmp_path / "dump.xml", content) == [(i, "Some & more é.") for i in range(5)]


def test_names_of_namespaces_belong_to_their_pages(tmp_path):
    names = "".join(
        f'<namespace key="{key}">{name}</namespace>'
        for key, name in [(0, ""), (6, "D"), (7, "No"), (14, "x" * 255), (6, ""), (14, "x" * 256)]
    )
    (tmp_path / "dump.xml").write_bytes(written(f"<siteinfo><namespaces>{names}</namespaces></siteinfo>", GOOD))
    (found,) = dump.read(tmp_path / "dump.xml")
    assert found.namespaces == (*wikitext.MEDIA, *wikitext.CATEGORY, "D", "x" * 255)


def test_an_article_that_is_too_long_is_left_out_and_counted(tmp_path, monkeypatch, caplog):
    monkeypatch.setattr(dump, "MAX_LENGTH", 200_000)
    path = tmp_path / "dump.xml.bz2"
    pages = [page(1, "a" * 200_000), page(2, "a" * 200_001), page(3, "short"), page(4, "b c " * 10**5)]
    with caplog.at_level(logging.WARNING):
        assert [number for number, _ in texts(path, bz2.compress(written(*pages)))] == [1, 3]
    assert f"{path}: skipped 2 articles" in caplog.text


def test_other_elements_that_are_too_long_take_no_article_with_them(tmp_path, monkeypatch):
    monkeypatch.setattr(dump, "MAX_LENGTH", 1000)
    assert texts(tmp_path / "dump.xml", written(page(1, "a").replace("<title>", f"<other>{'b' * 2000}</other><title>")))


def test_text_that_no_file_can_hold_is_dropped(tmp_path):
    pages = [page(1, "A nurse&amp;#0; and&amp;#xD800; a&amp;#xDFFF; doctor&amp;#65;."), page(2, "&amp;#1114112; stays")]
    (tmp_path / "dump.xml").write_bytes(written(*pages))
    assert wikipedia.extract([str(tmp_path / "dump.xml")], tmp_path / "out.txt") == 2
    assert (tmp_path / "out.txt").read_text("utf-8") == "A nurse and a doctorA.\n\n&#1114112; stays\n\n"


@pytest.mark.parametrize("articles", [None, 2])
def test_a_full_disk_is_named_and_leaves_nothing(tmp_path, articles):
    (tmp_path / "dump.xml").write_bytes(written(*(page(i, "word " * 5000) for i in range(4))))
    with pytest.raises(OSError, match=r"File too large: '.*out\.txt\.draft'"), full_disk(30_000):
        wikipedia.extract([str(tmp_path / "dump.xml")], tmp_path / "out.txt", articles=articles)
    assert [path.name for path in tmp_path.iterdir()] == ["dump.xml"]
