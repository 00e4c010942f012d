"""Rows of a user's file (JSON lines, CSV or Parquet), one at a time, with the place of each.

Messages name file, place and column, and contain no text of a row.
"""

import csv
import json
import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from biassay.core import guard
from biassay.core.logs import Progress
from biassay.corpora import plain_text

SUFFIXES = (".jsonl", ".csv", ".parquet")
PICKLES = (".pkl", ".pickle")
MAX_LINE = 1 << 20  # bytes
STEP = 1 << 20  # bytes between two progress reports
MAX_COLUMNS = 8  # that a message names
BATCH = 1000  # rows of Parquet
Record = dict[str, Any]
TO_JSON = (
    'python -c "import sys, pandas; pandas.DataFrame(pandas.read_pickle(sys.argv[1]))'
    ".to_json('bios.jsonl', orient='records', lines=True)\""
)


def read_records(path: str | Path) -> Iterator[tuple[str, Record]]:
    """Yield the rows of a file, holding a few of them in memory.

    Parameters
    ----------
    path : str or Path
        .jsonl or .csv (plain, .gz, .bz2 or .xz), or .parquet.

    Yields
    ------
    place : str
        "line 3", on which the row begins, or "row 3" of Parquet, counted from 1.
    record : dict
        Cells by column.

    Raises
    ------
    ValueError
        If the file is damaged, not UTF-8, empty, or of another type, or if two columns have the same name. Pickles are
        rejected because they can run code. The message names file and place.
    """
    place = None
    for place, record in _rows(path):
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


def _rows(path: str | Path) -> Iterator[tuple[str, Record]]:
    path = Path(path)
    suffix = Path(path.stem).suffix if path.suffix in plain_text.OPENERS else path.suffix
    if suffix in PICKLES:
        advice = f"if you trust the file, convert it to JSON lines: {TO_JSON} {path}"
        raise ValueError(f"{path}: pickles can run code and are not read; {advice}")
    if suffix not in SUFFIXES or (suffix == ".parquet" and path.suffix != suffix):
        choices = f"{', '.join(SUFFIXES)}; the first two also compressed as .gz, .bz2 or .xz"
        raise ValueError(f"{path}: unknown file type; expected one of: {choices}")
    yield from {".jsonl": _json, ".csv": _csv, ".parquet": _parquet}[suffix](path)


def _json(path: Path) -> Iterator[tuple[str, Record]]:
    repeated: list[str] = []
    decoder = json.JSONDecoder(object_pairs_hook=partial(_object, repeated))
    for number, line in enumerate(_lines(path, ".jsonl file"), 1):
        if not line.strip():
            continue
        try:
            record = decoder.decode(line)
        except (ValueError, RecursionError) as error:
            reason = getattr(error, "msg", "too deep, or a number too long")
            raise ValueError(f"{path}, line {number}: expected one JSON object per line ({reason})") from error
        if repeated:
            raise ValueError(f"{path}, line {number}: repeated key{_quote(repeated[0])}")
        if not isinstance(record, dict):
            raise ValueError(f"{path}, line {number}: expected a JSON object, got a {type(record).__name__}")
        yield f"line {number}", record


def _object(repeated: list[str], pairs: list[tuple[str, Any]]) -> Record:
    """Return a JSON object; add its repeated keys to `repeated`."""
    record = dict(pairs)
    if len(record) < len(pairs):
        repeated += [key for key, count in Counter(key for key, _ in pairs).items() if count > 1]
    return record


def _quote(name: str) -> str:
    """Quote a name for a message; "" if it may be a text."""
    return f" {name[:40]!r}" if name.isidentifier() else ""


def _csv(path: Path) -> Iterator[tuple[str, Record]]:
    reader = csv.reader(_lines(path, ".csv file"), strict=True)
    header, first = None, 1
    try:
        for cells in reader:
            if cells and header is None:
                header = _header(path, cells)
            elif cells:
                if len(cells) != len(header):
                    raise ValueError(
                        f"{path}, line {first}: expected {len(header)} cells as in the header, got {len(cells)}"
                    )
                yield f"line {first}", dict(zip(header, cells, strict=True))
            first = reader.line_num + 1
    except csv.Error as error:
        raise ValueError(f"{path}, line {first}: not a CSV table: {error}") from error


def _header(path: Path, cells: list[str]) -> list[str]:
    """Return the names of the columns, which must differ where they are not empty."""
    header, places = [name.strip() for name in cells], {}
    for place, name in enumerate(header, 1):
        if name and places.setdefault(name, place) != place:
            raise ValueError(f"{path}: the columns {places[name]} and {place} have the same name{_quote(name)}")
    return header


def _parquet(path: Path) -> Iterator[tuple[str, Record]]:
    from pyarrow import RecordBatch, parquet, types

    with guard.reading(path, "Parquet file"), parquet.ParquetFile(path) as file:
        leaves = [file.schema.column(number) for number in range(len(file.schema))]
        groups = [file.metadata.row_group(number) for number in range(file.num_row_groups)]
        held = sum(group.total_byte_size for group in groups)
        values = sum(
            group.column(n).num_values * max(1, leaf.length) for group in groups for n, leaf in enumerate(leaves)
        )
        guard.check_claim(path, "its table", max(held, values, file.metadata.num_rows))
        _header(path, file.schema_arrow.names)
        texts = [leaf.path for leaf in leaves if leaf.physical_type == "BYTE_ARRAY"]
    # With dictionaries, the size of all texts is known before they are decoded.
    with guard.reading(path, "Parquet file"), parquet.ParquetFile(path, read_dictionary=texts) as file:
        progress = Progress(f"reading {path}", file.metadata.num_rows, "rows")
        row = size = 0
        for batch in file.iter_batches(batch_size=BATCH):
            size += sum(map(_size, batch.columns))
            guard.check_claim(path, "its table", size)
            columns = [
                column.dictionary_decode() if types.is_dictionary(column.type) else column for column in batch.columns
            ]
            for record in RecordBatch.from_arrays(columns, names=batch.schema.names).to_pylist():
                row += 1
                yield f"row {row}", record
            progress.add(len(batch))


def _size(array: Any) -> int:
    """Return the bytes of a column's decoded values, counting repeated texts."""
    from pyarrow import compute, types

    if types.is_nested(array.type):
        return sum(map(_size, array.flatten() if types.is_struct(array.type) else [array.flatten()]))
    if types.is_dictionary(array.type) and not types.is_primitive(array.type.value_type):
        return compute.sum(compute.binary_length(array.dictionary).take(array.indices)).as_py() or 0
    return array.nbytes


def _lines(path: Path, kind: str) -> Iterator[str]:
    """Yield the lines of a file, decompressed by its suffix, without a byte order mark."""
    with plain_text.open_binary(path, kind) as (stream, file):
        progress = Progress(f"reading {path}", os.fstat(file.fileno()).st_size / 1e6, "MB")
        number = reported = 0
        while line := stream.readline(MAX_LINE + 1):
            number += 1
            if len(line) > MAX_LINE:
                raise ValueError(f"{path}, line {number}: longer than {MAX_LINE >> 20} MiB")
            try:
                yield line.decode("utf-8-sig" if number == 1 else "utf-8")
            except UnicodeDecodeError as error:
                raise ValueError(f"{path}, line {number}: not UTF-8 text ({error.reason})") from error
            if (place := file.tell()) - reported >= STEP:
                progress.add((place - reported) / 1e6)
                reported = place
