"""Tables between the steps of the workflow: read with the columns that they must have, and checked."""

import csv
import io
from collections.abc import Iterable, Mapping
from pathlib import Path

import numpy as np
import pandas as pd

from biassay.support import guard

KINDS = {"text": "a text", "integer": "an integer", "number": "a finite number", "boolean": "True or False"}


def column_types(**names: str) -> dict[str, str]:
    """Kinds of columns, of KINDS, by name, from the names of each kind; a name with "?" may have empty cells."""
    return {name.rstrip("?"): kind + "?" * name.endswith("?") for kind, of in names.items() for name in of.split()}


def read(
    path: str | Path, columns: str | Iterable[str], known: Mapping[str, str], *,
    each: Mapping[str, Iterable] | None = None, allow_empty: bool = False, **options: object,
) -> pd.DataFrame:  # fmt: skip
    """Read a CSV table that another step wrote. Raises ValueError, naming file, column and row, if it is damaged.

    columns: names that it must have. known: `kinds` of these and other columns; numbers are finite. each: values of
    some columns; the table must have one row for each combination of them, and no others. empty: whether it may have
    no rows. options: as of `pandas.read_csv`, which reads it; lines that begin with `comment` are skipped.
    """
    with guard.reading(path, "table"):
        content = _lines(path, str(options.pop("comment", "")))
        table = pd.read_csv(io.BytesIO(content), **options)
        header = _header(path, content, table)
        wanted = columns.split() if isinstance(columns, str) else list(columns)
        if missing := [name for name in wanted if name not in header]:
            raise ValueError(f"{path}: lacks the columns {', '.join(missing)}; it has {', '.join(header)}")
        if not len(table) and not allow_empty:
            raise ValueError(f"{path}: has no rows below its header")
        for name in [name for name in table if name in known]:
            wrong = np.flatnonzero(_wrong(table[name], known[name])) if len(table) else ()
            if len(wrong):
                cell, kind = table[name].iloc[wrong[0]], KINDS[known[name].rstrip("?")]
                shown = "an empty cell" if cell == "" or pd.isna(cell) else repr(str(cell))[:100]
                raise ValueError(f"{path}: row {wrong[0] + 1}: {name}: expected {kind}, got {shown}")
        if each:
            check_rows(path, table, each)
    return table


def check_rows(path: str | Path, table: pd.DataFrame, each: Mapping[str, Iterable]) -> None:
    """Raise ValueError unless a table has one row for each combination of the values of some columns, and no others."""
    wanted = pd.MultiIndex.from_product([list(values) for values in each.values()])
    found = pd.MultiIndex.from_frame(table[list(each)])
    for rows, said in (
        (found[found.duplicated()], "has two rows"), (found.difference(wanted), "has an unexpected row"),
        (wanted.difference(found), "lacks a row"),
    ):  # fmt: skip
        if len(rows):
            key = ", ".join(f"{name} {value}" for name, value in zip(each, rows[0], strict=True))
            raise ValueError(f"{path}: {said} of {key}")


def check_grid(path: str | Path, table: pd.DataFrame, by: str, values: Iterable, columns: list[str]) -> None:
    """Raise ValueError unless each value of `by` has one row for all that columns say somewhere, and none is new."""
    names = [", ".join(map(str, row)) for row in table[columns].drop_duplicates().itertuples(index=False)]
    of = np.array(names, object)[table.groupby(columns, sort=False, dropna=False).ngroup()]
    check_rows(path, table.assign(of=of), {by: values, "of": names})


def read_plan(
    path: str | Path, columns: str, known: Mapping[str, str], *, chunks: int | None = None, chunk: int | None = None
) -> pd.DataFrame:
    """Read a plan of models, numbered from 0, and which chunk trains them: all, of so many chunks, or those of one."""
    table = read(path, columns, known)
    check_rows(path, table, {"model": range(len(table))})
    found, wanted = set(table["chunk"]), set(range(chunks) if chunk is None else [chunk])
    if odd := wanted - found or (chunk is None and found - wanted):
        raise ValueError(f"{path}: chunk {min(odd)} {'has no model' if odd <= wanted else f'is not one of {chunks}'}")
    return table if chunk is None else table[table["chunk"] == chunk]


def _lines(path: str | Path, comment: str) -> bytes:
    """The file without comments, if it is whole."""
    content = Path(path).read_bytes()
    if comment:
        lines = content.splitlines(keepends=True)
        content = b"".join(line for line in lines if not line.startswith(comment.encode()))
    if not content.strip():
        raise ValueError(f"{path}: is empty; expected a table with a header")
    if not content.endswith(b"\n") or b"\0" in content:
        raise ValueError(f"{path}: is cut off or damaged: its last line has no end, or it has NUL bytes")
    return content


def _header(path: str | Path, content: bytes, table: pd.DataFrame) -> list[str]:
    """Names of the columns, each once. Every row has as many cells; pandas itself checks only that none has more."""
    header = next(csv.reader([content[: content.index(b"\n")].decode("utf-8-sig").rstrip("\r")]))
    if twice := [name for number, name in enumerate(header) if name in header[:number]]:
        raise ValueError(f"{path}: has the column {twice[0]!r} twice")
    even = content.count(b",") == (len(header) - 1) * content.count(b"\n") and isinstance(table.index, pd.RangeIndex)
    if b'"' in content or not even:  # slower, but it knows quotes and names the row
        for number, row in enumerate(csv.reader(io.StringIO(content.decode("utf-8-sig"), newline=""))):
            if len(row) != len(header):
                raise ValueError(f"{path}: row {number} has {len(row)} cells; the header has {len(header)}")
    return header


def _wrong(column: pd.Series, kind: str) -> np.ndarray:
    """Whether each cell is not of a kind."""
    exact = {"integer": "iu", "number": "iuf", "boolean": "b"}.get(kind.rstrip("?"), "")
    if column.dtype.kind in exact:
        right = np.isfinite(column.to_numpy())
    elif not exact:
        right = np.ones(len(column), bool)
    elif exact == "b":
        right = column.astype(str).isin(["True", "False"]).to_numpy()
    else:
        numbers = pd.to_numeric(column if column.dtype.kind == "f" else column.astype(str), errors="coerce").to_numpy()
        right = np.isfinite(numbers) & ((exact == "iuf") | (numbers == np.floor(numbers)))
        right &= kind.endswith("?") or not right.all()  # 1.0 is a number, but a column of integers has none
    gaps = (column.isna() if exact else column.isna() | column.eq("")).to_numpy(bool)
    return ~right & ~gaps if kind.endswith("?") else ~right | gaps
