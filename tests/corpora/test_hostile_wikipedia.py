"""Dumps that are broken, or made to take time and memory."""

import bz2
import logging

import pytest

from biassay.corpora import dump, wikipedia
from tests.full_disk import full_disk
from tests.hostile import dump as written
from tests.hostile import page

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


def test_an_article_that_is_too_long_is_left_out_and_counted(tmp_path, monkeypatch, caplog):
    monkeypatch.setattr(dump, "MAX_LENGTH", 200_000)
    path = tmp_path / "dump.xml.bz2"
    pages = [page(1, "a" * 200_000), page(2, "a" * 200_001), page(3, "short"), page(4, "b c " * 10**5)]
    with caplog.at_level(logging.WARNING):
        assert [number for number, _ in texts(path, bz2.compress(written(*pages)))] == [1, 3]
    assert f"{path}: skipped 2 articles" in caplog.text


@pytest.mark.parametrize("articles", [None, 2])
def test_a_full_disk_is_named_and_leaves_nothing(tmp_path, articles):
    (tmp_path / "dump.xml").write_bytes(written(*(page(i, "word " * 5000) for i in range(4))))
    with pytest.raises(OSError, match=r"File too large: '.*out\.txt\.draft'"), full_disk(30_000):
        wikipedia.extract([str(tmp_path / "dump.xml")], tmp_path / "out.txt", articles=articles)
    assert [path.name for path in tmp_path.iterdir()] == ["dump.xml"]
