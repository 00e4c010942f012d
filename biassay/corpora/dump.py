"""Stream the pages of MediaWiki XML dumps. Memory holds one page."""

import logging
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

from biassay.core.logs import Progress
from biassay.corpora import plain_text, wikitext

MEDIA, CATEGORY = "6", "14"  # numbers of the namespaces of files and categories, the same in all wikis
MAX_LENGTH = 1 << 22  # characters of markup; Wikipedia allows 2 MiB per page


@dataclass(frozen=True)
class Page:
    """An article: its page id, its markup, and the names of the file and category namespaces of the wiki."""

    number: int
    markup: str
    namespaces: tuple[str, ...]


def read(path: str | Path) -> Iterator[Page]:
    """Yield the articles of a dump (.xml, or compressed), without redirects.

    Articles of more than MAX_LENGTH characters are skipped and counted in the log. Raises ValueError if the file is
    broken, or a page has no number or namespace.
    """
    path, names, n_skipped, done = Path(path), [*wikitext.MEDIA, *wikitext.CATEGORY], 0, 0
    progress = Progress(f"reading {path.name}", path.stat().st_size / 1e6, "MB on disk")
    with plain_text.open_binary(path, "XML dump") as (stream, file):
        events = ElementTree.iterparse(stream, ("start", "end"))
        _, root = next(events)
        if _tag(root) != "mediawiki":
            raise ValueError(
                f"{path}: expected a MediaWiki dump with the first element <mediawiki>, got <{_tag(root)}>"
            )
        for event, element in events:
            if event == "end" and _tag(element) == "namespace" and element.get("key") in (MEDIA, CATEGORY):
                names += [element.text] if element.text else []
            elif event == "end" and _tag(element) == "page":
                page = _parse_page(path, element, tuple(names))
                root.clear()  # else memory would hold all pages
                if page and len(page.markup) <= MAX_LENGTH:
                    yield page
                elif page:
                    n_skipped += 1
                progress.add((file.tell() - done) / 1e6)
                done = file.tell()
    if n_skipped:
        logging.warning("%s: skipped %d articles of more than %d characters", path, n_skipped, MAX_LENGTH)


def _parse_page(path: Path, page: ElementTree.Element, names: tuple[str, ...]) -> Page | None:
    """Return a page if it is an article; raise ValueError, naming file and page, if it lacks a number or namespace."""
    namespace, number = page.findtext("{*}ns"), page.findtext("{*}id") or ""
    if namespace is None or not (number.isascii() and number.isdigit() and len(number) < 20):
        raise ValueError(
            f"{path}: page {page.findtext('{*}title', '')[:80]!r}: expected <ns> and <id> with numbers, got "
            f"{str(namespace)[:40]!r} and {number[:40]!r}"
        )
    if len(page.findall("{*}revision")) > 1:
        raise ValueError(f"{path}: page {number}: expected one revision, as in …-pages-articles.xml.bz2, got several")
    markup = page.findtext("{*}revision/{*}text")
    is_article = namespace == "0" and markup and page.find("{*}redirect") is None
    return Page(int(number), markup, names) if is_article else None


def _tag(element: ElementTree.Element) -> str:
    """Return the name of an element without its XML namespace."""
    return element.tag.rpartition("}")[2]
