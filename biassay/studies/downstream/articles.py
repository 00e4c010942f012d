"""Articles of Wikipedia's text, one at a time: their titles, first sentences and running text."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from biassay.corpora import plain_text
from biassay.support.logs import Progress

LONGEST = 20_000  # characters of an article that are looked at
HEADING = 8  # words that a line has to have; headings and items of lists have fewer
FIRST = 800  # characters that a first sentence may have

_TITLE = re.compile(r'<doc\b[^<>]*\btitle="([^"]*)"')
_SAYS = re.compile(r" (?:is|was) .*\.")
_BRACKETS = re.compile(r"\s*(?:\([^()]*\)|\[[^\[\]]*\])")
_SHORT = re.compile(
    r"(?<!\bWar )\b(?:[^\W\d_]|St|Dr|Mrs?|Ms|[JS]r|Prof|Rev|Gen|Col|Capt|Lt|ca|No|vs|Ph)$"
)  # an initial, or cut
_END = re.compile(r"[.!?][\"”’')]*\s+(?=[\"“‘'(\[]?[^\W\d_a-z])")


@dataclass(frozen=True)
class Article:
    """An article's title ("" where none is stored) and its paragraphs, without headings, cut after LONGEST."""

    title: str
    paragraphs: list[str]


def read(paths: list[str], markup: bool) -> Iterator[Article]:
    """Yield the articles of text files: <doc title="…"> … </doc>, or, without markup, paragraphs up to an empty line.

    Memory holds a block of text. Raises ValueError, naming the file, where it is no text, and, with markup, where
    it has no <doc title="…">.
    """
    progress = Progress("reading articles", sum(Path(path).stat().st_size for path in paths) / 1e6, "MB on disk")
    for path in paths:
        found = 0
        for title, lines in _marked(_lines(path, progress)) if markup else _plain(_lines(path, progress)):
            found += 1
            if paragraphs := _paragraphs(title, lines, markup):
                yield Article(title, paragraphs)
        if markup and not found:
            raise ValueError(f'{path}: has no <doc … title="…">; give output of wikiextractor, or source: wikipedia')


def first_sentence(paragraph: str) -> tuple[str, str]:
    """A paragraph's first sentence, and what is left of it."""
    for end in _END.finditer(paragraph, 0, FIRST):
        if end[0][0] != "." or not _SHORT.search(paragraph, 0, end.start()):
            return paragraph[: end.end()].strip(), paragraph[end.end() :].strip()
    return paragraph[:FIRST], ""


def without_brackets(text: str) -> str:
    """A text without what stands in brackets, which may stand in one another."""
    for _ in range(3):
        text = _BRACKETS.sub("", text)
    return text


def _lines(path: str, progress: Progress) -> Iterator[str]:
    """Lines of a file; of one that goes over blocks its begin is kept."""
    rest, done = "", 0
    for block, position in plain_text.read_blocks(path):
        *whole, rest = (rest + block).split("\n")
        rest = rest[:LONGEST]
        yield from whole
        progress.add((position - done) / 1e6)
        done = position
    yield rest


def _marked(lines: Iterator[str]) -> Iterator[tuple[str, list[str]]]:
    title, kept, size = None, [], 0
    for line in lines:
        if line.startswith("<doc "):
            match = _TITLE.match(line)
            title, kept, size = match and plain_text.remove_markup(match[1]).strip(), [], 0
        elif line.startswith("</doc>"):
            if title:
                yield title, kept
            title = None
        elif title and size < LONGEST:
            kept.append(line[: LONGEST - size])
            size += len(kept[-1])


def _plain(lines: Iterator[str]) -> Iterator[tuple[str, list[str]]]:
    kept, size = [], 0
    for line in lines:
        if not line.strip():
            yield "", kept
            kept, size = [], 0
        elif size < LONGEST:
            kept.append(line[: LONGEST - size])
            size += len(kept[-1])
    yield "", kept


def _paragraphs(title: str, lines: list[str], markup: bool) -> list[str]:
    """Running text: lines of HEADING words and more, and a first line that says what something is."""
    text = "\n".join(lines)
    text = plain_text.remove_markup(text) if markup else text
    rows = [" ".join(line.split()) for line in text.split("\n")]
    rows = [row for row in rows if row and row != title]
    return [
        row for number, row in enumerate(rows) if len(row.split()) >= HEADING or (number == 0 and _SAYS.search(row))
    ]
