"""CSV files of comments, read a row at a time, and the labelled texts that come of them.

Messages name file, line and column, and no words of a comment.
"""

import csv
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import BinaryIO

import numpy as np

from biassay.studies.downstream.texts import Texts
from biassay.support import guard, registry
from biassay.support.logs import Progress
from biassay.words.defining import pattern, without

CLASSES = ["toxic", "not toxic"]
LONGEST = 1 << 20  # bytes of a line
SHOWN = 8  # columns that a message names
Comment = tuple[str, int, bool]  # text, group, whether it is toxic


def rows(path: str | Path) -> Iterator[tuple[int, list[str]]]:
    """Yield the line on which each row of a CSV file begins, and its cells, the header first; memory for a row.

    Raises ValueError, naming file and line, for what is not UTF-8, no CSV table, or a row with more or fewer cells than
    the header, and for a file without rows.
    """
    first, width, count = 1, None, 0
    with guard.reading(path, "CSV file"), open(path, "rb") as file:
        reader = csv.reader(_lines(path, file), strict=True)
        while True:
            try:
                cells = next(reader, None)
            except csv.Error as error:
                raise ValueError(f"{path}, line {first}: not a CSV table: {error}") from error
            if cells is None:
                break
            if cells:
                width = len(cells) if width is None else width
                if len(cells) != width:
                    raise ValueError(f"{path}, line {first}: has {len(cells)} cells; the header has {width}")
                yield first, cells
                count += 1
            first = reader.line_num + 1
    if count < 2:
        raise ValueError(f"{path}: {'has no rows' if count else 'is empty'}")


def _lines(path: str | Path, file: BinaryIO) -> Iterator[str]:
    progress = Progress(f"reading {path}", os.fstat(file.fileno()).st_size / 1e6, "MB")
    number, read = 0, 0
    while line := file.readline(LONGEST + 1):
        number, read = number + 1, read + len(line)
        if len(line) > LONGEST:
            raise ValueError(f"{path}, line {number}: longer than {LONGEST >> 20} MiB")
        try:
            yield line.decode("utf-8-sig" if number == 1 else "utf-8")
        except UnicodeDecodeError as error:
            raise ValueError(f"{path}, line {number}: not UTF-8 text ({error.reason})") from error
        if read > LONGEST:
            progress.add(read / 1e6)
            read = 0


def column(path: str | Path, header: Sequence[str], names: Sequence[str]) -> int:
    """The place of the first of some columns that a header has; ValueError if it has none, or that one twice."""
    for name in names:
        if header.count(name) == 1:
            return header.index(name)
        if name in header:
            raise ValueError(f"{path}: has the column {name!r} {header.count(name)} times")
    told = ", ".join(header[:SHOWN]) + (", …" if len(header) > SHOWN else "")
    raise ValueError(f"{path}: lacks the column {' or '.join(map(repr, names))}; it has: {told:.300}")


def groups_of(attribute: str, defining: Mapping[str, Mapping[str, list[str]]]) -> Mapping[str, list[str]]:
    """The groups of an attribute of the defining sets, with their terms."""
    registry.check_names("attribute", [attribute], defining)
    return defining[attribute]


def texts(attribute: str, groups: Mapping[str, list[str]], comments: Iterable[Comment], what: str) -> Texts:
    """Texts of comments, of which those of which nothing but the group's terms is said are left out.

    Raises ValueError, which begins with `what`, if none is left.
    """
    patterns = [pattern(terms) for terms in groups.values()]
    kept = [(text, without(text, patterns[group]), group, toxic) for text, group, toxic in comments]
    kept = [found for found in kept if any(map(str.isalnum, found[1]))]
    if not kept:
        raise ValueError(f"{what}: has no comment that belongs to one group of {attribute} ({', '.join(groups)})")
    raw, scrubbed, numbers, toxic = map(list, zip(*kept, strict=True))
    labels = np.column_stack([toxic, np.logical_not(toxic)]).astype(np.uint8)
    return Texts(attribute, list(groups), list(CLASSES), raw, scrubbed, np.array(numbers, np.int64), labels)
