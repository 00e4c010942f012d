"""Conversion of wiki markup to paragraphs of plain text, in linear time: more thorough than gensim's."""

import re
from collections.abc import Iterable
from functools import cache

from gensim.corpora.wikicorpus import remove_template
from gensim.utils import decode_htmlentities

MEDIA = ("File", "Image", "Media")  # English names, which work in every wiki
CATEGORY = ("Category",)
# elements whose content is not running text
_ELEMENTS = "ref|gallery|imagemap|timeline|math|chem|ce|score|hiero|graph|mapframe|syntaxhighlight|source|templatedata"
_EMPTY = re.compile(rf"<(?:{_ELEMENTS}|references|br|hr)\b[^<>]*/>", re.IGNORECASE)
_BEGIN = re.compile(rf"<({_ELEMENTS})\b[^<>]*>", re.IGNORECASE | re.ASCII)
_END = {name: re.compile(rf"</{name}\s*>", re.IGNORECASE | re.ASCII) for name in _ELEMENTS.split("|")}
_BREAK = re.compile(r"<br\s*/?>|</?(?:li|p|div|blockquote)\b[^<>]*>", re.IGNORECASE)
_SPACES_AND_DASHES = r"nbsp|spaces?|snds?|sndash|spnd|(?:spaced )?[mn]dash|e[mn] ?dash"
_SPACING = re.compile(rf"\{{\{{\s*(?:{_SPACES_AND_DASHES})\s*(?:\|[^{{}}]*)?\}}\}}", re.IGNORECASE)
_MAGIC = re.compile(r"__[A-Z]+__")
_LANGUAGE = re.compile(r"^\[\[[a-z]{2,3}(?:-[a-z]+)*:[^\[\]]*\]\][ \t]*$", re.MULTILINE)
_UNWRITABLE = re.compile(r"[\0\ud800-\udfff]")  # possible results of a character reference such as &#0;
_TAG = re.compile(r"</?[A-Za-z][^<>]*>")
_EXTERNAL = re.compile(r"\[\w+://[^\[\]\n ]*+([^\[\]\n]*)\]")
_PIPED = re.compile(r"\[[^\[\]]*\|([^\[\]|]*)\]")
_BRACKET = re.compile(r"[\[\]]")
_URL = re.compile(r"\b(?:https?|ftp)://\S+")
_QUOTES = re.compile(
    r"(?<!')''(?!')((?:[^'\n]|'(?!'))+)''(?='s\b)|'{2,}"
)  # ''Emma'''s keeps its apostrophe (in italics only)
_EMPTY_BRACKETS = re.compile(r"\([,;:\s]*+(?:(?:or|and|also)[,;:\s]*+)?\)")
_HEADING = re.compile(r"(={1,6})(.+?)\1$")
_OPEN = re.compile(r"\(\s*+[,;:][\s,;:]*")
_SPACES = re.compile(r"[ \t\xa0]+")
_SPACE_BEFORE = re.compile(r" +([,.;:!?)])")
LISTS = tuple("*#;:|!{}")  # starts of list items and of table remains


def paragraphs(markup: str, namespaces: Iterable[str] = (*MEDIA, *CATEGORY)) -> list[str]:
    """Extract the paragraphs and headings of an article.

    Like wikiextractor, drops templates, tables, references, formulas, files with captions, categories, lists and
    headings without text below them. `namespaces` holds the names of the file and category namespaces.
    """
    text = _remove_elements(_EMPTY.sub(" ", _remove_comments(markup)))  # <ref/> starts no element
    text = _remove_tables(remove_template(_SPACING.sub(" ", _break_lines(text))))
    link, dropped = _links(tuple(namespaces))
    text = dropped.sub("", link.sub(r"\1", _LANGUAGE.sub("", text)))
    text = _strip_tags_and_brackets(_MAGIC.sub("", text))
    text = _QUOTES.sub(r"\1", _URL.sub("", text))
    lines = map(_tidy, text.splitlines())
    return _drop_empty_headings(line for line in lines if re.search(r"[^\W\d_]", line) and not line.startswith(LISTS))


def _remove_comments(text: str) -> str:
    """Remove comments. Keep a comment without an end."""
    parts, done = [], 0
    while (start := text.find("<!--", done)) >= 0 and (end := text.find("-->", start + 4)) >= 0:
        parts.append(text[done:start])
        done = end + 3
    return "".join([*parts, text[done:]])


def _break_lines(text: str) -> str:
    """Replace tags of blocks by ends of lines, in list items by a space."""
    return "\n".join(_BREAK.sub(" " if line.startswith(LISTS) else "\n", line) for line in text.split("\n"))


@cache
def _links(names: tuple[str, ...]) -> tuple[re.Pattern, re.Pattern]:
    """Compile patterns of ordinary links, and of links to files and categories, whose captions have no links left.

    A colon before the name makes a link to a category an ordinary link.
    """
    own = rf"\s*(?:{'|'.join(map(re.escape, names))})\s*:"
    ordinary = re.compile(rf"\[\[(?!{own})(?:[^\[\]|]*\|)?:?([^\[\]]*)\]\]", re.IGNORECASE)
    return ordinary, re.compile(rf"\[\[{own}(?:[^\[\]]++|\[[^\[\]]*+\])*+\]\]", re.IGNORECASE)


def _remove_elements(text: str) -> str:
    """Remove elements that are not running text. Keep an element without an end, and later ones of its name."""
    parts, done, at, endless = [], 0, 0, set()
    while begin := _BEGIN.search(text, at):
        name, at = begin[1].lower(), begin.end()
        end = None if name in endless else _END[name].search(text, at)
        if end:
            parts.append(text[done : begin.start()])
            done = at = end.end()
        else:
            endless.add(name)
    return " ".join([*parts, text[done:]])


def _remove_tables(text: str) -> str:
    """Remove tables, which may be nested."""
    kept_lines, depth = [], 0
    for line in text.split("\n"):
        start = line.lstrip(" :*\t")
        if start.startswith("{|"):
            depth += 1
        elif depth and start.startswith("|}"):
            depth -= 1
            line = start[2:]
        if not depth:
            kept_lines.append(line)
    return "\n".join(kept_lines)


def _strip_tags_and_brackets(text: str) -> str:
    """Decode entities; remove tags and brackets, except the description of a link or the text after a last bar."""
    text = _TAG.sub("", _UNWRITABLE.sub("", decode_htmlentities(text)))
    return _BRACKET.sub("", _PIPED.sub(r"\1", _EXTERNAL.sub(r"\1", text)))


def _tidy(line: str) -> str:
    """Remove what removed markup leaves in a line: empty brackets and double spaces."""
    line = _OPEN.sub("(", _EMPTY_BRACKETS.sub("", line))
    return _SPACE_BEFORE.sub(r"\1", _SPACES.sub(" ", line)).strip()


def _drop_empty_headings(lines: Iterable[str]) -> list[str]:
    """Turn headings into sentences, and drop headings that no text follows."""
    kept_lines, pending = [], []
    for line in lines:
        heading = _HEADING.match(line)
        if heading:
            level = len(heading[1])
            pending = [(above, title) for above, title in pending if above < level] + [(level, heading[2].strip())]
        else:
            kept_lines += [f"{title}." for _, title in pending] + [line]
            pending = []
    return kept_lines
