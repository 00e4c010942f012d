"""From raw text to streams of lower-case words: reading, decompressing, splitting into sentences."""

import bz2
import gzip
import html
import io
import lzma
import re
import unicodedata
import zlib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import numpy as np

OPENERS = {".gz": gzip.open, ".bz2": bz2.open, ".xz": lzma.open}
BLOCK = 1 << 22  # characters a block

SENTENCE_END = 1  # stands for the end of a sentence in a block of code points
MARK = chr(SENTENCE_END)
SPACE, FULL_STOP = 32, 46
_TAG = re.compile(r"<[^<>\n]*>")
_FORMULA = re.compile(r"\bformula_\d+")


def blocks(path: str | Path) -> Iterator[tuple[str, int]]:
    """Yield a file's text (plain, .gz, .bz2 or .xz) in blocks that end with a line or, in long lines, with a word.

    Beside each block stands how many bytes of the file are read. Raises ValueError, naming the file, where it is not
    UTF-8 text or its compression is broken.
    """
    path = Path(path)
    rest = ""
    try:
        with open(path, "rb") as file:
            stream = OPENERS[path.suffix](file) if path.suffix in OPENERS else file
            reader = io.TextIOWrapper(stream, encoding="utf-8")
            while block := reader.read(BLOCK):
                if "\0" in block:
                    raise ValueError(f"{path}: not a text file (it has NUL characters); give UTF-8 text")
                cut = 1 + (block.rfind("\n") if "\n" in block else block.rfind(" "))
                yield rest + block[:cut], file.tell()
                rest = block[cut:]
            yield rest, file.tell()
    except UnicodeDecodeError as error:
        raise ValueError(f"{path}: not UTF-8 text ({error.reason}, byte {error.object[error.start]:#04x})") from error
    except (EOFError, lzma.LZMAError, zlib.error, gzip.BadGzipFile) as error:
        raise ValueError(f"{path}: broken {path.suffix} file ({error})") from error
    except OSError as error:
        if error.errno is None:  # bz2 reports garbage so
            raise ValueError(f"{path}: broken {path.suffix} file ({error})") from error
        raise


def words(text: str, limits: str = "sentence", markup: bool = False) -> list[str]:
    """Split text into lower-case words of Unicode letters, with MARK where a line or sentence ends.

    Digits and punctuation are dropped. `limits` is "sentence" (a full stop, question or exclamation mark before white
    space, unless it follows an initial, or a line's end) or "line". With `markup`, tags such as wikiextractor's
    <doc …> and its formula_12 placeholders are dropped first.
    """
    if markup:
        text = without_markup(text)
    if not unicodedata.is_normalized("NFC", text):
        text = unicodedata.normalize("NFC", text)
    if not text:
        return []
    codes = np.frombuffer(text.encode("utf-32-le"), dtype=np.uint32)
    clean = _letters()[codes]
    if limits == "sentence":
        clean[_sentence_ends(codes, clean)] = SENTENCE_END
    return clean.tobytes().decode("utf-32-le").replace(MARK, f" {MARK} ").split()


def without_markup(text: str) -> str:
    """Text without tags such as wikiextractor's <doc …> and its formula_12 placeholders."""
    return _FORMULA.sub(" ", html.unescape(_TAG.sub("\n", text)))


def article(word: str) -> str:
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
