"""Rows of a user's file (JSON lines, CSV or Parquet), one at a time, with the place of each.

Messages name file, place and column, and contain no text of a row.
"""

import csv
import json
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from biassay.core import guard
from biassay.core.logs import Progress
from biassay.corpora import plain_text

MAX_COLUMNS = 8  # that a message names
Record = dict[str, Any]
TO_JSON = (
    'python -c "import sys, pandas; pandas.DataFrame(pandas.read_pickle(sys.argv[1]))'
    ".to_json('bios.jsonl', orient='records', lines=True)\""
)


def read_records(path: str | Path) -> Iterator[tuple[str, Record]]:
    """Yield the rows of a .jsonl or .csv file (plain, .gz, .bz2 or .xz), or of a .parquet file.

    Yields
    ------
    place : str
        "line 3", on which the row begins, or "row 3" of Parquet, counted from 1.
    record : dict
        Cells by column.

    Raises
    ------
    ValueError
        If the file is damaged, not UTF-8, empty, or of another type, or if two columns have the same name.
    """
    path = Path(path)
    suffix = Path(path.stem).suffix if path.suffix in plain_text.OPENERS else path.suffix
    if suffix in (".pkl", ".pickle"):
        advice = f"if you trust the file, convert it to JSON lines: {TO_JSON} {path}"
        raise ValueError(f"{path}: pickles can run code and are not read; {advice}")
    readers = {".jsonl": _read_json, ".csv": _read_csv, ".parquet": _read_parquet}
    if suffix not in readers or (suffix == ".parquet" and path.suffix != suffix):
        choices = f"{', '.join(readers)}; the first two also compressed as .gz, .bz2 or .xz"
        raise ValueError(f"{path}: unknown file type; expected one of: {choices}")
    place = None
    for place, record in readers[suffix](path):
        yield place, record
    if place is None:
        raise ValueError(f"{path}: the file has no rows")


def find_column(path: str | Path, record: Iterable[str], names: Sequence[str], fold: Callable[[str], str] = str) -> str:
    """Return the column that matches the first possible of `names`; `fold` normalises columns, such as str.lower.

    Raises ValueError if no column matches, or several match the same name.
    """
    for name in names:
        matches = [column for column in record if fold(column) == name]
        if len(matches) > 1:
            raise ValueError(f"{path}: {len(matches)} columns are named {name!r}; expected one")
        if matches:
            return matches[0]
    columns = [name for name in record if name.isidentifier()]  # without a header, these could be texts
    listed = ", ".join(columns[:MAX_COLUMNS]) + (", …" if len(columns) > MAX_COLUMNS else "")
    raise ValueError(f"{path}: lacks the column {' or '.join(map(repr, names))}; it has: {listed or 'none':.300}")


def is_empty(cell: object) -> bool:
    """Return whether a cell is empty, in any of the file formats."""
    return cell is None or cell != cell or (isinstance(cell, str) and not cell.strip())


def read_text(where: str, record: Record, column: str) -> str:
    """Return the text of a cell; raise ValueError, which does not reveal it, if it is empty or of another type."""
    cell = record.get(column)
    if is_empty(cell) or not isinstance(cell, str):
        raise ValueError(f"{where}, column {column}: expected text, got {describe(cell)}")
    return cell


def describe(cell: object) -> str:
    """Describe a cell without revealing a text."""
    return "an empty cell" if is_empty(cell) else type(cell).__name__


def _read_json(path: Path) -> Iterator[tuple[str, Record]]:
    for number, line in enumerate(_read_lines(path, ".jsonl file"), 1):
        if not line.strip():
            continue
        try:
            record = json.loads(line)
        except (ValueError, RecursionError) as error:
            reason = getattr(error, "msg", "too deep, or a number too long")
            raise ValueError(f"{path}, line {number}: expected one JSON object per line ({reason})") from error
        if not isinstance(record, dict):
            raise ValueError(f"{path}, line {number}: expected a JSON object, got a {type(record).__name__}")
        yield f"line {number}", record


def _read_csv(path: Path) -> Iterator[tuple[str, Record]]:
    reader = csv.reader(_read_lines(path, ".csv file"), strict=True)
    header, first = None, 1
    try:
        for cells in reader:
            if cells and header is None:
                header = [name.strip() for name in cells]
                _check_header(path, header)
            elif cells:
                if len(cells) != len(header):
                    expected = f"expected {len(header)} cells as in the header, got {len(cells)}"
                    raise ValueError(f"{path}, line {first}: {expected}")
                yield f"line {first}", dict(zip(header, cells, strict=True))
            first = reader.line_num + 1
    except csv.Error as error:
        raise ValueError(f"{path}, line {first}: not a CSV table: {error}") from error


def _read_parquet(path: Path) -> Iterator[tuple[str, Record]]:
    from pyarrow import parquet

    with guard.reading(path, "Parquet file"), parquet.ParquetFile(path) as file:
        _check_header(path, file.schema_arrow.names)
        progress, row = Progress(f"reading {path}", file.metadata.num_rows, "rows"), 0
        for batch in file.iter_batches(batch_size=1000):
            for record in batch.to_pylist():
                row += 1
                yield f"row {row}", record
            progress.add(len(batch))


def _check_header(path: Path, header: list[str]) -> None:
    """Raise ValueError if two columns have the same name, except empty ones."""
    for place, name in enumerate(header):
        if name and name in header[:place]:
            quoted = f" {name[:40]!r}" if name.isidentifier() else ""  # without a header, it could be a text
            raise ValueError(f"{path}: the columns {header.index(name) + 1} and {place + 1} have the same name{quoted}")


def _read_lines(path: Path, kind: str) -> Iterator[str]:
    """Yield the lines of a file, decompressed by its suffix, without a byte order mark."""
    with plain_text.open_binary(path, kind) as (stream, file):
        progress = Progress(f"reading {path}", os.fstat(file.fileno()).st_size / 1e6, "MB")
        done = 0
        for number, line in enumerate(stream, 1):
            try:
                yield line.decode("utf-8-sig" if number == 1 else "utf-8")
            except UnicodeDecodeError as error:
                raise ValueError(f"{path}, line {number}: not UTF-8 text ({error.reason})") from error
            if number % 1000 == 0:
                progress.add((file.tell() - done) / 1e6)
                done = file.tell()
