"""Plain text: reading and decompressing files, splitting text into lower-case words and sentences."""

import html
import io
import re
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache, partial
from pathlib import Path
from typing import BinaryIO

import numpy as np

from biassay.core import guard
from biassay.core.compression import OPENERS

BLOCK = 1 << 22  # characters per block

SENTENCE_END = 1  # code point that marks the end of a sentence or line
MARK = chr(SENTENCE_END)
REMOVED = 0  # code point of characters that are removed: soft hyphens, joiners and variation selectors
SPACE, FULL_STOP = 32, 46
_INLINE = re.compile(r"</?(?:a|b|i|u|em|strong|span)(?: [^<>\n]*=[^<>\n]*)?>", re.IGNORECASE)
_TAG = re.compile(r"</?[A-Za-z][^<>\n]*>")
_LIGATURE = re.compile("[\ufb00-\ufb06]")
_FORMULA = re.compile(r"\bformula_\d+")


@contextmanager
def open_binary(path: str | Path, what: str) -> Iterator[tuple[BinaryIO, BinaryIO]]:
    """Open a file, decompressed by its suffix; yield the stream and the file itself, whose position shows progress.

    Raises ValueError, naming the file and `what` was expected, if the file is broken.
    """
    path = Path(path)
    with guard.reading(path, what), open(path, "rb") as file:
        yield OPENERS[path.suffix](file) if path.suffix in OPENERS else file, file


def read_blocks(path: str | Path, markup: bool = False) -> Iterator[tuple[str, int]]:
    """Yield the text of a file (plain, .gz, .bz2 or .xz) in blocks, each with the number of file bytes read so far.

    A block ends at the end of a line or, within long lines, of a word. It has BLOCK characters plus less than a line.
    Raises ValueError if the file is not UTF-8 text, its compression is broken, or it should have `markup` and has none.
    """
    path = Path(path)
    rest = ""
    with open_binary(path, f"{path.suffix if path.suffix in OPENERS else 'text'} file") as (stream, file):
        reader = io.TextIOWrapper(stream, encoding="utf-8")
        for number, block in enumerate(iter(partial(reader.read, BLOCK), "")):
            if "\0" in block:
                raise ValueError(f"{path}: expected UTF-8 text, got NUL characters")
            if markup and number == 0 and "<doc" not in block:
                raise ValueError(f"{path}: no <doc …>; expected output of wikiextractor without its option --json")
            cut = 1 + (block.rfind("\n") if "\n" in block else block.rfind(" "))
            if cut:
                yield rest + block[:cut], file.tell()
                rest = ""
            rest += block[cut:]
        yield rest, file.tell()


def split_words(text: str, boundaries: str = "sentence", markup: bool = False) -> list[str]:
    """Split text into lower-case words of Unicode letters, without digits, punctuation and invisible characters.

    MARK is inserted at the end of each "line", or also of each "sentence" (a full stop, question mark or exclamation
    mark before white space, unless it follows an initial). `markup` says whether to remove tags and placeholders first.
    """
    if markup:
        text = remove_markup(text)
    text = unicodedata.normalize("NFC", text)
    if not text:
        return []
    codes = np.frombuffer(text.encode("utf-32-le"), dtype=np.uint32)
    clean = _letters()[codes]
    if boundaries == "sentence":
        clean[_sentence_ends(codes, clean)] = SENTENCE_END
    letters = str(clean, "utf-32-le").replace(chr(REMOVED), "")
    if np.any((codes >= 0xFB00) & (codes <= 0xFB06)):  # faster than a search of the text
        letters = _LIGATURE.sub(lambda ligature: unicodedata.normalize("NFKC", ligature[0]), letters)
    return letters.replace(MARK, f" {MARK} ").split()


def remove_markup(text: str) -> str:
    """Remove what wikiextractor adds: tags, which end a line unless they are links or styles, and formula_12."""
    return _FORMULA.sub(" ", html.unescape(_TAG.sub("\n", _INLINE.sub("", text))))


def add_article(word: str) -> str:
    """Return a word with its indefinite article, chosen by its first letters."""
    return f"an {word}" if word[:1] in tuple("aeiou") and not word.startswith(("uni", "eu")) else f"a {word}"


@cache
def _letters() -> np.ndarray:
    """Map code points to a lower-case letter, a combining mark, the end of a line, a space or REMOVED."""
    table = np.full(0x110000, SPACE, dtype=np.uint32)
    for code in range(0x110000):
        character = chr(code)
        if character.isalpha():
            table[code] = ord(character.lower()[0])
        elif unicodedata.category(character) in ("Mn", "Mc"):
            table[code] = code
    table[[0xAD, 0x200C, 0x200D, 0x2060, *range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0)]] = REMOVED
    table[[10, 13, 0x2028, 0x2029]] = SENTENCE_END
    return table


def _sentence_ends(codes: np.ndarray, clean: np.ndarray) -> np.ndarray:
    """Find the full stops, question marks and exclamation marks that end a sentence."""
    ends = np.flatnonzero((codes == FULL_STOP) | (codes == ord("!")) | (codes == ord("?")))
    after = codes[np.minimum(ends + 1, len(codes) - 1)]
    ends = ends[(after <= SPACE) | np.isin(after, [ord('"'), ord("'"), ord(")"), 0x201D, 0x2019])]
    # an initial: one letter between a space or a full stop and this full stop, as in J. Smith or the U.S. Army
    before, second = clean[np.maximum(ends - 1, 0)], np.where(ends > 1, codes[np.maximum(ends - 2, 0)], SPACE)
    initial = (before > SPACE) & ((second <= SPACE) | (second == FULL_STOP)) & (codes[ends] == FULL_STOP)
    return ends[~initial]
