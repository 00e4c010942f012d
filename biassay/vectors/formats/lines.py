"""Text files with one word and its numbers per line: word2vec and fastText (with a header), GloVe, Numberbatch."""

from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

import numpy as np

from biassay.vectors.formats import files, layouts
from biassay.vectors.formats.layouts import ENGLISH, Layout
from biassay.vectors.formats.rows import Rows

MIN_COMPILED = 1 << 18  # bytes above which the compiled parser saves time
BOM = b"\xef\xbb\xbf"
_SPACE = np.isin(np.arange(256), list(b" \t\r\v\f"))
_NOT_UTF8, _NO_WORD, _FOREIGN = "lines that are not UTF-8", "lines without a word", "words that are not English"


def read(path: str | Path, rows: Rows) -> None:
    """Read vectors from a text file in blocks, until all wanted words are found.

    The last d fields of a line are its numbers, so that a word may contain spaces. Lines that are not UTF-8 are
    skipped. Raises ValueError, naming file and line, for other faults and for a wrong number of words in the header.
    """
    layout, line, n_rows = None, 1, 0
    with files.open_file(path) as file:
        for block in _read_blocks(file):
            if not block or b"\0" in block:
                fault = "a NUL character" if block else f"more than {files.MAX_ROW:,} bytes"
                number = line + block.count(b"\n", 0, block.find(b"\0") + 1)
                raise ValueError(f"{path}, line {number}: expected a text of word vectors, got {fault}")
            if layout is None:
                layout = layouts.detect(path, block)
                prefixes = _line_prefixes(layout, rows)
                if rows.sample and layout.has_concepts and layout.count:
                    rows.sample.flatten(layout.count)  # Numberbatch is in alphabetical order
            starts, ends, line_numbers, n_lines = _find_lines(block, layout.has_header and line == 1)
            row_numbers, first = n_rows + np.arange(len(starts)), n_rows
            n_rows += len(starts)
            if prefixes is not None:
                selected = _select_lines(block, starts, ends, layout.separator, prefixes)
                if rows.sample:
                    sampled = rows.sample.rows_between(first, n_rows)
                    selected = sorted({*selected, *(number - first for number in sampled)})
                starts, ends, line_numbers, row_numbers = (
                    part[selected] for part in (starts, ends, line_numbers, row_numbers)
                )
            _parse_lines(path, block, (starts, ends, line + line_numbers, row_numbers), layout, rows)
            line += n_lines
            if rows.is_complete:
                return
    rows.n_rows = n_rows
    if layout.has_header and layout.count != n_rows:
        raise ValueError(f"{path}, line 1: the header announces {layout.count} words, but the file has {n_rows}")


def _read_blocks(file: BinaryIO) -> Iterator[bytes]:
    """Yield blocks of whole lines, of about BLOCK bytes; the last line ends too; b"" for a line over MAX_ROW."""
    rest = file.read(len(BOM)).removeprefix(BOM)
    while block := file.read(files.BLOCK):
        cut = block.rfind(b"\n") + 1
        if cut:
            yield rest + block[:cut]
            rest = block[cut:]
        else:
            rest += block
        if len(rest) > files.MAX_ROW:
            yield b""
    if rest:
        yield rest + b"\n"


def _find_lines(block: bytes, has_header: bool) -> tuple[np.ndarray, np.ndarray, np.ndarray, int]:
    """Return starts, ends and numbers (from 0) of the lines that are not blank, and the number of all lines."""
    text = np.frombuffer(block, np.uint8)
    ends = np.flatnonzero(text == 10)
    starts, n_lines = np.concatenate(([0], ends[:-1] + 1)), len(ends)
    is_blank = (ends == starts) | ((ends - starts == 1) & _SPACE[text[starts]])
    is_blank[:1] |= has_header
    line_numbers = np.flatnonzero(~is_blank)
    return starts[line_numbers], ends[line_numbers], line_numbers, n_lines


def _line_prefixes(layout: Layout, rows: Rows) -> set[bytes] | None:
    """Return the text before the first separator in the lines of wanted words; None if all words are wanted."""
    if rows.wanted is None:
        return None
    prefix = ENGLISH if layout.has_concepts else b""
    return {prefix + word.encode("utf-8", "replace").split(layout.separator)[0] for word in rows.wanted}


def _select_lines(
    block: bytes, starts: np.ndarray, ends: np.ndarray, separator: bytes, prefixes: set[bytes]
) -> list[int]:
    """Select the lines that may hold a wanted word, by the text before their first separator."""
    find, bounds = block.find, enumerate(zip(starts.tolist(), ends.tolist(), strict=True))
    return [
        row
        for row, (start, end) in bounds
        if block[start : cut if (cut := find(separator, start, end)) >= 0 else end] in prefixes
    ]


def _parse_lines(path: str | Path, block: bytes, bounds: tuple, layout: Layout, rows: Rows) -> None:
    """Add lines, given by starts, ends, line numbers and row numbers; lines too short for d values are faults."""
    starts, ends, lines, _ = bounds
    is_short = ends - starts < 2 * layout.dimensions
    texts = ((row, block[starts[row] : ends[row]]) for row in np.flatnonzero(is_short).tolist())
    fault, text = next(((row, text) for row, text in texts if _is_utf8(text)), (None, b""))
    if n_skipped := int(is_short[:fault].sum()):
        rows.skipped[_NOT_UTF8] += n_skipped
    _add_lines(path, block, tuple(part[:fault][~is_short[:fault]] for part in bounds), layout, rows)
    if fault is not None:
        _parse_line(f"{path}, line {lines[fault]}", text, layout)


def _add_lines(path: str | Path, block: bytes, bounds: tuple, layout: Layout, rows: Rows) -> None:
    """Parse lines and add them to rows."""
    starts, ends, lines, row_numbers = bounds
    values = np.empty((len(starts), layout.dimensions), np.float32)
    word_ends = [-1] * len(starts)
    if (ends - starts).sum() >= MIN_COMPILED:
        from biassay.vectors.formats import numbers  # imported here, since numba takes long to import

        word_ends = numbers.parse(np.frombuffer(block, np.uint8), starts, ends, values).tolist()
    words = []
    for row, (start, end) in enumerate(zip(starts.tolist(), word_ends, strict=True)):
        word = block[start:end]
        if end < 0:
            text = block[start : ends[row]]
            if _is_utf8(text):
                word, values[row] = _parse_line(f"{path}, line {lines[row]}", text, layout)
            else:
                word, values[row] = text, 0.0
        words.append(_decode(word, layout, rows))
    rows.add(words, values, row_numbers.tolist())


def _decode(word: bytes, layout: Layout, rows: Rows) -> str | None:
    """Decode a word; return None, counted as skipped, if it is empty, not UTF-8, or not English in Numberbatch."""
    fault = None
    if not _is_utf8(word):
        fault = _NOT_UTF8
    elif layout.has_concepts and not word.startswith(ENGLISH):
        fault = _FOREIGN
    elif not word:
        fault = _NO_WORD
    if fault:
        rows.skipped[fault] += 1
        return None
    return word.decode("utf-8")[len(ENGLISH) if layout.has_concepts else 0 :]


def _is_utf8(text: bytes) -> bool:
    if text.isascii():
        return True
    try:
        text.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _parse_line(where: str, text: bytes, layout: Layout) -> tuple[bytes, np.ndarray | float]:
    """Parse one line with Python's float; the word may have spaces. Raise ValueError for a faulty line."""
    fields = text.rsplit(None, layout.dimensions)
    if len(fields) == layout.dimensions and text[:1].isspace():
        return b"", 0.0
    extra = (
        [field for field in fields[0].split()[1:] if b"." in field and _parse_value(field) is not None]
        if fields
        else []
    )
    count = len(fields) - 1 + len(extra)
    word = (fields[0].split()[0] if fields else b"").decode("utf-8", "replace")[:40]
    if count != layout.dimensions:
        source = "the header" if layout.has_header else "most of the first lines"
        raise ValueError(
            f"{where}: expected {layout.dimensions} values, as in {source}, got {max(count, 0)} values of {word!r}"
        )
    values = [_parse_value(field) for field in fields[1:]]
    if None in values:
        number = values.index(None)
        value = fields[1 + number].decode("utf-8", "replace")[:40]
        raise ValueError(f"{where}: value {number + 1} of {word!r}: expected a finite number, got {value!r}")
    return fields[0].strip(), np.array(values, np.float32)


def _parse_value(field: bytes) -> float | None:
    """Parse a field as a finite float32 number; return None if it is none."""
    try:
        value = float(field)
    except ValueError:
        return None
    return value if abs(value) <= files.MAX_VALUE and b"_" not in field else None
