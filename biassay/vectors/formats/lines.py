"""Text files with one word and its numbers per line: word2vec and fastText (with a header), GloVe, Numberbatch."""

import re
import warnings
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

import numpy as np

from biassay.vectors.formats import files
from biassay.vectors.formats.rows import CONCEPT, Rows, is_alphabetical

BOM = b"\xef\xbb\xbf"
_HEADER = re.compile(rb"[ \t]*(\d{1,18})[ \t]+(\d{1,18})[ \t]*\r?")


@dataclass(frozen=True)
class _Layout:
    """Numbers per line, separator, whether words are keys of Numberbatch, number of words in the header (or None)."""

    dimensions: int
    separator: bytes
    has_concepts: bool
    count: int | None


def read(path: str | Path, rows: Rows) -> None:
    """Read vectors from a text file in blocks, until all wanted words are found.

    The last d fields of a line are its numbers, so that a word may contain spaces. Lines that are not UTF-8 are
    skipped. Raises ValueError, naming file and line, for other faults and for a wrong number of words in the header.
    """
    layout, n_lines, n_rows = None, 0, 0
    with files.open_file(path) as file:
        for block in _read_blocks(path, file):
            if layout is None:
                layout = _detect_layout(path, block)
                prefixes = _line_prefixes(layout, rows)
                if rows.sample and layout.count:
                    first_words = [line.split(layout.separator, 1)[0] for line in block[1:]]
                    if layout.has_concepts or is_alphabetical(first_words):
                        rows.sample.flatten(layout.count)
                if layout.count is not None:
                    block[0] = b""
            selected = []
            for number, line in enumerate(block, n_lines + 1):
                if not line or line.isspace():
                    continue
                if prefixes is None or line.split(layout.separator, 1)[0] in prefixes or rows.is_sampled(n_rows):
                    selected.append((number, n_rows, line))
                n_rows += 1
            n_lines += len(block)
            _add_lines(path, selected, layout, rows)
            if rows.is_complete:
                return
    rows.n_rows = n_rows
    if layout.count is not None and layout.count != n_rows:
        raise ValueError(f"{path}, line 1: the header announces {layout.count} words, but the file has {n_rows}")


def _read_blocks(path: str | Path, file: BinaryIO) -> Iterator[list[bytes]]:
    """Yield lists of lines, of about BLOCK bytes each."""
    rest = file.read(len(BOM)).removeprefix(BOM)
    while block := file.read(files.BLOCK):
        *lines, rest = (rest + block).split(b"\n")
        if lines:
            yield lines
        if len(rest) > files.MAX_ROW:
            raise ValueError(
                f"{path}: expected a text of word vectors, got a line of more than {files.MAX_ROW:,} bytes"
            )
    if rest:
        yield [rest]


def _detect_layout(path: str | Path, block: list[bytes]) -> _Layout:
    """Detect the layout: from the header, else from the most common number of values of the first lines."""
    header = _HEADER.fullmatch(block[0])
    lines = [line for line in block[1 if header else 0 :][:100] if line.strip()]
    counts = Counter(len(line.split()) - 1 for line in lines)
    dimensions = int(header[2]) if header else max(counts, key=counts.get, default=0)
    if not 1 <= dimensions <= files.MAX_ROW // 2:
        raise ValueError(f"{path}, line 1: expected lines of a word and its numbers, got {dimensions} dimensions")
    first = lines[0] if lines else b""
    separator = b"\t" if b"\t" in first else b" "
    return _Layout(dimensions, separator, first.startswith(CONCEPT.encode()), int(header[1]) if header else None)


def _line_prefixes(layout: _Layout, rows: Rows) -> set[bytes] | None:
    """Return the text before the first separator in the lines of wanted words; None if all words are wanted."""
    if rows.wanted is None:
        return None
    prefix = rows.prefix if layout.has_concepts else ""
    return {(prefix + word).encode("utf-8", "replace").split(layout.separator)[0] for word in rows.wanted}


def _add_lines(path: str | Path, selected: list[tuple[int, int, bytes]], layout: _Layout, rows: Rows) -> None:
    """Parse lines, given by line number, row number and text, and add them to rows."""
    if not selected:
        return
    values, words = np.empty((len(selected), layout.dimensions), np.float32), []
    with warnings.catch_warnings():
        warnings.simplefilter("error", DeprecationWarning)  # of numpy, for text that is no number
        for row, (line_number, _, line) in enumerate(selected):
            parsed = _parse_plain_line(line, layout) or _parse_line(f"{path}, line {line_number}", line, layout)
            word, values[row] = parsed
            words.append(rows.decode(word, is_concept=layout.has_concepts))
    rows.add(words, values, [row_number for _, row_number, _ in selected])


def _parse_plain_line(line: bytes, layout: _Layout) -> tuple[bytes, np.ndarray] | None:
    """Parse a line of one word and d finite numbers with single separators; return None for any other line."""
    word, *fields = line.rstrip().split(layout.separator)
    if not word or len(fields) != layout.dimensions or b"" in fields:
        return None
    try:
        numbers = np.fromstring(b" ".join(fields), np.float32, sep=" ")
    except (DeprecationWarning, ValueError):
        return None
    return (word, numbers) if len(numbers) == layout.dimensions and np.isfinite(numbers).all() else None


def _parse_line(where: str, line: bytes, layout: _Layout) -> tuple[bytes, np.ndarray | float]:
    """Parse one line with Python's float; the word may have spaces. Raise ValueError for a faulty line in UTF-8."""
    try:
        line.decode("utf-8")
    except UnicodeDecodeError:
        return line, 0.0
    fields = line.rsplit(None, layout.dimensions)
    if len(fields) == layout.dimensions and line[:1].isspace():
        return b"", 0.0
    word, *extra = fields[0].split()
    count = len(fields) - 1 + sum(b"." in field and _parse_value(field) is not None for field in extra)
    word = word.decode("utf-8")[:40]
    if count != layout.dimensions:
        source = "most of the first lines" if layout.count is None else "the header"
        raise ValueError(
            f"{where}: expected {layout.dimensions} values, as in {source}, got {count} values of {word!r}"
        )
    values = [_parse_value(field) for field in fields[1:]]
    if None in values:
        number = values.index(None) + 1
        value = fields[number].decode("utf-8")[:40]
        raise ValueError(f"{where}: value {number} of {word!r}: expected a finite number, got {value!r}")
    return fields[0].strip(), np.array(values, np.float32)


def _parse_value(field: bytes) -> float | None:
    """Parse a field as a finite float32 number; return None if it is none."""
    try:
        value = float(field)
    except ValueError:
        return None
    return value if abs(value) <= files.MAX_VALUE and b"_" not in field else None
