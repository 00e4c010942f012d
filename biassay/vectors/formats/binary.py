"""word2vec's binary format: a header line, then for each word its bytes, a space and d float32 values."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

import numpy as np

from biassay.vectors.formats import files
from biassay.vectors.formats.rows import Rows

BATCH = 4096  # rows added at a time if all words are wanted
MAX_SIZE = 1e15  # of a value; the rest of a word, read as float32, is mostly beyond it
SPACED = 2.0**-63, 2.0**-61  # values whose last byte is a space
_HEADER = re.compile(rb"\s*(\d{1,18})\s+(\d{1,18})\s*\n")


def read(path: str | Path, rows: Rows) -> None:
    """Read vectors from a binary file, until all wanted words are found; skip words that are empty or not UTF-8.

    A space ends a word: the rest of a word with a space would be read as numbers, and their last bytes as part of the
    next word. Raises ValueError, naming file and row, for the huge values that this gives, if there is no header, or if
    the number of rows differs from it.
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
                    _add(path, batch, dimensions, rows)
                    batch = []
                if rows.is_complete:
                    return
        _add(path, batch, dimensions, rows)


def _iterate(path: str | Path, file: BinaryIO, count: int, dimensions: int) -> Iterator[tuple[int, bytes, bytes]]:
    """Yield the number, the word and the values of each row."""
    buffer, at, size, last = b"", 0, 4 * dimensions, []
    for row in range(count):
        while (space := buffer.find(b" ", at)) < 0 or space + 1 + size > len(buffer):
            block = file.read(max(files.BLOCK, size))
            if not block or (space < 0 and len(buffer) - at > files.HEAD):
                raise ValueError(
                    f"{path}, row {row + 1}: broken or truncated, expected {count} rows of {dimensions} values"
                )
            buffer, at = buffer[at:] + block, 0
        end = space + 1 + size
        word = buffer[at:space].lstrip(b"\n")  # word2vec ends a row with a line feed
        if not word.decode("utf-8", "surrogateescape").isprintable():
            _stack(path, last, dimensions)
        last = [(row, word, buffer[space + 1 : end])]
        yield last[0]
        at = end
    if (buffer[at:] + file.read(files.HEAD)).strip():
        raise ValueError(f"{path}, line 1: the header announces {count} words, but the file has more data")


def _add(path: str | Path, batch: list[tuple[int, bytes, bytes]], dimensions: int, rows: Rows) -> None:
    if batch:
        row_numbers, words, _ = zip(*batch, strict=True)
        rows.add([rows.decode(word) for word in words], _stack(path, batch, dimensions), row_numbers)


def _stack(path: str | Path, batch: list[tuple[int, bytes, bytes]], dimensions: int) -> np.ndarray:
    """Stack the vectors of a batch: (n, d); raise ValueError for values that are text."""
    vectors = np.frombuffer(b"".join(values for _, _, values in batch), "<f4").reshape(len(batch), dimensions)
    is_text = (np.abs(vectors) > MAX_SIZE) | ((vectors >= SPACED[0]) & (vectors < SPACED[1]))
    for place, column in np.argwhere(is_text):
        row, word, _ = batch[place]
        raise ValueError(
            f"{path}, row {row + 1}: {vectors[place, column]:g} is probably text, for "
            f"{word.decode('utf-8', 'replace')!r:.80}; a word may contain a space, which this format "
            "cannot have; save the vectors as text"
        )
    return vectors
