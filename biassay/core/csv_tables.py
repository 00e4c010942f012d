"""CSV tables that one step of the workflow writes and another reads: required columns, types and rows are checked."""

import csv
import io
from collections.abc import Iterable, Mapping
from pathlib import Path

import numpy as np
import pandas as pd

from biassay.core import guard

TYPES = {"text": "a text", "integer": "an integer", "number": "a finite number", "boolean": "True or False"}


def column_types(**names: str) -> dict[str, str]:
    """Map columns to their types.

    Parameters
    ----------
    **names : str
        By type of TYPES, the names of its columns, separated by spaces; "name?" may have empty cells.
    """
    pairs = [(name, type_name) for type_name, columns in names.items() for name in columns.split()]
    return {name.rstrip("?"): type_name + "?" * name.endswith("?") for name, type_name in pairs}


def read(
    path: str | Path, columns: str | Iterable[str], types: Mapping[str, str], *,
    keys: Mapping[str, Iterable] | None = None, allow_empty: bool = False, **options: object,
) -> pd.DataFrame:  # fmt: skip
    """Read a CSV table that another step wrote.

    Parameters
    ----------
    path
    columns
        Required columns, as a list or separated by spaces.
    types
        `column_types` of these and other columns. Numbers are finite.
    keys
        Values of some columns: the table has exactly one row for each combination of them.
    allow_empty
        Whether the table may have no rows.
    **options
        Passed to `pandas.read_csv`. Lines that begin with `comment` are skipped.

    Raises
    ------
    ValueError
        If the table is damaged; the message names file, column and row.
    """
    with guard.reading(path, "table"):
        content = _read_lines(path, str(options.pop("comment", "")))
        table = pd.read_csv(io.BytesIO(content), **options)
        header = _check_header(path, content, table)
        required = columns.split() if isinstance(columns, str) else list(columns)
        if missing := [name for name in required if name not in header]:
            raise ValueError(f"{path}: lacks the columns {', '.join(missing)}; it has {', '.join(header)}")
        if not len(table) and not allow_empty:
            raise ValueError(f"{path}: has no rows below its header")
        for name in [name for name in table if name in types]:
            invalid = np.flatnonzero(_is_invalid(table[name], types[name])) if len(table) else ()
            if len(invalid):
                cell, expected = table[name].iloc[invalid[0]], TYPES[types[name].rstrip("?")]
                shown = "an empty cell" if cell == "" or pd.isna(cell) else repr(str(cell))[:100]
                raise ValueError(f"{path}: row {invalid[0] + 1}: {name}: expected {expected}, got {shown}")
        if keys:
            check_rows(path, table, keys)
    return table


def check_rows(path: str | Path, table: pd.DataFrame, keys: Mapping[str, Iterable]) -> None:
    """Raise ValueError unless a table has exactly one row for each combination of the key columns' values."""
    expected = pd.MultiIndex.from_product([list(values) for values in keys.values()])
    actual = pd.MultiIndex.from_frame(table[list(keys)])
    for rows, problem in (
        (actual[actual.duplicated()], "has two rows"), (actual.difference(expected), "has an unexpected row"),
        (expected.difference(actual), "lacks a row"),
    ):  # fmt: skip
        if len(rows):
            key = ", ".join(f"{name} {value}" for name, value in zip(keys, rows[0], strict=True))
            raise ValueError(f"{path}: {problem} for {key}")


def check_grid(path: str | Path, table: pd.DataFrame, by: str, values: Iterable, columns: list[str]) -> None:
    """Raise ValueError unless each value of `by` has one row for each combination of `columns` in the table."""
    combinations = table[columns].drop_duplicates().itertuples(index=False)
    names = [", ".join(map(str, row)) for row in combinations]
    row = np.array(names, object)[table.groupby(columns, sort=False, dropna=False).ngroup()]
    check_rows(path, table.assign(row=row), {by: values, "row": names})


def read_plan(
    path: str | Path, columns: str, types: Mapping[str, str], *, chunks: int | None = None, chunk: int | None = None
) -> pd.DataFrame:
    """Read a plan: models, numbered from 0, and the chunk that trains each.

    Parameters
    ----------
    path, columns, types
        As for `read`.
    chunks
        Number of chunks; all models are returned.
    chunk
        One chunk; only its models are returned.
    """
    table = read(path, columns, types)
    check_rows(path, table, {"model": range(len(table))})
    actual, expected = set(table["chunk"]), set(range(chunks) if chunk is None else [chunk])
    if odd := expected - actual or (chunk is None and actual - expected):
        problem = "has no model" if odd <= expected else f"is not one of the {chunks} chunks"
        raise ValueError(f"{path}: chunk {min(odd)} {problem}")
    return table if chunk is None else table[table["chunk"] == chunk]


def _read_lines(path: str | Path, comment: str) -> bytes:
    """Read a file without its comments; raise ValueError if it is cut off."""
    content = Path(path).read_bytes()
    if comment:
        lines = content.splitlines(keepends=True)
        content = b"".join(line for line in lines if not line.startswith(comment.encode()))
    if not content.strip():
        raise ValueError(f"{path}: is empty; expected a table with a header")
    if not content.endswith(b"\n") or b"\0" in content:
        raise ValueError(f"{path}: is cut off or damaged: the last line is incomplete, or there are NUL bytes")
    return content


def _check_header(path: str | Path, content: bytes, table: pd.DataFrame) -> list[str]:
    """Return the columns; raise ValueError for duplicates and for rows of another length, which pandas would fill."""
    header = next(csv.reader([content[: content.index(b"\n")].decode("utf-8-sig").rstrip("\r")]))
    if duplicates := [name for number, name in enumerate(header) if name in header[:number]]:
        raise ValueError(f"{path}: has the column {duplicates[0]!r} twice")
    even = content.count(b",") == (len(header) - 1) * content.count(b"\n") and isinstance(table.index, pd.RangeIndex)
    if b'"' in content or not even:  # slower, but handles quotes and finds the row
        for number, row in enumerate(csv.reader(io.StringIO(content.decode("utf-8-sig"), newline=""))):
            if len(row) != len(header):
                raise ValueError(f"{path}: row {number} has {len(row)} cells; the header has {len(header)}")
    return header


def _is_invalid(column: pd.Series, type_name: str) -> np.ndarray:
    """Return a mask of the cells that are not of a type."""
    kinds = {"integer": "iu", "number": "iuf", "boolean": "b"}.get(type_name.rstrip("?"), "")
    if column.dtype.kind in kinds:
        valid = np.isfinite(column.to_numpy())
    elif not kinds:
        valid = np.ones(len(column), bool)
    elif kinds == "b":
        valid = column.astype(str).isin(["True", "False"]).to_numpy()
    else:
        numbers = pd.to_numeric(column if column.dtype.kind == "f" else column.astype(str), errors="coerce").to_numpy()
        valid = np.isfinite(numbers) & ((kinds == "iuf") | (numbers == np.floor(numbers)))
        valid &= type_name.endswith("?") or not valid.all()  # a column of 1.0 does not hold integers
    gaps = (column.isna() if kinds else column.isna() | column.eq("")).to_numpy(bool)
    return ~valid & ~gaps if type_name.endswith("?") else ~valid | gaps
