"""Results as a data package: a tidy table a kind, its columns described, and the entries to cite.

The form is Frictionless Data's datapackage.json, which its tools, R and pandas read.
"""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pandas as pd

from biassay.interchange import bibliography, dictionary
from biassay.interchange.dictionary import Column
from biassay.support import guard
from biassay.support import csv_tables

FORMATS = ("csv", "parquet")
KINDS = {"integer": "Int64", "number": "float64", "boolean": "boolean", "string": "string"}
TRUTHS = {"True": True, "False": False}
OF_METRICS = ("metric", "method", "second_method")  # columns that name metrics


def package(results: str | Path, folder: str | Path, *, form: str = "csv") -> dict[str, int]:
    """Write all tables of results to a new folder, with datapackage.json and references.bib; rows by table.

    Tables of one kind, as same/scores/{metric}.csv, become one, same_scores, with a column for each {name}. form: csv,
    in which values stay as they are printed, or parquet, in which they have their types. Sentences of data sets are
    not written. Raises ValueError if there are no results, for a folder that is there, a column without a description
    and a value that is not of its column's type; nothing is left of a package that fails.
    """
    folder = Path(folder)
    if form not in FORMATS:
        raise ValueError(f"format: {form!r} is none of {', '.join(FORMATS)}")
    kinds = _kinds(Path(results))
    if not kinds:
        raise ValueError(f"{results}: no tables of results there")
    if folder.exists():
        raise ValueError(f"{folder}: is there already; name a new folder")
    folder.mkdir(parents=True)
    try:
        return _write(Path(results), kinds, folder, form)
    except BaseException:
        shutil.rmtree(folder)
        raise


def _write(results: Path, kinds: dict[str, list[str]], folder: Path, form: str) -> dict[str, int]:
    described, rows, metrics = [], {}, {}
    for pattern, paths in kinds.items():
        name = table_name(pattern)
        table, columns = _joined(results, paths)
        typed = _typed(name, table, columns)
        with guard.writing(folder / f"{name}.{form}"):
            (typed.to_parquet if form == "parquet" else table.to_csv)(folder / f"{name}.{form}", index=False)
        described.append(_described(name, form, dictionary.place(paths[0]).about, columns))
        rows[name] = len(table)
        metrics |= dict.fromkeys(value for key in OF_METRICS if key in table for value in table[key] if value)
    about = {"name": "biassay-results", "profile": "tabular-data-package" if form == "csv" else "data-package"}
    (folder / "datapackage.json").write_text(
        json.dumps(about | {"resources": described}, indent=1, ensure_ascii=False) + "\n", "utf-8"
    )
    (folder / bibliography.FILE).write_text(bibliography.text(sorted(metrics)), "utf-8")
    return rows


def table_name(pattern: str) -> str:
    """A kind of tables by its path's words: same_scores of same/scores/{metric}.csv."""
    return "_".join(part for part in pattern.removesuffix(".csv").split("/") if not part.startswith("{"))


def _kinds(results: Path) -> dict[str, list[str]]:
    """Paths of the tables of each kind; ValueError where two kinds would have one name."""
    found: dict[str, list[str]] = {}
    for path in dictionary.tables(results):
        pattern = dictionary.place(path).pattern
        if pattern not in dictionary.KEPT_BACK:
            found.setdefault(pattern, []).append(path)
    names: dict[str, str] = {}
    for pattern in found:
        if (other := names.setdefault(table_name(pattern), pattern)) != pattern:
            raise ValueError(
                f"{results}: {other} and {pattern} would both be {table_name(pattern)}; export one of them"
            )
    return found


def _joined(results: Path, paths: list[str]) -> tuple[pd.DataFrame, dict[str, Column]]:
    """The tables of a kind as one, all values as they are printed, and what its columns say."""
    parts, columns = [], {}
    for path in paths:
        part = csv_tables.read(results / path, [], {}, allow_empty=True, dtype=str, keep_default_na=False)
        for name in part.columns:
            known = dictionary.column(path, name)
            if known is None:
                raise ValueError(f"{results / path}: the column {name!r} is not in the data dictionary")
            columns[name] = known
        for name, value in reversed(dictionary.place(path).names.items()):
            if name not in part:
                part.insert(0, name, value)
                columns.setdefault(name, _of_path(path, name))
        parts.append(part)
    table = pd.concat(parts, ignore_index=True).fillna("")
    return table, {name: columns[name] for name in table.columns}


def _of_path(path: str, name: str) -> Column:
    """What a column says that was the name of a folder or file: text, but for the seed of a run."""
    if name == "run_seed":
        return Column("integer", "", "seed of the run, of several; empty for the one whose pages are shown")
    known = dictionary.column(path, name)
    return Column("string", "", known.about if known else f"{name} that the table is of")


def _typed(name: str, table: pd.DataFrame, columns: dict[str, Column]) -> pd.DataFrame:
    """The table with its values of their types, empty ones as missing; ValueError for a value that is not."""
    found = {}
    for column, about in columns.items():
        values = table[column].mask(table[column] == "")
        try:
            if about.type == "boolean":
                values = values.map(TRUTHS, na_action="ignore").where(values.isin(list(TRUTHS)) | values.isna(), "bad")
            elif about.type != "string":
                values = pd.to_numeric(values)
            found[column] = values.astype(KINDS[about.type])
        except (ValueError, TypeError) as error:
            raise ValueError(f"{name}: the column {column!r} is to be of type {about.type}: {error}") from error
    return pd.DataFrame(found)


def _described(name: str, form: str, about: str, columns: dict[str, Column]) -> dict:
    """A table as datapackage.json has it."""
    return {
        "name": name,
        "path": f"{name}.{form}",
        "format": form,
        "description": about,
        "schema": {"fields": list(_fields(columns)), "missingValues": [""]},
    }


def _fields(columns: dict[str, Column]) -> Iterator[dict]:
    for name, column in columns.items():
        field = {"name": name, "type": column.type, "description": column.about}
        if column.type == "boolean":
            field |= {"trueValues": ["True"], "falseValues": ["False"]}
        yield field | ({"unit": column.unit} if column.unit else {})
