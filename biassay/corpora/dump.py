"""Stream the pages of MediaWiki XML dumps. Memory holds one page, up to a limit."""

import logging
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO
from xml.parsers import expat

from biassay.core.logs import Progress
from biassay.corpora import plain_text, wikitext

MEDIA, CATEGORY = "6", "14"  # numbers of the namespaces of files and categories, the same in all wikis
MAX_LENGTH = 1 << 22  # characters of markup; Wikipedia allows 2 MiB per page
CHUNK = 1 << 16  # bytes parsed at once
MAX_TAG = 1 << 20  # bytes of a tag
MAX_DEPTH = 100  # nested elements
MAX_NAME = 255  # characters of the name of a namespace
COLLECTED = {
    ("mediawiki", "page", "title"): "title",
    ("mediawiki", "page", "ns"): "ns",
    ("mediawiki", "page", "id"): "id",
    ("mediawiki", "page", "revision", "text"): "text",
    ("mediawiki", "siteinfo", "namespaces", "namespace"): "namespace",
}


@dataclass(frozen=True)
class Page:
    """An article: its page id, its markup, and the names of the file and category namespaces of the wiki."""

    number: int
    markup: str
    namespaces: tuple[str, ...]


def read(path: str | Path) -> Iterator[Page]:
    """Yield the articles of a dump (.xml, or compressed), without redirects.

    Articles of more than MAX_LENGTH characters are skipped and counted in the log. Raises ValueError if the file is
    broken, a page has no number or namespace, or there is a document type, which could define huge entities.
    """
    path = Path(path)
    progress = Progress(f"reading {path.name}", path.stat().st_size / 1e6, "MB on disk")
    with plain_text.open_binary(path, "XML dump") as (stream, file):
        pages, done = _Pages(path), 0
        for articles in pages.parse(stream):
            yield from articles
            progress.add((file.tell() - done) / 1e6)
            done = file.tell()
        if pages.too_long:
            logging.warning("%s: skipped %d articles of more than %d characters", path, pages.too_long, MAX_LENGTH)


class _Pages:
    """Collects pages from parser events, without a tree, which would not fit in memory for a full dump."""

    def __init__(self, path: Path):
        self.path, self.too_long = path, 0
        self.names: dict[str, str] = {}  # of the file and category namespaces, by number
        self.elements: list[str] = []  # open elements
        self.page: dict[str, str] = {}
        self.pages: list[Page] = []
        self.key: str | None = None  # of the collected text
        self.number: str | None = None  # of the current namespace
        self.parts: list[str] = []
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
            if silent > MAX_TAG:
                raise ValueError(f"{self.path}, line {parser.CurrentLineNumber}: a tag has more than {MAX_TAG:,} bytes")
            yield self.pages
            self.pages = []
        parser.Parse(b"", True)

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        self.active = True
        if not self.elements and name != "mediawiki":
            raise ValueError(f"{self.path}: expected a MediaWiki dump with the first element <mediawiki>, got <{name}>")
        if len(self.elements) == MAX_DEPTH:
            raise ValueError(f"{self.path}: broken XML dump: more than {MAX_DEPTH} nested elements")
        self.elements.append(name)
        key = COLLECTED.get(tuple(self.elements)) if len(self.elements) < 5 else None
        if len(self.elements) == 2:
            self.page = {}
        elif name == "redirect" and len(self.elements) == 3:
            self.page["redirect"] = ""
        self.number = attributes.get("key")
        if key == "namespace" and self.number not in (MEDIA, CATEGORY):
            key = None
        self.key = key if key not in self.page else None
        self.parts, self.length = [], 0

    def _characters(self, text: str) -> None:
        self.active = True
        if self.key:
            self.length += len(text)
            if self.length <= MAX_LENGTH:
                self.parts.append(text)

    def _end(self, name: str) -> None:
        self.active = True
        if self.key:
            text = "".join(self.parts)
            if self.key != "namespace":
                self.page[self.key] = text
                self.page |= {"too long": ""} if self.length > MAX_LENGTH else {}
            elif 0 < self.length <= MAX_NAME:
                self.names[self.number] = text
            self.key = None
        if self.elements == ["mediawiki", "page"]:
            self._finish(self.page)
        self.elements.pop()

    def _finish(self, page: dict[str, str]) -> None:
        """Add a complete page if it is an article."""
        where = f"{self.path}: page {page.get('title', '')[:80]!r}"
        for key in ("ns", "id"):
            if key not in page:
                raise ValueError(f"{where}: missing <{key}>")
        if not (page["id"].isascii() and page["id"].isdigit() and len(page["id"]) < 20):
            raise ValueError(f"{where}: <id>: expected a number, got {page['id'][:40]!r}")
        if page["ns"] == "0" and page.get("text") and "redirect" not in page:
            if "too long" in page:
                self.too_long += 1
            else:
                self.pages.append(
                    Page(int(page["id"]), page["text"], (*wikitext.MEDIA, *wikitext.CATEGORY, *self.names.values()))
                )

    def _doctype(self, *_) -> None:
        raise ValueError(f"{self.path}: unexpected document type; a MediaWiki dump has none")
