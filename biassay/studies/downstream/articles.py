"""Articles in Wikipedia text: titles, first sentences and running text."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from biassay.core.logs import Progress
from biassay.corpora import plain_text

MAX_LENGTH = 20_000  # characters of an article that are read
MIN_WORDS = 8  # of a line; headings and list items have fewer
MAX_SENTENCE = 800  # characters of a first sentence

_TITLE = re.compile(r'<doc\b[^<>]*\btitle="([^"]*)"')
_DEFINITION = re.compile(r" (?:is|was) .*\.")
_BRACKETS = re.compile(r"\s*(?:\([^()]*\)|\[[^\[\]]*\])")
_SHORT = re.compile(
    r"(?<!\bWar )\b(?:[^\W\d_]|St|Dr|Mrs?|Ms|[JS]r|Prof|Rev|Gen|Col|Capt|Lt|ca|No|vs|Ph)$"
)  # an initial or abbreviation
_END = re.compile(r"[.!?][\"”’')]*\s+(?=[\"“‘'(\[]?[^\W\d_a-z])")


@dataclass(frozen=True)
class Article:
    """An article: its title ("" if unknown) and its paragraphs without headings, up to MAX_LENGTH characters."""

    title: str
    paragraphs: list[str]


def read(paths: list[str], markup: bool) -> Iterator[Article]:
    """Yield the articles of text files, reading block by block.

    Parameters
    ----------
    paths : list of str
    markup : bool
        Whether articles are marked as <doc title="…"> … </doc>; otherwise an empty line ends an article.

    Raises
    ------
    ValueError
        If a file is not text, or lacks markup; the message names the file.
    """
    progress = Progress("reading articles", sum(Path(path).stat().st_size for path in paths) / 1e6, "MB on disk")
    for path in paths:
        n_articles = 0
        for title, lines in _marked(_lines(path, progress)) if markup else _plain(_lines(path, progress)):
            n_articles += 1
            if paragraphs := _paragraphs(title, lines, markup):
                yield Article(title, paragraphs)
        if markup and not n_articles:
            raise ValueError(
                f'{path}: no <doc … title="…">; expected output of wikiextractor, or set source: wikipedia'
            )


def first_sentence(paragraph: str) -> tuple[str, str]:
    """Split a paragraph into its first sentence and the rest."""
    for end in _END.finditer(paragraph, 0, MAX_SENTENCE):
        if end[0][0] != "." or not _SHORT.search(paragraph, 0, end.start()):
            return paragraph[: end.end()].strip(), paragraph[end.end() :].strip()
    return paragraph[:MAX_SENTENCE], ""


def remove_brackets(text: str) -> str:
    """Remove brackets and their content, up to three levels deep."""
    for _ in range(3):
        text = _BRACKETS.sub("", text)
    return text


def _lines(path: str, progress: Progress) -> Iterator[str]:
    """Yield the lines of a file; of a line across blocks only the beginning is kept."""
    rest, done = "", 0
    for block, position in plain_text.read_blocks(path):
        *whole, rest = (rest + block).split("\n")
        rest = rest[:MAX_LENGTH]
        yield from whole
        progress.add((position - done) / 1e6)
        done = position
    yield rest


def _marked(lines: Iterator[str]) -> Iterator[tuple[str, list[str]]]:
    title, text, size = None, [], 0
    for line in lines:
        if line.startswith("<doc "):
            match = _TITLE.match(line)
            title, text, size = match and plain_text.remove_markup(match[1]).strip(), [], 0
        elif line.startswith("</doc>"):
            if title:
                yield title, text
            title = None
        elif title and size < MAX_LENGTH:
            text.append(line[: MAX_LENGTH - size])
            size += len(text[-1])


def _plain(lines: Iterator[str]) -> Iterator[tuple[str, list[str]]]:
    text, size = [], 0
    for line in lines:
        if not line.strip():
            yield "", text
            text, size = [], 0
        elif size < MAX_LENGTH:
            text.append(line[: MAX_LENGTH - size])
            size += len(text[-1])
    yield "", text


def _paragraphs(title: str, lines: list[str], markup: bool) -> list[str]:
    """Return running text: lines of at least MIN_WORDS words, and a first line that defines the title."""
    text = "\n".join(lines)
    text = plain_text.remove_markup(text) if markup else text
    rows = [" ".join(line.split()) for line in text.split("\n")]
    rows = [row for row in rows if row and row != title]
    return [
        row
        for number, row in enumerate(rows)
        if len(row.split()) >= MIN_WORDS or (number == 0 and _DEFINITION.search(row))
    ]
