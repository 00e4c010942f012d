"""Wiki markup without its marks, as gensim's `filter_wiki` leaves it, in linear time.

gensim's patterns look for an end behind every beginning, which takes quadratic time where ends are lacking. The steps
here give what those give, and none looks twice at the same text.
"""

import re

from gensim.corpora.wikicorpus import remove_template
from gensim.utils import decode_htmlentities

PASSES = 3
_UNWRITABLE = re.compile(r"[\0\ud800-\udfff]")  # what a reference such as &#0; may stand for
_LANGUAGE = re.compile(r"\n\[\[[a-z][a-z][\w-]*:[^:\]]+\]\]")
_FILE = re.compile(r"\[\[(?:[fF]ile:|[iI]mage)")
_DROPPED = [
    (re.compile(begin), re.compile(end))
    for begin, end in (
        ("<!--", "-->"),
        ("<ref[> ]", "</ref>|/>"),
        ("<nowiki[> ]", "</nowiki>|/>"),
        ("<math[> ]", "</math>|/>"),
        ("<", ">"),
    )
]
_CATEGORY = re.compile(r"\[\[Category:[^][]*\]\]")
_EXTERNAL = re.compile(r"\[\w+://")
_EXTERNAL_END = re.compile(r"[\]\n]")
_BRACKETS = re.compile(r"\[([^][]*)\]")
_TABLE_LINE = re.compile(r"(?:\{\||\|-(?!\d)|\|\}).*")
_CELL = re.compile(r"(?<=(\n )|(\n\n)|(  )|(.\n)|(.\t))[|!]")
_CELL_END = re.compile(r"[\[\]\n]")
_STYLES = "bgcolor|\\d?[ ]?colspan|rowspan|style=|class=|align="
_STYLE_LINE = re.compile(rf"\n.{{0,4}}(?:{_STYLES}|scope=).*|^.{{0,2}}(?:{_STYLES}).*")


def without(text: str, begin: re.Pattern, end: re.Pattern) -> str:
    """The text without what stands from a beginning to the next end; a beginning without an end stays."""
    kept, done = [], 0
    while (first := begin.search(text, done)) and (last := end.search(text, first.end())):
        kept.append(text[done : first.start()])
        done = last.end()
    return "".join([*kept, text[done:]])


def plain(text: str) -> str:
    """Text of markup: entities decoded; templates, comments, references, tags and the targets of links left out."""
    text = _UNWRITABLE.sub("", decode_htmlentities(text))
    text = _captions(remove_template(_without_languages(text)))
    for _ in range(PASSES):
        before = text
        for begin, end in _DROPPED:
            text = without(text, begin, end)
        text = _BRACKETS.sub(_shown, _descriptions(_CATEGORY.sub("", text)))
        text = _cells(text).replace("[]", "")
        if text == before:
            break
    return text.replace("[", "").replace("]", "")


def _without_languages(text: str) -> str:
    """The text without the links to other languages at its end."""
    end = len(text) - text.endswith("\n")
    start = end
    for link in reversed(list(_LANGUAGE.finditer(text))):
        if link.end() != start:
            break
        start = link.start()
    return text[:start] + text[end:]


def _captions(text: str) -> str:
    """The text with captions, what stands behind the last bar, in place of files."""
    kept, done, at = [], 0, 0
    while (first := _FILE.search(text, at)) and (last := text.find("]", first.end())) >= 0:
        at = last + 1
        if text.startswith("]]", last):
            at = last + 2
            kept += [text[done : first.start()], text[first.start() : last].split("|")[-1]]
            done = at
    return "".join([*kept, text[done:]])


def _descriptions(text: str) -> str:
    """The text with their descriptions in place of links to other sites."""
    kept, done, at = [], 0, 0
    while (first := _EXTERNAL.search(text, at)) and (last := _EXTERNAL_END.search(text, first.end())):
        at = last.end()
        if last[0] == "]":
            inside = text[first.end() : last.start()]
            kept += [text[done : first.start()], inside[inside.find(" ") :] if " " in inside else ""]
            done = at
    return "".join([*kept, text[done:]])


def _shown(brackets: re.Match) -> str:
    """What stands behind the last bar in brackets, that is what a link shows."""
    return brackets[1].rpartition("|")[2] if "|" in brackets[1] else brackets[0]


def _cells(text: str) -> str:
    """The text with each cell of tables on a line, without what formats them."""
    text = text.replace("!!", "\n|").replace("|-||", "\n|")
    end = text.rfind("\n") + 1
    text = _TABLE_LINE.sub("\n", text[:end]) + text[end:]
    text = text.replace("|||", "|\n|").replace("||", "\n|")
    return _STYLE_LINE.sub("\n", _without_formats(text))


def _without_formats(text: str) -> str:
    """The text with an end of line in place of the bar before a cell and of formats, up to the last bar of its line."""
    kept, done, stop, bar = [], 0, -1, -1
    for cell in _CELL.finditer(text):
        if cell.start() < done:
            continue
        if cell.end() > stop:
            found = _CELL_END.search(text, cell.end())
            stop = found.start() if found else len(text)
            bar = text.rfind("|", cell.end(), stop)
        kept.append(text[done : cell.start()])
        done = max(cell.end(), bar + 1)
    return "\n".join([*kept, text[done:]])
