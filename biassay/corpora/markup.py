"""Removal of wiki markup with the results of gensim's `filter_wiki`, in linear time, except for a literal "<".

The patterns of gensim search for an end after each start, which takes quadratic time if ends are missing. The steps
here give the same results and read each text once. gensim drops the text between any "<", as in p < 0.05, and the next
">", however far; we drop tags only.
"""

import re

from gensim.corpora.wikicorpus import remove_template
from gensim.utils import decode_htmlentities

N_PASSES = 3
_UNWRITABLE = re.compile(r"[\0\ud800-\udfff]")  # possible results of a character reference such as &#0;
_LANGUAGE = re.compile(r"\n\[\[[a-z][a-z][\w-]*:[^:\]]+\]\]")
_FILE = re.compile(r"\[\[(?:[fF]ile:|[iI]mage)")
_DROPPED = [
    (re.compile(begin), re.compile(end))
    for begin, end in (
        ("<!--", "-->"),
        ("<ref[> ]", "</ref>|/>"),
        ("<nowiki[> ]", "</nowiki>|/>"),
        ("<math[> ]", "</math>|/>"),
    )
]
TAG = re.compile(r"</?[A-Za-z][^<>]*>")
_CATEGORY = re.compile(r"\[\[Category:[^][]*\]\]")
_EXTERNAL = re.compile(r"\[\w+://")
_EXTERNAL_END = re.compile(r"[\]\n]")
_BRACKETS = re.compile(r"\[([^][]*)\]")
_TABLE_LINE = re.compile(r"(?:\{\||\|-(?!\d)|\|\}).*")
_CELL = re.compile(r"(?<=(\n )|(\n\n)|(  )|(.\n)|(.\t))[|!]")
_CELL_END = re.compile(r"[\[\]\n]")
_STYLES = "bgcolor|\\d?[ ]?colspan|rowspan|style=|class=|align="
_STYLE_LINE = re.compile(rf"\n.{{0,4}}(?:{_STYLES}|scope=).*|^.{{0,2}}(?:{_STYLES}).*")


def remove_between(text: str, begin: re.Pattern, end: re.Pattern) -> str:
    """Remove the text from each start to the next end; keep a start without an end."""
    parts, done = [], 0
    while (first := begin.search(text, done)) and (last := end.search(text, first.end())):
        parts.append(text[done : first.start()])
        done = last.end()
    return "".join([*parts, text[done:]])


def strip_markup(text: str) -> str:
    """Convert markup to text: decode entities; remove templates, comments, references, tags and link targets."""
    text = _UNWRITABLE.sub("", decode_htmlentities(text))
    text = _replace_files(remove_template(_remove_language_links(text)))
    for _ in range(N_PASSES):
        before = text
        for begin, end in _DROPPED:
            text = remove_between(text, begin, end)
        text = _CATEGORY.sub("", TAG.sub("", text))
        text = _BRACKETS.sub(_link_text, _replace_external_links(text))
        text = _split_cells(text).replace("[]", "")
        if text == before:
            break
    return text.replace("[", "").replace("]", "")


def _remove_language_links(text: str) -> str:
    """Remove the links to other languages at the end of a text."""
    end = len(text) - text.endswith("\n")
    start = end
    for link in reversed(list(_LANGUAGE.finditer(text))):
        if link.end() != start:
            break
        start = link.start()
    return text[:start] + text[end:]


def _replace_files(text: str) -> str:
    """Replace files by their captions, the text after the last bar."""
    parts, done, at = [], 0, 0
    while (first := _FILE.search(text, at)) and (last := text.find("]", first.end())) >= 0:
        at = last + 1
        if text.startswith("]]", last):
            at = last + 2
            parts += [text[done : first.start()], text[first.start() : last].split("|")[-1]]
            done = at
    return "".join([*parts, text[done:]])


def _replace_external_links(text: str) -> str:
    """Replace links to other sites by their descriptions."""
    parts, done, at = [], 0, 0
    while (first := _EXTERNAL.search(text, at)) and (last := _EXTERNAL_END.search(text, first.end())):
        at = last.end()
        if last[0] == "]":
            inside = text[first.end() : last.start()]
            parts += [text[done : first.start()], inside[inside.find(" ") :] if " " in inside else ""]
            done = at
    return "".join([*parts, text[done:]])


def _link_text(brackets: re.Match) -> str:
    """Return the visible text of a link: the text after the last bar."""
    return brackets[1].rpartition("|")[2] if "|" in brackets[1] else brackets[0]


def _split_cells(text: str) -> str:
    """Put each table cell on its own line, without cell formats."""
    text = text.replace("!!", "\n|").replace("|-||", "\n|")
    end = text.rfind("\n") + 1
    text = _TABLE_LINE.sub("\n", text[:end]) + text[end:]
    text = text.replace("|||", "|\n|").replace("||", "\n|")
    return _STYLE_LINE.sub("\n", _remove_cell_formats(text))


def _remove_cell_formats(text: str) -> str:
    """Replace the bar before a cell and its formats, up to the last bar of the line, by a line feed."""
    parts, done, stop, bar = [], 0, -1, -1
    for cell in _CELL.finditer(text):
        if cell.start() < done:
            continue
        if cell.end() > stop:
            cell_end = _CELL_END.search(text, cell.end())
            stop = cell_end.start() if cell_end else len(text)
            bar = text.rfind("|", cell.end(), stop)
        parts.append(text[done : cell.start()])
        done = max(cell.end(), bar + 1)
    return "\n".join([*parts, text[done:]])
