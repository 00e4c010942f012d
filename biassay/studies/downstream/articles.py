"""Articles in Wikipedia text: titles, first sentences and running text."""

import re
from collections.abc import Iterable, Iterator
from itertools import accumulate, groupby
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


def read(paths: list[str], markup: bool) -> Iterator[tuple[str, list[str]]]:
    """Yield the title ("" if unknown) and paragraphs, without headings, of the articles of text files.

    With markup articles are marked as <doc title="…">, else an empty line ends one. MAX_LENGTH characters of each are
    read. Raises ValueError, which names the file, if it is not text or lacks markup.
    """
    progress = Progress("reading articles", sum(Path(path).stat().st_size for path in paths) / 1e6, "MB on disk")
    for path in paths:
        has_articles, split = False, _split_at_tags if markup else _split_at_empty_lines
        for title, lines in split(_read_lines(path, progress)):
            has_articles = True
            if paragraphs := _find_paragraphs(title, lines, markup):
                yield title, paragraphs
        if markup and not has_articles:
            expected = "expected output of wikiextractor, or set source: wikipedia"
            raise ValueError(f'{path}: no <doc … title="…">; {expected}')


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


def _read_lines(path: str, progress: Progress) -> Iterator[str]:
    done = 0
    for block, position in plain_text.read_blocks(path):
        yield from block.removesuffix("\n").split("\n")
        progress.add((position - done) / 1e6)
        done = position


def _split_at_tags(lines: Iterable[str]) -> Iterator[tuple[str, list[str]]]:
    """Yield titles and lines between <doc … title="…"> and </doc>."""
    title, text = "", []
    for line in lines:
        if line.startswith("<doc "):
            match = _TITLE.match(line)
            title, text = plain_text.remove_markup(match[1]).strip() if match else "", []
        elif line.startswith("</doc>"):
            if title:
                yield title, text
            title = ""
        elif title:
            text.append(line)


def _split_at_empty_lines(lines: Iterable[str]) -> Iterator[tuple[str, list[str]]]:
    return (("", list(text)) for has_text, text in groupby(lines, key=lambda line: bool(line.strip())) if has_text)


def _find_paragraphs(title: str, lines: list[str], markup: bool) -> list[str]:
    """Return running text: lines of at least MIN_WORDS words, and a first line that defines the title."""
    starts = accumulate(map(len, lines), initial=0)
    text = "\n".join(
        line[: MAX_LENGTH - start] for line, start in zip(lines, starts, strict=False) if start < MAX_LENGTH
    )
    text = plain_text.remove_markup(text) if markup else text
    rows = [row for line in text.split("\n") if (row := " ".join(line.split())) and row != title]
    return [
        row
        for number, row in enumerate(rows)
        if len(row.split()) >= MIN_WORDS or (number == 0 and _DEFINITION.search(row))
    ]
