"""Plain text: reading and decompressing files, splitting text into lower-case words and sentences."""

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

from biassay.core import guard

OPENERS = {".gz": gzip.open, ".bz2": bz2.open, ".xz": lzma.open}
BLOCK = 1 << 22  # characters per block
MAX_MARKS = 30  # combining marks in a row to keep, as in Unicode's stream-safe format

SENTENCE_END = 1  # code point that marks the end of a sentence or line
MARK = chr(SENTENCE_END)
SPACE, FULL_STOP = 32, 46
_TAG = re.compile(r"<[^<>\n]*>")
_FORMULA = re.compile(r"\bformula_\d+")
_RUN = re.compile(rf"[\u0300-\U0010ffff]{{{MAX_MARKS + 1},}}")  # includes all combining marks
_LONG_NUMBER = re.compile(r"&#\d{1000,};?")


@contextmanager
def open_binary(path: str | Path, what: str) -> Iterator[tuple[BinaryIO, BinaryIO]]:
    """Open a file, decompressed by its suffix; yield the stream and the file itself, whose position shows progress.

    Raises ValueError, naming the file and `what` was expected, if the file cannot be read or unpacks to more than
    guard.RATIO times its size.
    """
    path = Path(path)
    with guard.reading(path, what), open(path, "rb") as file:
        if path.suffix in OPENERS:
            yield io.BufferedReader(guard.Unpacked(path, OPENERS[path.suffix](file))), file
        else:
            yield file, file


def read_blocks(path: str | Path) -> Iterator[tuple[str, int]]:
    """Yield the text of a file (plain, .gz, .bz2 or .xz) in blocks, each with the number of file bytes read so far.

    A block ends at the end of a line or, within long lines, of a word. It has BLOCK characters plus less than a line.
    Raises ValueError if the file is not UTF-8 text or its compression is broken.
    """
    path = Path(path)
    rest = ""
    with open_binary(path, f"{path.suffix if path.suffix in OPENERS else 'text'} file") as (stream, file):
        reader = io.TextIOWrapper(stream, encoding="utf-8")
        while block := reader.read(BLOCK):
            if "\0" in block:
                raise ValueError(f"{path}: expected UTF-8 text, got NUL characters")
            cut = 1 + (block.rfind("\n") if "\n" in block else block.rfind(" "))
            yield rest + block[:cut], file.tell()
            rest = block[cut:]
        yield rest, file.tell()


def split_words(text: str, boundaries: str = "sentence", markup: bool = False) -> list[str]:
    """Split text into lower-case words of Unicode letters, without digits and punctuation.

    Parameters
    ----------
    text
        The text.
    boundaries
        Where to insert MARK: at the end of each "line", or also of each "sentence" (a full stop, question mark or
        exclamation mark before white space, unless it follows an initial).
    markup
        Whether to remove tags and placeholders first (see `remove_markup`).
    """
    if markup:
        text = remove_markup(text)
    if not text.isascii():  # line by line, so that only lines that need it are normalised
        text = "\n".join(map(_compose, text.split("\n")))
    if not text:
        return []
    codes = np.frombuffer(text.encode("utf-32-le"), dtype=np.uint32)
    clean = _letters()[codes]
    if boundaries == "sentence":
        clean[_sentence_ends(codes, clean)] = SENTENCE_END
    return clean.tobytes().decode("utf-32-le").replace(MARK, f" {MARK} ").split()


def remove_markup(text: str) -> str:
    """Remove tags such as <doc …> and placeholders such as formula_12, as wikiextractor writes them."""
    text = _TAG.sub("\n", text)
    try:
        text = html.unescape(text)
    except ValueError:  # a character reference with thousands of digits
        text = html.unescape(_LONG_NUMBER.sub("\ufffd", text))
    return _FORMULA.sub(" ", text)


def _compose(line: str) -> str:
    """Normalise a line to NFC. Keep MAX_MARKS combining marks in a row, since sorting them takes quadratic time."""
    return (
        line if unicodedata.is_normalized("NFC", line) else unicodedata.normalize("NFC", _RUN.sub(_limit_marks, line))
    )


def _limit_marks(run: re.Match) -> str:
    kept_letters, marks = [], 0
    for letter in run[0]:
        marks = marks + 1 if unicodedata.combining(letter) else 0
        if marks <= MAX_MARKS:
            kept_letters.append(letter)
    return "".join(kept_letters)


def add_article(word: str) -> str:
    """Return a word with its indefinite article, chosen by its first letters."""
    return f"an {word}" if word[:1] in tuple("aeiou") and not word.startswith(("uni", "eu")) else f"a {word}"


@cache
def _letters() -> np.ndarray:
    """Map code points to their replacements: a lower-case letter, a combining mark, the end of a line or a space."""
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
    """Find the full stops, question marks and exclamation marks that end a sentence."""
    ends = np.flatnonzero((codes == FULL_STOP) | (codes == ord("!")) | (codes == ord("?")))
    after = codes[np.minimum(ends + 1, len(codes) - 1)]
    ends = ends[(after <= SPACE) | np.isin(after, [ord('"'), ord("'"), ord(")"), 0x201D, 0x2019])]
    # an initial: one letter between a space or a full stop and this full stop, as in J. Smith or the U.S. Army
    before, second = clean[np.maximum(ends - 1, 0)], np.where(ends > 1, codes[np.maximum(ends - 2, 0)], SPACE)
    initial = (before > SPACE) & ((second <= SPACE) | (second == FULL_STOP)) & (codes[ends] == FULL_STOP)
    return ends[~initial]
