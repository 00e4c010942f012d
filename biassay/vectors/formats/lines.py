"""Vectors as lines of text, a word and its numbers: word2vec's, fastText's (with a header), GloVe's, Numberbatch's."""

from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

import numpy as np

from biassay.vectors.formats import files, layouts
from biassay.vectors.formats.layouts import ENGLISH, Layout
from biassay.vectors.formats.rows import Rows

MANY = 1 << 18  # bytes from which on the compiled parser is worth its start
BOM = b"\xef\xbb\xbf"
_SPACE = np.isin(np.arange(256), list(b" \t\r\v\f"))
_NOT_UTF8, _NO_WORD, _FOREIGN = "lines that are not UTF-8", "lines without a word", "words that are not English"


def read(path: str | Path, rows: Rows) -> None:
    """Read vectors from a text file in blocks; stops where all wanted words are found.

    The last d fields of a line are its numbers, so that a word may have spaces. Lines that are not UTF-8 are skipped.
    Raises ValueError, naming file and line, for anything else, and if the header's count is not that of the rows.
    """
    layout, line, total = None, 1, 0
    with files.opened(path) as file:
        for block in _blocks(file):
            if not block or b"\0" in block:
                what = "has a NUL character" if block else f"has more than {files.LONGEST:,} bytes"
                number = line + block.count(b"\n", 0, block.find(b"\0") + 1)
                raise ValueError(f"{path}, line {number}: {what}; this is no text of word vectors")
            if layout is None:
                layout = layouts.find(path, block)
                heads = _heads(layout, rows)
                if rows.sample and layout.concepts and layout.count:
                    rows.sample.flatten(layout.count)  # Numberbatch is in alphabetical order
            starts, ends, places, lines = _bounds(block, layout.header and line == 1)
            numbered, first = total + np.arange(len(starts)), total
            total += len(starts)
            if heads is not None:
                chosen = _chosen(block, starts, ends, layout.separator, heads)
                if rows.sample:
                    drawn = rows.sample.among(first, total)
                    chosen = sorted({*chosen, *(number - first for number in drawn)})
                starts, ends, places, numbered = (part[chosen] for part in (starts, ends, places, numbered))
            _parse(path, block, (starts, ends, line + places, numbered), layout, rows)
            line += lines
            if rows.complete:
                return
    rows.total = total
    if layout.header and layout.count != total:
        raise ValueError(f"{path}, line 1: the header says {layout.count} words, the file has {total}")


def _blocks(file: BinaryIO) -> Iterator[bytes]:
    """Whole lines of the file, about BLOCK bytes at a time, the last line closed too; b"" for one over LONGEST."""
    rest = file.read(len(BOM)).removeprefix(BOM)
    while block := file.read(files.BLOCK):
        cut = block.rfind(b"\n") + 1
        if cut:
            yield rest + block[:cut]
            rest = block[cut:]
        else:
            rest += block
        if len(rest) > files.LONGEST:
            yield b""
    if rest:
        yield rest + b"\n"


def _bounds(block: bytes, header: bool) -> tuple[np.ndarray, np.ndarray, np.ndarray, int]:
    """Where the lines that are not blank start and end, their numbers in the block from 0 on, and how many all are."""
    text = np.frombuffer(block, np.uint8)
    ends = np.flatnonzero(text == 10)
    starts, lines = np.concatenate(([0], ends[:-1] + 1)), len(ends)
    blank = (ends == starts) | ((ends - starts == 1) & _SPACE[text[starts]])
    blank[:1] |= header
    places = np.flatnonzero(~blank)
    return starts[places], ends[places], places, lines


def _heads(layout: Layout, rows: Rows) -> set[bytes] | None:
    """What stands before the first separator in the lines of wanted words; None if all words are."""
    if rows.wanted is None:
        return None
    prefix = ENGLISH if layout.concepts else b""
    return {prefix + word.encode("utf-8", "replace").split(layout.separator)[0] for word in rows.wanted}


def _chosen(block: bytes, starts: np.ndarray, ends: np.ndarray, separator: bytes, heads: set[bytes]) -> list[int]:
    """The lines that may hold a wanted word, by what stands before their first separator."""
    find, bounds = block.find, enumerate(zip(starts.tolist(), ends.tolist(), strict=True))
    return [
        row
        for row, (start, end) in bounds
        if block[start : cut if (cut := find(separator, start, end)) >= 0 else end] in heads
    ]


def _parse(path: str | Path, block: bytes, bounds: tuple, layout: Layout, rows: Rows) -> None:
    """Add lines, given by starts, ends, numbers and their rows; room is made only for those that can hold d values."""
    starts, ends, lines, _ = bounds
    short = ends - starts < 2 * layout.dimensions
    texts = ((row, block[starts[row] : ends[row]]) for row in np.flatnonzero(short).tolist())
    fault, text = next(((row, text) for row, text in texts if _utf8(text)), (None, b""))
    if left_out := int(short[:fault].sum()):
        rows.skipped[_NOT_UTF8] += left_out
    _add(path, block, tuple(part[:fault][~short[:fault]] for part in bounds), layout, rows)
    if fault is not None:
        _line(f"{path}, line {lines[fault]}", text, layout)


def _add(path: str | Path, block: bytes, bounds: tuple, layout: Layout, rows: Rows) -> None:
    """Parse lines and add them to rows."""
    starts, ends, lines, numbered = bounds
    values = np.empty((len(starts), layout.dimensions), np.float32)
    word_ends = [-1] * len(starts)
    if (ends - starts).sum() >= MANY:
        from biassay.vectors.formats import numbers  # here, since numba takes long to import

        word_ends = numbers.parse(np.frombuffer(block, np.uint8), starts, ends, values).tolist()
    words = []
    for row, (start, end) in enumerate(zip(starts.tolist(), word_ends, strict=True)):
        word = block[start:end]
        if end < 0:
            text = block[start : ends[row]]
            word, values[row] = _line(f"{path}, line {lines[row]}", text, layout) if _utf8(text) else (text, 0.0)
        words.append(_decoded(word, layout, rows))
    rows.add(words, values, numbered.tolist())


def _decoded(word: bytes, layout: Layout, rows: Rows) -> str | None:
    """The word's text, or None, counted, if it has none, is not UTF-8 or not English in a multilingual file."""
    fault = None
    if not _utf8(word):
        fault = _NOT_UTF8
    elif layout.concepts and not word.startswith(ENGLISH):
        fault = _FOREIGN
    elif not word:
        fault = _NO_WORD
    if fault:
        rows.skipped[fault] += 1
        return None
    return word.decode("utf-8")[len(ENGLISH) if layout.concepts else 0 :]


def _utf8(text: bytes) -> bool:
    if text.isascii():
        return True
    try:
        text.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _line(where: str, text: bytes, layout: Layout) -> tuple[bytes, np.ndarray | float]:
    """Parse one line, with Python's numbers, its word perhaps with spaces; raises ValueError, naming the fault."""
    fields = text.rsplit(None, layout.dimensions)
    if len(fields) == layout.dimensions and text[:1].isspace():
        return b"", 0.0
    extra = [field for field in fields[0].split()[1:] if b"." in field and _value(field) is not None] if fields else []
    count = len(fields) - 1 + len(extra)
    shown = (fields[0].split()[0] if fields else b"").decode("utf-8", "replace")[:40]
    if count != layout.dimensions:
        source = "the header says" if layout.header else "most of the first lines have"
        raise ValueError(f"{where}: {shown!r} has {max(count, 0)} values; {source} {layout.dimensions}")
    values = [_value(field) for field in fields[1:]]
    if None in values:
        number = values.index(None)
        bad = fields[1 + number].decode("utf-8", "replace")[:40]
        raise ValueError(f"{where}: value {number + 1} of {shown!r} is {bad!r}, not a finite number")
    return fields[0].strip(), np.array(values, np.float32)


def _value(field: bytes) -> float | None:
    """The finite float32 number that a field holds, or None."""
    try:
        value = float(field)
    except ValueError:
        return None
    return value if abs(value) <= files.LARGEST and b"_" not in field else None
