"""Rows of files that a user has, JSON lines, CSV or Parquet, one at a time, with the place of each.

Messages name file, place and column, and no text of a row.
"""

import csv
import json
import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from biassay.corpora import plain_text
from biassay.support import guard
from biassay.support.logs import Progress

SUFFIXES = (".jsonl", ".csv", ".parquet")
PICKLES = (".pkl", ".pickle")
LINE = 1 << 20  # bytes of a line
STEP = 1 << 20  # bytes of a file between two notes of progress
SHOWN = 8  # columns that a message names
BATCH = 1000  # rows of Parquet
Record = dict[str, Any]
TO_JSON = (
    'python -c "import sys, pandas; pandas.DataFrame(pandas.read_pickle(sys.argv[1]))'
    ".to_json('bios.jsonl', orient='records', lines=True)\""
)


def read(path: str | Path) -> Iterator[tuple[str, Record]]:
    """Yield the rows of a file, .jsonl or .csv (plain, .gz, .bz2 or .xz) or .parquet, as mappings from columns, behind
    the place of each: "line 3", on which it begins, or "row 3" of Parquet, from 1. Memory for a row, or some.

    Raises ValueError, naming file and place, for what is broken or not UTF-8, two columns of a table or keys of an
    object that have the same name, a file without rows, another suffix, and a pickle, which could run code.
    """
    place = None
    for place, record in _rows(path):
        yield place, record
    if place is None:
        raise ValueError(f"{path}: has no rows")


def column(path: str | Path, record: Iterable[str], names: Sequence[str], fold: Callable[[str], str] = str) -> str:
    """The column of a record that is the first of some names, by which a column goes when it is folded.

    Raises ValueError if there is none, or that one twice.
    """
    for name in names:
        found = [own for own in record if fold(own) == name]
        if len(found) > 1:
            raise ValueError(f"{path}: has the column {name!r} {len(found)} times")
        if found:
            return found[0]
    has = [name for name in record if name.isidentifier()]  # a file without header has texts there
    told = ", ".join(has[:SHOWN]) + (", …" if len(has) > SHOWN else "")
    raise ValueError(f"{path}: lacks the column {' or '.join(map(repr, names))}; it has: {told or 'none':.300}")


def empty(cell: object) -> bool:
    """Whether nothing stands in a cell, in any of the kinds of files."""
    return cell is None or cell != cell or (isinstance(cell, str) and not cell.strip())


def _rows(path: str | Path) -> Iterator[tuple[str, Record]]:
    path = Path(path)
    suffix = Path(path.stem).suffix if path.suffix in plain_text.OPENERS else path.suffix
    if suffix in PICKLES:
        advice = f"if you trust the file, make JSON lines of it yourself: {TO_JSON} {path}"
        raise ValueError(f"{path}: pickles are not read, since they can run code; {advice}")
    if suffix not in SUFFIXES or (suffix == ".parquet" and path.suffix != suffix):
        choices = f"{', '.join(SUFFIXES)}, the first two also packed as .gz, .bz2 or .xz"
        raise ValueError(f"{path}: unknown kind of file; expected one of: {choices}")
    yield from {".jsonl": _json, ".csv": _csv, ".parquet": _parquet}[suffix](path)


def _json(path: Path) -> Iterator[tuple[str, Record]]:
    twice: list[str] = []
    decoder = json.JSONDecoder(object_pairs_hook=partial(_object, twice))
    for number, line in enumerate(_lines(path, ".jsonl file"), 1):
        if not line.strip():
            continue
        try:
            record = decoder.decode(line)
        except (ValueError, RecursionError) as error:
            told = getattr(error, "msg", "too deep, or a number too long")
            raise ValueError(f"{path}, line {number}: no JSON ({told}); give an object a line") from error
        if twice:
            raise ValueError(f"{path}, line {number}: has the key{_shown(twice[0])} more than once")
        if not isinstance(record, dict):
            raise ValueError(f"{path}, line {number}: a JSON {type(record).__name__}; give an object a line")
        yield f"line {number}", record


def _object(twice: list[str], pairs: list[tuple[str, Any]]) -> Record:
    """A JSON object; keys that it has more than once are put into `twice`."""
    record = dict(pairs)
    if len(record) < len(pairs):
        twice += [key for key, count in Counter(key for key, _ in pairs).items() if count > 1]
    return record


def _shown(name: str) -> str:
    """A name for a message, in quotes; nothing if it may be a text."""
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
                    raise ValueError(f"{path}, line {first}: has {len(cells)} cells; the header has {len(header)}")
                yield f"line {first}", dict(zip(header, cells, strict=True))
            first = reader.line_num + 1
    except csv.Error as error:
        raise ValueError(f"{path}, line {first}: not a CSV table: {error}") from error


def _header(path: Path, cells: list[str]) -> list[str]:
    """Names of columns, of which those that have one have their own."""
    header, places = [name.strip() for name in cells], {}
    for place, name in enumerate(header, 1):
        if name and places.setdefault(name, place) != place:
            raise ValueError(f"{path}: the columns {places[name]} and {place} have the same name{_shown(name)}")
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
    # Texts come as numbers of different ones, which says how long all are before they are made.
    with guard.reading(path, "Parquet file"), parquet.ParquetFile(path, read_dictionary=texts) as file:
        progress = Progress(f"reading {path}", file.metadata.num_rows, "rows")
        row = size = 0
        for batch in file.iter_batches(batch_size=BATCH):
            size += sum(map(_size, batch.columns))
            guard.check_claim(path, "its table", size)
            columns = [of.dictionary_decode() if types.is_dictionary(of.type) else of for of in batch.columns]
            for record in RecordBatch.from_arrays(columns, names=batch.schema.names).to_pylist():
                row += 1
                yield f"row {row}", record
            progress.add(len(batch))


def _size(array: Any) -> int:
    """Bytes of a column's values as they are when they are made: of texts that stand there often, all of them."""
    from pyarrow import compute, types

    if types.is_nested(array.type):
        return sum(map(_size, array.flatten() if types.is_struct(array.type) else [array.flatten()]))
    if types.is_dictionary(array.type) and not types.is_primitive(array.type.value_type):
        return compute.sum(compute.binary_length(array.dictionary).take(array.indices)).as_py() or 0
    return array.nbytes


def _lines(path: Path, what: str) -> Iterator[str]:
    """Lines of a file, decompressed by its suffix, a byte order mark left out."""
    with plain_text.open_binary(path, what) as (stream, file):
        progress = Progress(f"reading {path}", os.fstat(file.fileno()).st_size / 1e6, "MB")
        number = read = 0
        while line := stream.readline(LINE + 1):
            number += 1
            if len(line) > LINE:
                raise ValueError(f"{path}, line {number}: longer than {LINE >> 20} MiB")
            try:
                yield line.decode("utf-8-sig" if number == 1 else "utf-8")
            except UnicodeDecodeError as error:
                raise ValueError(f"{path}, line {number}: not UTF-8 text ({error.reason})") from error
            if (place := file.tell()) - read >= STEP:
                progress.add((place - read) / 1e6)
                read = place
