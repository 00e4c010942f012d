"""From raw text to streams of lower-case words: reading, decompressing, splitting into sentences."""

import bz2
import gzip
import html
import io
import lzma
import re
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import BinaryIO

import numpy as np

from biassay.support import guard

OPENERS = {".gz": gzip.open, ".bz2": bz2.open, ".xz": lzma.open}
BLOCK = 1 << 22  # characters a block
MARKS = 30  # combining marks in a row that are kept where they must be sorted, as in Unicode's stream-safe format

SENTENCE_END = 1  # stands for the end of a sentence in a block of code points
MARK = chr(SENTENCE_END)
SPACE, FULL_STOP = 32, 46
_TAG = re.compile(r"<[^<>\n]*>")
_FORMULA = re.compile(r"\bformula_\d+")
_RUN = re.compile(rf"[\u0300-\U0010ffff]{{{MARKS + 1},}}")  # all marks are among these
_LONG_NUMBER = re.compile(r"&#\d{1000,};?")


@contextmanager
def open_binary(path: str | Path, what: str) -> Iterator[tuple[BinaryIO, BinaryIO]]:
    """A file's bytes, decompressed by its suffix, and the file itself, whose place says how much is read.

    Raises ValueError that names the file and `what` it should be where the block cannot read it, and where more than
    guard.RATIO times its size is unpacked.
    """
    path = Path(path)
    with guard.reading(path, what), open(path, "rb") as file:
        if path.suffix in OPENERS:
            yield io.BufferedReader(guard.Unpacked(path, OPENERS[path.suffix](file))), file
        else:
            yield file, file


def read_blocks(path: str | Path) -> Iterator[tuple[str, int]]:
    """Yield a file's text (plain, .gz, .bz2 or .xz) in blocks that end with a line or, in long lines, with a word.

    Beside each block stands how many bytes of the file are read. A block has BLOCK characters and less than a line
    more, whatever the file unpacks to; a word longer than that is cut. Raises ValueError, naming the file, where it is
    not UTF-8 text or its compression is broken.
    """
    path = Path(path)
    rest = ""
    with open_binary(path, f"{path.suffix if path.suffix in OPENERS else 'text'} file") as (stream, file):
        reader = io.TextIOWrapper(stream, encoding="utf-8")
        while block := reader.read(BLOCK):
            if "\0" in block:
                raise ValueError(f"{path}: not a text file (it has NUL characters); give UTF-8 text")
            cut = 1 + (block.rfind("\n") if "\n" in block else block.rfind(" "))
            yield rest + block[:cut], file.tell()
            rest = block[cut:]
        yield rest, file.tell()


def split_words(text: str, boundaries: str = "sentence", markup: bool = False) -> list[str]:
    """Split text into lower-case words of Unicode letters, with MARK where a line or sentence ends.

    Digits and punctuation are dropped. `boundaries` is "sentence" (a full stop, question or exclamation mark before white
    space, unless it follows an initial, or a line's end) or "line". With `markup`, tags such as wikiextractor's
    <doc …> and its formula_12 placeholders are dropped first.
    """
    if markup:
        text = remove_markup(text)
    if not text.isascii():  # by lines: one that is not normal makes work for itself only
        text = "\n".join(map(_composed, text.split("\n")))
    if not text:
        return []
    codes = np.frombuffer(text.encode("utf-32-le"), dtype=np.uint32)
    clean = _letters()[codes]
    if boundaries == "sentence":
        clean[_sentence_ends(codes, clean)] = SENTENCE_END
    return clean.tobytes().decode("utf-32-le").replace(MARK, f" {MARK} ").split()


def remove_markup(text: str) -> str:
    """Text without tags such as wikiextractor's <doc …> and its formula_12 placeholders."""
    text = _TAG.sub("\n", text)
    try:
        text = html.unescape(text)
    except ValueError:  # a number of thousands of digits
        text = html.unescape(_LONG_NUMBER.sub("\ufffd", text))
    return _FORMULA.sub(" ", text)


def _composed(line: str) -> str:
    """A line in NFC; of combining marks in a row MARKS are kept, since to sort them takes quadratic time."""
    return line if unicodedata.is_normalized("NFC", line) else unicodedata.normalize("NFC", _RUN.sub(_few_marks, line))


def _few_marks(run: re.Match) -> str:
    kept, marks = [], 0
    for letter in run[0]:
        marks = marks + 1 if unicodedata.combining(letter) else 0
        if marks <= MARKS:
            kept.append(letter)
    return "".join(kept)


def add_article(word: str) -> str:
    """The word with its indefinite article, by its first letters."""
    return f"an {word}" if word[:1] in tuple("aeiou") and not word.startswith(("uni", "eu")) else f"a {word}"


@cache
def _letters() -> np.ndarray:
    """A table from code point to what is kept of it: a lower-case letter, a combining mark, a line's end or a space."""
    table = np.full(0x110000, SPACE, dtype=np.uint32)
    for code in range(0x110000):
        character = chr(code)
        if character.isalpha():
            table[code] = ord(character.lower()[0])
        elif unicodedata.category(character) in ("Mn", "Mc"):
            table[code] = code
    table[[10, 13, 0x2028, 0x2029]] = SENTENCE_END
    return table


def _sentence_ends(codes: np.ndarray, clean: np.ndarray) -> np.ndarray:
    """Positions of full stops, question and exclamation marks that end a sentence."""
    ends = np.flatnonzero((codes == FULL_STOP) | (codes == ord("!")) | (codes == ord("?")))
    after = codes[np.minimum(ends + 1, len(codes) - 1)]
    ends = ends[(after <= SPACE) | np.isin(after, [ord('"'), ord("'"), ord(")"), 0x201D, 0x2019])]
    # an initial: one letter between a space or a full stop and this full stop, as in J. Smith or the U.S. Army
    before, second = clean[np.maximum(ends - 1, 0)], np.where(ends > 1, codes[np.maximum(ends - 2, 0)], SPACE)
    initial = (before > SPACE) & ((second <= SPACE) | (second == FULL_STOP)) & (codes[ends] == FULL_STOP)
    return ends[~initial]
