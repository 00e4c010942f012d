"""word2vec's binary format: a header line, then for each word its bytes, a space and d float32 values."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

import numpy as np

from biassay.vectors.formats import files
from biassay.vectors.formats.rows import Rows

BATCH = 4096  # rows added at a time if all words are wanted
_HEADER = re.compile(rb"\s*(\d{1,18})\s+(\d{1,18})\s*\n")


def read(path: str | Path, rows: Rows) -> None:
    """Read vectors from a binary file, until all wanted words are found; skip words that are empty or not UTF-8.

    Raises ValueError, naming file and row, if there is no header, or the number of rows differs from it.
    """
    with files.open_file(path) as file:
        header = _HEADER.fullmatch(file.readline(100))
        if not header or int(header[2]) == 0 or 4 * int(header[2]) > files.MAX_ROW:
            raise ValueError(
                f"{path}, line 1: expected text or word2vec's binary format, whose first line has the number of words "
                f"and of dimensions, at most {files.MAX_ROW // 4:,}"
            )
        wanted = None if rows.wanted is None else {word.encode("utf-8", "replace") for word in rows.wanted}
        rows.n_rows, dimensions = int(header[1]), int(header[2])
        batch: list[tuple[int, bytes, bytes]] = []
        for row, word, values in _iterate(path, file, rows.n_rows, dimensions):
            if wanted is None or word in wanted or rows.is_sampled(row):
                batch.append((row, word, values))
                if wanted is not None or len(batch) == BATCH:
                    _add(batch, dimensions, rows)
                    batch = []
                if rows.is_complete:
                    return
        _add(batch, dimensions, rows)


def _iterate(path: str | Path, file: BinaryIO, count: int, dimensions: int) -> Iterator[tuple[int, bytes, bytes]]:
    """Yield the number, the word and the values of each row."""
    buffer, at, size = b"", 0, 4 * dimensions
    for row in range(count):
        while (space := buffer.find(b" ", at)) < 0 or space + 1 + size > len(buffer):
            block = file.read(max(files.BLOCK, size))
            if not block or (space < 0 and len(buffer) - at > files.HEAD):
                raise ValueError(
                    f"{path}, row {row + 1}: broken or truncated, expected {count} rows of {dimensions} values"
                )
            buffer, at = buffer[at:] + block, 0
        end = space + 1 + size
        yield row, buffer[at:space].lstrip(b"\n"), buffer[space + 1 : end]  # word2vec ends a row with a line feed
        at = end
    if (buffer[at:] + file.read(files.HEAD)).strip():
        raise ValueError(f"{path}, line 1: the header announces {count} words, but the file has more data")


def _add(batch: list[tuple[int, bytes, bytes]], dimensions: int, rows: Rows) -> None:
    if batch:
        row_numbers, words, values = zip(*batch, strict=True)
        vectors = np.frombuffer(b"".join(values), "<f4").reshape(len(batch), dimensions)
        rows.add([rows.decode(word) for word in words], vectors, row_numbers)
