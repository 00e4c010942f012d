"""word2vec's binary format: a header line, then for each word its bytes, a space and d float32 values."""

import re
from pathlib import Path
from typing import BinaryIO

import numpy as np

from biassay.vectors.formats import files
from biassay.vectors.formats.rows import Rows

_HEADER = re.compile(rb"\s*(\d{1,18})\s+(\d{1,18})\s*\n")


def read(path: str | Path, rows: Rows) -> None:
    """Read vectors from a binary file in blocks, until all wanted words are found.

    Skips words that are empty or not UTF-8. Raises ValueError, naming file and row, if there is no header, the number
    of rows differs from it, or a value is not finite.
    """
    with files.open_file(path) as file:
        header = _HEADER.fullmatch(file.readline(100))
        if not header or int(header[2]) == 0:
            raise ValueError(
                f"{path}, line 1: expected text or word2vec's binary format, whose first line has the number of words "
                "and of dimensions"
            )
        count, dimensions = int(header[1]), int(header[2])
        if 4 * dimensions > files.MAX_ROW:
            raise ValueError(
                f"{path}, line 1: expected rows of at most {files.MAX_ROW:,} bytes, got {dimensions} dimensions"
            )
        wanted = None if rows.wanted is None else {word.encode("utf-8", "replace") for word in rows.wanted}
        rows.n_rows, row, rest = count, 0, b""
        while row < count and not rows.is_complete:
            block = file.read(max(files.BLOCK, 8 * dimensions))
            buffer = rest + block
            row, at = _scan(f"{path}", buffer, (row, count, dimensions), wanted, rows)
            rest = buffer[at:]
            if row < count and (not block or (b" " not in rest[: files.HEAD] and len(rest) > files.HEAD)):
                raise ValueError(
                    f"{path}, row {row + 1}: broken or truncated, expected {count} rows of {dimensions} values"
                )
        if row == count and not rows.is_complete:
            _check_end(path, file, rest, count)


def _scan(where: str, buffer: bytes, state: tuple, wanted: set[bytes] | None, rows: Rows) -> tuple[int, int]:
    """Add the complete rows of a buffer; return the number of rows read and where the next row starts."""
    row, count, dimensions = state
    size, at, words, starts = 4 * dimensions, 0, [], []
    while row < count:
        space = buffer.find(b" ", at)
        if space < 0 or space + 1 + size > len(buffer):
            break
        word = buffer[at:space].lstrip(b"\n")  # word2vec ends a row with a line feed, gensim does not
        if wanted is None or word in wanted or rows.is_sampled(row):
            words.append((row, word))
            starts.append(space + 1)
        row, at = row + 1, space + 1 + size
    values = np.empty((len(words), dimensions), "<f4")
    for number, start in enumerate(starts):
        values[number] = np.frombuffer(buffer, "<f4", dimensions, start)
    invalid = np.flatnonzero(~np.isfinite(values).all(axis=1))
    if len(invalid):
        number, word = words[invalid[0]]
        name = word.decode("utf-8", "replace")[:40]
        raise ValueError(f"{where}, row {number + 1}: {name!r} has a value that is not finite (NaN or infinite)")
    rows.add([_decode(word, rows) for _, word in words], values, [number for number, _ in words])
    return row, at


def _decode(word: bytes, rows: Rows) -> str | None:
    """Decode a word; return None and count it as skipped if it is empty or not UTF-8."""
    if not word:
        rows.skipped["rows without a word"] += 1
        return None
    try:
        return word.decode("utf-8")
    except UnicodeDecodeError:
        rows.skipped["words that are not UTF-8"] += 1
        return None


def _check_end(path: str | Path, file: BinaryIO, rest: bytes, count: int) -> None:
    """Raise ValueError if anything except white space follows the last row."""
    if (rest + file.read(files.HEAD)).strip():
        raise ValueError(f"{path}, line 1: the header announces {count} words, but the file has more data")
