"""Text from Wikipedia dumps: a written one, and real ones that gensim carries."""

import bz2
import re
from html import escape
from pathlib import Path

import gensim
import pytest

from biassay.corpora import dump as dumps
from biassay.corpora import wikipedia, wikitext
from tests.full_disk import full_disk

REAL = Path(gensim.__file__).parent / "test/test_data"
DUMP = REAL / "enwiki-latest-pages-articles1.xml-p000000010p000030302-shortened.bz2"
TABLES = REAL / "enwiki-table-markup.xml.bz2"
needs_gensims_dumps = pytest.mark.skipif(not DUMP.exists(), reason="this gensim comes without its test data")

MARKUP = """{{Infobox person|name={{PAGENAME}}|born={{birth|1850}}}}
[[File:Ada.jpg|thumb|A [[portrait|painting]] of [http://x.org Ada].<ref name="a"/>]]
'''Ada Smith''' ({{lang|el|x}}, ; born 1850) was a ''[[Nurse|nurse]]''&nbsp;in [[London]].<ref name="a">Her
book</ref> She met Bob<ref name="b" /> &amp; [[:Category:Nurses|others]].<!-- hidden -->
__NOTOC__
== Work ==
=== Early ===
* a list <div>of</div> words<br>and more
=== Late ===
She wrote to [http://y.org the press]{{spaces|2}}see https://z.org/page.<ul><li>Cook</li><li>Nurse</li></ul>
{| class="wikitable"
|-
! Year || Place
|-
| 1870 || {|
| nested
|}
|}
: indented
== References ==
<references/>
[[Category:Nurses|Smith]]
[[Kategorie:Pflege]]
[[de:Ada]]
"""


def page(number, title, markup, namespace=0, redirect=""):
    return (
        f"<page><title>{title}</title><ns>{namespace}</ns><id>{number}</id>{redirect}<revision><id>1{number}</id>"
        f"<text>{escape(markup)}</text></revision></page>"
    )


def dump(pages):
    head = '<namespaces><namespace key="6">Datei</namespace><namespace key="14">Kategorie</namespace></namespaces>'
    return (
        '<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.11/">'
        f"<siteinfo>{head}</siteinfo>{''.join(pages)}</mediawiki>"
    ).encode()


PAGES = [
    page(1, "Ada Smith", MARKUP),
    page(2, "Ada", "#REDIRECT [[Ada Smith]]", redirect='<redirect title="Ada Smith" />'),
    page(3, "Talk:Ada Smith", "A remark about Ada.", namespace=1),
    page(4, "Template:Infobox", "The box of Ada.", namespace=10),
    page(5, "Short", "Too short."),
    page(6, "Empty", "{{stub}}"),
]


def many(tmp_path, numbers, name="many.xml"):
    path = tmp_path / name
    path.write_bytes(dump(page(number, f"Page {number}", f"Article number {number}.") for number in numbers))
    return path


def articles(path):
    return path.read_text("utf-8").rstrip("\n").split("\n\n")


def test_only_running_text_of_articles_is_left(tmp_path):
    written = tmp_path / "dump.xml.bz2"
    written.write_bytes(bz2.compress(dump(PAGES)))
    assert wikipedia.extract([written], tmp_path / "out.txt", min_words=3) == 1
    lines = (tmp_path / "out.txt").read_text("utf-8").splitlines()
    ada = "Ada Smith (born 1850) was a nurse in London. She met Bob & others."
    assert lines == [ada, "Work.", "Late.", "She wrote to the press see", "Cook", "Nurse", ""]
    assert wikipedia.extract([written], tmp_path / "out.txt") == 2
    assert articles(tmp_path / "out.txt")[1] == "Too short."


def test_a_sample_is_the_same_whatever_the_order_and_the_threads(tmp_path, monkeypatch):
    monkeypatch.setattr(wikipedia, "BATCH", 100)
    one, two = many(tmp_path, range(150), "1.xml"), many(tmp_path, range(150, 400), "2.xml")
    back = many(tmp_path, range(399, -1, -1), "back.xml")
    options = {"articles": 40, "seed": 7}
    assert wikipedia.extract([one, two], tmp_path / "a.txt", **options) == 40
    wikipedia.extract([back], tmp_path / "b.txt", **options, threads=2)
    wikipedia.extract([back], tmp_path / "c.txt", articles=40, seed=8)
    a, b, c = (articles(tmp_path / f"{name}.txt") for name in "abc")
    assert a == b[::-1]
    assert len(set(a) & set(c)) < 15
    assert wikipedia.extract([two], tmp_path / "all.txt", articles=1000) == 250
    assert not list(tmp_path.glob("*.draft")) + list(tmp_path.glob("*.chosen"))


@needs_gensims_dumps
def test_real_articles_keep_their_paragraphs_and_lose_their_markup(tmp_path):
    assert wikipedia.extract([DUMP, TABLES], tmp_path / "out.txt", threads=2) == 110
    text = (tmp_path / "out.txt").read_text("utf-8")
    leftovers = "[[ ]] {{ }} <ref </ |thumb File: Category: == &nbsp; '' http:"
    assert [leftover for leftover in leftovers.split() if leftover in text] == []
    assert "Anarchism is a political philosophy that advocates self-governed societies" in text
    assert len(text.split()) > 400_000


ADA = page(1, "P1", "The '''nurse''' sings.")
FOUND = [(1, "The '''nurse''' sings.")]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (dump([ADA])[:-30], "broken XML dump"),
        (dump([ADA]).replace(b"nurse", b"&b;"), "broken XML dump"),
        (b"<html/>", "expected a MediaWiki dump .*<html>"),
        (dump([ADA.replace("<id>1</id>", "")]), "page 'P1': .*'0' and ''"),
        (dump([ADA.replace("<ns>0</ns>", "")]), "page 'P1': .*'None' and '1'"),
        (dump([ADA.replace("<id>1</id>", "<id>²</id>")]), "page 'P1': .*'²'"),
        (dump([ADA.replace("</revision>", "</revision><revision/>")]), "page 1: expected one revision"),
        (dump([]), "no article has 1 words or more"),
    ],
)
def test_a_broken_dump_is_named_and_leaves_nothing(tmp_path, content, message):
    path = tmp_path / "dump.xml"
    path.write_bytes(content)
    for options in ({}, {"articles": 3}):
        with pytest.raises(ValueError, match=message) as raised:
            wikipedia.extract([str(path)], tmp_path / "out.txt", **options)
        assert str(raised.value).startswith(str(path))
    assert [found.name for found in tmp_path.iterdir()] == ["dump.xml"]


@pytest.mark.parametrize(
    ("pages", "found"),
    [
        (re.sub("<text>.*</text>", "<text/>", ADA), []),
        (ADA.replace("<revision>", '<redirect title="x"/><revision>'), []),
        (ADA.replace("<text>", "<contributor><id>5</id><text>no</text></contributor><text>"), FOUND),
        (f"<siteinfo><title>S</title><id>7</id></siteinfo>{ADA}<log><text>no</text></log>", FOUND),
        (page(3, "A", "a <ref> &amp; <b> c") + page(2, "B", "é\nb"), [(3, "a <ref> &amp; <b> c"), (2, "é\nb")]),
    ],
)
def test_only_articles_with_text_are_read(tmp_path, pages, found):
    (tmp_path / "dump.xml").write_bytes(dump([pages]))
    assert [(one.number, one.markup) for one in dumps.read(tmp_path / "dump.xml")] == found


def test_articles_that_are_too_long_are_skipped_and_counted(tmp_path, monkeypatch, caplog):
    monkeypatch.setattr(dumps, "MAX_LENGTH", 20)
    (tmp_path / "dump.xml").write_bytes(dump([page(1, "A", "a" * 20), page(2, "B", "a" * 21), page(3, "C", "short")]))
    assert [one.number for one in dumps.read(tmp_path / "dump.xml")] == [1, 3]
    assert "skipped 1 articles" in caplog.text


def test_characters_that_cannot_be_written_are_dropped():
    assert wikitext.paragraphs("Ada&#0; and&#xD800; [[Bob|she]] &#65;.") == ["Ada and she A."]


def test_an_apostrophe_after_italics_is_kept():
    markup = "''Emma'''s and ''Howard's End'''s readers, an '''apple'''s and ''a'' '''b'''."
    assert wikitext.paragraphs(markup) == ["Emma's and Howard's End's readers, an apples and a b."]


@pytest.mark.parametrize("articles", [None, 2])
def test_a_full_disk_is_named_and_leaves_nothing(tmp_path, articles):
    (tmp_path / "dump.xml").write_bytes(dump(page(i, "A", "word " * 5000) for i in range(4)))
    with pytest.raises(OSError, match=r"File too large: '.*out\.txt\.draft'"), full_disk(30_000):
        wikipedia.extract([str(tmp_path / "dump.xml")], tmp_path / "out.txt", articles=articles)
    assert [path.name for path in tmp_path.iterdir()] == ["dump.xml"]
