"""Rows of files that a user has, JSON lines, CSV or Parquet, one at a time, with their numbers from 1."""

import csv
import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TextIO

from biassay.corpora import reading
from biassay.support import guard

SUFFIXES = (".jsonl", ".csv", ".parquet")
PICKLES = (".pkl", ".pickle")
LINE = 1 << 20  # characters of a line
BATCH = 1000  # rows of Parquet
TO_JSON = (
    'python -c "import sys, pandas; pandas.DataFrame(pandas.read_pickle(sys.argv[1]))'
    ".to_json('bios.jsonl', orient='records', lines=True)\""
)


def read(path: str | Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the rows of a file, .jsonl or .csv (plain, .gz, .bz2 or .xz) or .parquet, as mappings from columns.

    Raises ValueError, naming file and row, for what is broken, another suffix, and a pickle, which could run code.
    """
    path = Path(path)
    suffix = Path(path.stem).suffix if path.suffix in reading.OPENERS else path.suffix
    if suffix in PICKLES:
        advice = f"if you trust the file, make JSON lines of it yourself: {TO_JSON} {path}"
        raise ValueError(f"{path}: pickles are not read, since they can run code; {advice}")
    if suffix not in SUFFIXES or (suffix == ".parquet" and path.suffix != suffix):
        choices = f"{', '.join(SUFFIXES)}, the first two also packed as .gz, .bz2 or .xz"
        raise ValueError(f"{path}: unknown kind of file; choices: {choices}")
    if suffix == ".parquet":
        yield from _parquet(path)
        return
    with reading.opened(path, f"{suffix} file") as (stream, _):
        text = io.TextIOWrapper(stream, encoding="utf-8-sig", newline="")
        yield from _json(path, text) if suffix == ".jsonl" else _csv(path, text)


def _json(path: Path, text: TextIO) -> Iterator[tuple[int, dict[str, Any]]]:
    for row, line in enumerate(_lines(path, text), 1):
        if not line.strip():
            continue
        try:
            record = json.loads(line)
        except (ValueError, RecursionError) as error:
            told = getattr(error, "msg", "too deep")
            raise ValueError(f"{path}, row {row}: no JSON ({told}); give an object a line") from error
        if not isinstance(record, dict):
            raise ValueError(f"{path}, row {row}: a JSON {type(record).__name__}; give an object a line")
        yield row, record


def _csv(path: Path, text: TextIO) -> Iterator[tuple[int, dict[str, Any]]]:
    rows = csv.reader(_lines(path, text), strict=True)
    row = 0
    try:
        header = [name.strip() for name in next(rows, [])]
        for row, cells in enumerate(rows, 1):
            if cells and len(cells) != len(header):
                raise ValueError(f"{path}, row {row}: {len(cells)} cells; the header has {len(header)}")
            if cells:
                yield row, dict(zip(header, cells, strict=True))
    except csv.Error as error:
        raise ValueError(f"{path}, behind row {row}: not a CSV table: {error}") from error


def _parquet(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    from pyarrow import parquet

    with guard.reading(path, "Parquet file"), parquet.ParquetFile(path) as file:
        held = sum(file.metadata.row_group(number).total_byte_size for number in range(file.num_row_groups))
        guard.check_claim(path, "its table", held)
        row = 0
        for batch in file.iter_batches(batch_size=BATCH):
            for record in batch.to_pylist():
                row += 1
                yield row, record


def _lines(path: Path, text: TextIO) -> Iterator[str]:
    number = 0
    while line := text.readline(LINE + 1):
        number += 1
        if len(line) > LINE:
            raise ValueError(f"{path}, line {number}: more than {LINE:,} characters")
        yield line
