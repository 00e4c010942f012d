"""Wiki markup to paragraphs of plain text, in linear time: what gensim drops, and what that leaves over."""

import re
from collections.abc import Iterable
from functools import cache

from gensim.corpora.wikicorpus import remove_template

from biassay.corpora import markup as marks

MEDIA = ("File", "Image", "Media")  # English names, which work in every wiki beside its own
CATEGORY = ("Category",)
# elements whose content is no running text
_ELEMENTS = "ref|gallery|imagemap|timeline|math|chem|ce|score|hiero|graph|mapframe|syntaxhighlight|source|templatedata"
_EMPTY = re.compile(rf"<(?:{_ELEMENTS}|references|br|hr)\b[^<>]*/>", re.IGNORECASE)
_BEGIN = re.compile(rf"<({_ELEMENTS})\b[^<>]*>", re.IGNORECASE | re.ASCII)
_END = {name: re.compile(rf"</{name}\s*>", re.IGNORECASE | re.ASCII) for name in _ELEMENTS.split("|")}
_COMMENT = re.compile("<!--"), re.compile("-->")
_BREAK = re.compile(r"<br\s*/?>", re.IGNORECASE)
_MAGIC = re.compile(r"__[A-Z]+__")
_LANGUAGE = re.compile(r"^\[\[[a-z]{2,3}(?:-[a-z]+)*:[^\[\]]*\]\][ \t]*$", re.MULTILINE)
_URL = re.compile(r"\b(?:https?|ftp)://\S+")
_QUOTES = re.compile(r"'{2,}")
_EMPTY_BRACKETS = re.compile(r"\([,;:\s]*+(?:(?:or|and|also)[,;:\s]*+)?\)")
_HEADING = re.compile(r"(={1,6})(.+?)\1$")
_OPEN = re.compile(r"\(\s*+[,;:][\s,;:]*")
_SPACES = re.compile(r"[ \t\xa0]+")
_SPACE_BEFORE = re.compile(r" +([,.;:!?)])")
LISTS = tuple("*#;:|!{}")  # a line that begins so is an item of a list or a left-over of a table


def paragraphs(markup: str, namespaces: Iterable[str] = (*MEDIA, *CATEGORY)) -> list[str]:
    """Running text and headings of an article, a paragraph each.

    Templates, tables, references, formulas, files with their captions, categories, lists and headings with nothing
    below them are dropped, as wikiextractor does. `namespaces`: the wiki's names of files and categories.
    """
    text = _without_elements(_EMPTY.sub(" ", marks.without(markup, *_COMMENT)))  # an empty <ref/> must not open one
    text = _without_tables(remove_template(_BREAK.sub("\n", text)))
    link, dropped = _links(tuple(namespaces))
    text = dropped.sub("", link.sub(r"\1", _LANGUAGE.sub("", text)))
    text = marks.plain(_MAGIC.sub("", text))
    text = _QUOTES.sub("", _URL.sub("", text))
    lines = map(_tidy, text.splitlines())
    return _with_filled_headings(line for line in lines if re.search(r"[^\W\d_]", line) and not line.startswith(LISTS))


@cache
def _links(names: tuple[str, ...]) -> tuple[re.Pattern, re.Pattern]:
    """Links with their text, and links to files and categories, in whose captions links are already text.

    A colon before its name makes a link to a category an ordinary one.
    """
    own = rf"\s*(?:{'|'.join(map(re.escape, names))})\s*:"
    ordinary = re.compile(rf"\[\[(?!{own})(?:[^\[\]|]*\|)?:?([^\[\]]*)\]\]", re.IGNORECASE)
    return ordinary, re.compile(rf"\[\[{own}(?:[^\[\]]++|\[[^\[\]]*+\])*+\]\]", re.IGNORECASE)


def _without_elements(text: str) -> str:
    """The text without elements that are no running text; one that does not end stays, and its like behind it."""
    kept, done, at, endless = [], 0, 0, set()
    while begin := _BEGIN.search(text, at):
        name, at = begin[1].lower(), begin.end()
        end = None if name in endless else _END[name].search(text, at)
        if end:
            kept.append(text[done : begin.start()])
            done = at = end.end()
        else:
            endless.add(name)
    return " ".join([*kept, text[done:]])


def _without_tables(text: str) -> str:
    """The text without tables, which may stand in one another."""
    kept, depth = [], 0
    for line in text.split("\n"):
        start = line.lstrip(" :*\t")
        if start.startswith("{|"):
            depth += 1
        elif depth and start.startswith("|}"):
            depth -= 1
            line = start[2:]
        if not depth:
            kept.append(line)
    return "\n".join(kept)


def _tidy(line: str) -> str:
    """A line without what removed markup leaves: empty brackets and doubled spaces."""
    line = _OPEN.sub("(", _EMPTY_BRACKETS.sub("", line))
    return _SPACE_BEFORE.sub(r"\1", _SPACES.sub(" ", line)).strip()


def _with_filled_headings(lines: Iterable[str]) -> list[str]:
    """The lines with headings as sentences, without those that no text follows."""
    kept, waiting = [], []
    for line in lines:
        heading = _HEADING.match(line)
        if heading:
            level = len(heading[1])
            waiting = [(above, title) for above, title in waiting if above < level] + [(level, heading[2].strip())]
        else:
            kept += [f"{title}." for _, title in waiting] + [line]
            waiting = []
    return kept
