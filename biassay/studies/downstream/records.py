"""Rows of a user's file: JSON lines, CSV or Parquet. Messages name file, row and column, and contain no text."""

import csv
import io
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path

import numpy as np
import pandas as pd

from biassay.core import guard
from biassay.corpora import plain_text

CHUNK = 10_000  # rows in memory at once
MAX_COLUMNS = 8  # that a message names
TO_JSON = (
    'python -c "import sys, pandas; pandas.DataFrame(pandas.read_pickle(sys.argv[1]))'
    ".to_json('bios.jsonl', orient='records', lines=True)\""
)


def read(path: str | Path) -> Iterator[pd.DataFrame]:
    """Yield the rows of a .jsonl or .csv file (plain, .gz, .bz2 or .xz) or .parquet file, indexed by number from 1.

    Raises ValueError if the file is damaged, not UTF-8, empty, or of another type, or if two columns have one name.
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
    n_rows = 0
    with guard.reading(path, f"{suffix} file"):
        for rows in readers[suffix](path):
            yield rows.set_axis(range(n_rows + 1, n_rows + len(rows) + 1))
            n_rows += len(rows)
    if not n_rows:
        raise ValueError(f"{path}: the file has no rows")


def find_column(
    path: str | Path, columns: Iterable[str], names: Sequence[str], fold: Callable[[str], str] = str
) -> str:
    """Return the column that matches the first possible of `names`; `fold` normalises columns, such as str.lower.

    Raises ValueError if no column matches, or several match the same name.
    """
    for name in names:
        matches = [column for column in columns if fold(column) == name]
        if len(matches) > 1:
            raise ValueError(f"{path}: {len(matches)} columns are named {name!r}; expected one")
        if matches:
            return matches[0]
    shown = [name for name in columns if name.isidentifier()]  # without a header, these could be texts
    listed = ", ".join(shown[:MAX_COLUMNS]) + (", …" if len(shown) > MAX_COLUMNS else "")
    raise ValueError(f"{path}: lacks the column {' or '.join(map(repr, names))}; it has: {listed or 'none':.300}")


def is_empty(cell: object) -> bool:
    """Return whether a cell is empty, in any of the file formats."""
    return cell is None or cell != cell or (isinstance(cell, str) and not cell.strip())


def check(path: str | Path, column: pd.Series, is_valid: Sequence[bool], expected: str) -> None:
    """Raise ValueError for the first invalid cell of a column."""
    if not np.all(is_valid):
        row = column.index[np.argmin(is_valid)]
        cell = column[row]
        got = f"{cell!r:.12}" if isinstance(cell, int | float) else f"a {type(cell).__name__}"
        got = "an empty cell" if is_empty(cell) else got
        raise ValueError(f"{path}, row {row}, column {column.name}: expected {expected}, got {got}")


def read_texts(path: str | Path, column: pd.Series) -> list[str]:
    """Return the texts of a column; raise ValueError for an empty cell or one of another type."""
    check(path, column, [isinstance(cell, str) and not is_empty(cell) for cell in column], "text")
    return column.tolist()


def _read_json(path: Path) -> Iterator[pd.DataFrame]:
    with plain_text.open_binary(path, ".jsonl file") as (stream, _):
        lines = ((f"{path}, line {number}", line) for number, line in enumerate(stream, 1) if line.strip())
        while records := [_parse(*line) for line in islice(lines, CHUNK)]:
            yield pd.DataFrame(records, dtype=object)


def _parse(where: str, line: bytes) -> dict:
    try:
        record = json.loads(line)
    except (ValueError, RecursionError) as error:
        reason = getattr(error, "msg", "not UTF-8, too deep, or a number too long")
        raise ValueError(f"{where}: expected one JSON object per line ({reason})") from error
    if not isinstance(record, dict):
        raise ValueError(f"{where}: expected a JSON object, got a {type(record).__name__}")
    return record


def _read_csv(path: Path) -> Iterator[pd.DataFrame]:
    with plain_text.open_binary(path, ".csv file") as (stream, _):
        lines = io.TextIOWrapper(stream, "utf-8-sig", newline="")
        rows = filter(None, csv.reader(lines, skipinitialspace=True, strict=True))
        header = [name.strip() for name in next(rows, [])]
        _check_header(path, header)
        numbered = enumerate(rows, 1)
        while chunk := list(islice(numbered, CHUNK)):
            for number, cells in chunk:
                if len(cells) != len(header):
                    raise ValueError(f"{path}, row {number}: expected {len(header)} cells, got {len(cells)}")
            yield pd.DataFrame([cells for _, cells in chunk], columns=header, dtype=object)


def _read_parquet(path: Path) -> Iterator[pd.DataFrame]:
    from pyarrow import parquet

    with parquet.ParquetFile(path) as file:
        _check_header(path, file.schema_arrow.names)
        for batch in file.iter_batches(batch_size=CHUNK):
            yield pd.DataFrame(batch.to_pylist(), dtype=object)


def _check_header(path: Path, header: list[str]) -> None:
    """Raise ValueError if two columns have the same name, except empty ones."""
    for name in header:
        if name and header.count(name) > 1:
            quoted = f" {name[:40]!r}" if name.isidentifier() else ""  # without a header, it could be a text
            raise ValueError(f"{path}: {header.count(name)} columns have the same name{quoted}")
