"""CSV tables that one step of the workflow writes and another reads: required columns, types and rows are checked."""

import csv
import io
from collections.abc import Iterable, Mapping
from pathlib import Path

import numpy as np
import pandas as pd

from biassay.core import guard

TYPES = {
    "text": "a text",
    "integer": "an integer",
    "number": "a finite number",
    "extended": "a number",  # also an infinite one
    "boolean": "True or False",
}


def column_types(**names: str) -> dict[str, str]:
    """Map columns to their types: by type of TYPES, names separated by spaces; "name?" may have empty cells."""
    pairs = [(name, type_name) for type_name, columns in names.items() for name in columns.split()]
    return {name.rstrip("?"): type_name + "?" * name.endswith("?") for name, type_name in pairs}


def read(
    path: str | Path, columns: str | Iterable[str], types: Mapping[str, str], *, allow_empty: bool = False,
    comment: str = "", **options: object,
) -> pd.DataFrame:  # fmt: skip
    """Read a CSV table that another step wrote; raise ValueError, naming file, column and row, if it is damaged.

    Parameters
    ----------
    path
    columns
        Required columns, as a list or separated by spaces.
    types
        `column_types` of these and other columns.
    allow_empty
        Whether the table may have no rows.
    comment
        Lines that begin with it are skipped.
    **options
        Passed to `pandas.read_csv`.
    """
    with guard.reading(path, "table"):
        lines = Path(path).read_bytes().splitlines(keepends=True)
        content = b"".join(line for line in lines if not comment or not line.startswith(comment.encode()))
        if not content.endswith(b"\n") or b"\0" in content:
            raise ValueError(
                f"{path}: is empty, cut off or damaged: the last line is incomplete, or there are NUL bytes"
            )
        reader, number = csv.reader(io.StringIO(content.decode("utf-8-sig"), newline="")), 0
        header = next(reader)
        for number, row in enumerate(reader, 1):
            if len(row) != len(header):  # pandas would fill it
                raise ValueError(f"{path}: row {number} has {len(row)} cells; the header has {len(header)}")
        if duplicates := [name for number, name in enumerate(header) if name in header[:number]]:
            raise ValueError(f"{path}: has the column {duplicates[0]!r} twice")
        required = columns.split() if isinstance(columns, str) else list(columns)
        if missing := [name for name in required if name not in header]:
            raise ValueError(f"{path}: lacks the columns {', '.join(missing)}; it has {', '.join(header)}")
        if not number and not allow_empty:
            raise ValueError(f"{path}: has no rows below its header")
        table = pd.read_csv(io.BytesIO(content), **options)
        for name in [name for name in table if name in types]:
            invalid = np.flatnonzero(_is_invalid(table[name], types[name]))
            if len(invalid):
                cell, expected = table[name].iloc[invalid[0]], TYPES[types[name].rstrip("?")]
                shown = "an empty cell" if cell == "" or pd.isna(cell) else repr(str(cell))[:100]
                raise ValueError(f"{path}: row {invalid[0] + 1}: {name}: expected {expected}, got {shown}")
    return table


def select_rows(table: pd.DataFrame, **keys: object) -> pd.DataFrame:
    """Select the rows whose columns have the values of `keys`."""
    return table[(table[list(keys)] == pd.Series(keys)).all(axis=1)]


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


def _is_invalid(column: pd.Series, type_name: str) -> pd.Series:
    """Return a mask of the cells that are not of a type."""
    kind, gaps = type_name.rstrip("?"), column.isna() | column.eq("")
    if kind == "text":
        wrong = pd.Series(False, column.index)
    elif kind == "boolean":
        wrong = ~column.astype(str).isin(["True", "False"])
    else:
        numbers = pd.to_numeric(column if column.dtype.kind in "iuf" else column.astype(str), errors="coerce")
        wrong = numbers.isna() if kind == "extended" else ~np.isfinite(numbers)
        wrong |= (kind == "integer") & (numbers % 1 != 0)
    return wrong & ~gaps if type_name.endswith("?") else wrong | gaps
