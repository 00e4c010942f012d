"""Pages of MediaWiki's XML dumps, streamed: memory holds one page, and of that no more than a limit."""

import logging
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO
from xml.parsers import expat

from biassay.corpora import plain_text, wikitext
from biassay.support.logs import Progress

MEDIA, CATEGORY = "6", "14"  # numbers of the namespaces of files and categories in every wiki
LONGEST = 1 << 22  # characters of markup; Wikipedia allows 2 MiB a page
CHUNK = 1 << 16  # bytes parsed at once
TAG = 1 << 20  # bytes that a tag may have
DEPTH = 100  # elements that may stand in one another
NAME = 255  # characters of a namespace's name
KEPT = {
    ("mediawiki", "page", "title"): "title",
    ("mediawiki", "page", "ns"): "ns",
    ("mediawiki", "page", "id"): "id",
    ("mediawiki", "page", "revision", "text"): "text",
    ("mediawiki", "siteinfo", "namespaces", "namespace"): "namespace",
}


@dataclass(frozen=True)
class Page:
    """An article: its page id, its markup, and the wiki's names of files and categories."""

    number: int
    markup: str
    namespaces: tuple[str, ...]


def read(path: str | Path) -> Iterator[Page]:
    """Yield the articles of a dump (.xml, or compressed), without redirects.

    Those of more than LONGEST characters are left out; the log says how many. Raises ValueError, naming the file, where
    it is broken, for a page without number or namespace, and for a document type, which no dump has: it could define
    entities that grow without end.
    """
    path = Path(path)
    progress = Progress(f"reading {path.name}", path.stat().st_size / 1e6, "MB on disk")
    with plain_text.open_binary(path, "XML dump") as (stream, file):
        pages, done = _Pages(path), 0
        for found in pages.parse(stream):
            yield from found
            progress.add((file.tell() - done) / 1e6)
            done = file.tell()
        if pages.too_long:
            logging.warning("%s: %d articles of more than %d characters left out", path, pages.too_long, LONGEST)


class _Pages:
    """Collects pages from the events of a parser. No tree is built: a full dump's would fill the memory."""

    def __init__(self, path: Path):
        self.path, self.too_long = path, 0
        self.names: dict[str, str] = {}  # of files and of categories, by number
        self.elements: list[str] = []  # that are open
        self.page: dict[str, str] = {}
        self.pages: list[Page] = []
        self.key: str | None = None  # of the text being collected
        self.number: str | None = None  # of the namespace
        self.pieces: list[str] = []
        self.length = 0
        self.active = False

    def parse(self, stream: BinaryIO) -> Iterator[list[Page]]:
        """Yield the articles of a stream, in lists."""
        parser = expat.ParserCreate()
        parser.buffer_text, parser.buffer_size = True, CHUNK
        parser.StartElementHandler, parser.EndElementHandler = self._start, self._end
        parser.CharacterDataHandler, parser.StartDoctypeDeclHandler = self._characters, self._doctype
        silent = 0
        while chunk := stream.read(CHUNK):
            self.active = False
            parser.Parse(chunk)
            silent = 0 if self.active else silent + len(chunk)
            if silent > TAG:
                raise ValueError(f"{self.path}, line {parser.CurrentLineNumber}: a tag of more than {TAG:,} bytes")
            yield self.pages
            self.pages = []
        parser.Parse(b"", True)

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        self.active = True
        if not self.elements and name != "mediawiki":
            raise ValueError(f"{self.path}: not a MediaWiki dump: its first element is <{name}>, not <mediawiki>")
        if len(self.elements) == DEPTH:
            raise ValueError(f"{self.path}: broken XML dump: more than {DEPTH} elements in one another")
        self.elements.append(name)
        key = KEPT.get(tuple(self.elements)) if len(self.elements) < 5 else None
        if len(self.elements) == 2:
            self.page = {}
        elif name == "redirect" and len(self.elements) == 3:
            self.page["redirect"] = ""
        self.number = attributes.get("key")
        if key == "namespace" and self.number not in (MEDIA, CATEGORY):
            key = None
        self.key = key if key not in self.page else None
        self.pieces, self.length = [], 0

    def _characters(self, text: str) -> None:
        self.active = True
        if self.key:
            self.length += len(text)
            if self.length <= LONGEST:
                self.pieces.append(text)

    def _end(self, name: str) -> None:
        self.active = True
        if self.key:
            text = "".join(self.pieces)
            if self.key != "namespace":
                self.page[self.key] = text
                self.page |= {"too long": ""} if self.length > LONGEST else {}
            elif 0 < self.length <= NAME:
                self.names[self.number] = text
            self.key = None
        if self.elements == ["mediawiki", "page"]:
            self._finish(self.page)
        self.elements.pop()

    def _finish(self, page: dict[str, str]) -> None:
        """Take up a page that has ended, if it is an article."""
        where = f"{self.path}: the page {page.get('title', '')[:80]!r}"
        for key in ("ns", "id"):
            if key not in page:
                raise ValueError(f"{where} has no <{key}>")
        if not (page["id"].isascii() and page["id"].isdigit() and len(page["id"]) < 20):
            raise ValueError(f"{where} has the <id> {page['id'][:40]!r}, which is no number")
        if page["ns"] == "0" and page.get("text") and "redirect" not in page:
            if "too long" in page:
                self.too_long += 1
            else:
                self.pages.append(
                    Page(int(page["id"]), page["text"], (*wikitext.MEDIA, *wikitext.CATEGORY, *self.names.values()))
                )

    def _doctype(self, *_) -> None:
        raise ValueError(f"{self.path}: has a document type; a MediaWiki dump has none")
