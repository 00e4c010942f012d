"""Results as a Frictionless data package: one table per kind, descriptions of the columns, and BibTeX entries."""

import json
import tempfile
from pathlib import Path

import pandas as pd

from biassay.core import csv_tables, guard
from biassay.interchange import bibliography
from biassay.report import results as described
from biassay.report.results import Column

FORMATS = ("csv", "parquet")
KINDS = {"integer": "Int64", "number": "float64", "boolean": "boolean", "string": "string"}
BOOLEANS = {"True": True, "False": False}
NOT_EXPORTED = (
    "downstream/pairs/{set}.csv",  # sentences of data sets, which are not redistributed
    "audit/{table}.csv",  # the tables of single audits, joined
)
METRIC_COLUMNS = ("metric", "method", "second_method")


def write_package(results: str | Path, folder: str | Path, *, form: str = "csv") -> dict[str, int]:
    """Write all tables of results to a new folder, with datapackage.json and references.bib.

    These include tables of earlier configurations in the same folder: no file lists those of the latest. Tables of one
    kind, such as same/scores/{metric}.csv, become one, same_scores, with a column for each {name}.
    `form` is "csv", with values as printed, or "parquet", with typed values. Returns the number of rows by table.
    Raises ValueError if there are no results, the folder exists, a column has no description, or a value does not have
    the type of its column; then nothing is written.
    """
    folder = Path(folder)
    if form not in FORMATS:
        raise ValueError(f"format: expected one of {', '.join(FORMATS)}, got {form!r}")
    kinds = _kinds(Path(results))
    if not kinds:
        raise ValueError(f"{results}: has no tables of results")
    if folder.exists():
        raise ValueError(f"{folder}: already exists; name a new folder")
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent, prefix=f".{folder.name}.") as draft:
        package = Path(draft) / folder.name
        package.mkdir()
        rows = _write(Path(results), kinds, package, form)
        package.rename(folder)
    return rows


def _write(results: Path, kinds: dict[str, list[str]], folder: Path, form: str) -> dict[str, int]:
    descriptions, rows, metrics = [], {}, {}
    for pattern, paths in kinds.items():
        name = table_name(pattern)
        table, columns = _join_tables(results, paths)
        typed = _convert_types(name, table, columns)
        with guard.writing(folder / f"{name}.{form}"):
            (typed.to_parquet if form == "parquet" else table.to_csv)(folder / f"{name}.{form}", index=False)
        descriptions.append(_describe_table(name, form, described.locate(paths[0]).about, columns))
        rows[name] = len(table)
        metrics |= dict.fromkeys(value for key in METRIC_COLUMNS if key in table for value in table[key] if value)
    about = {"name": "biassay-results", "profile": "tabular-data-package" if form == "csv" else "data-package"}
    (folder / "datapackage.json").write_text(
        json.dumps(about | {"resources": descriptions}, indent=1, ensure_ascii=False) + "\n", "utf-8"
    )
    (folder / bibliography.FILE).write_text(bibliography.format_bibtex(sorted(metrics)), "utf-8")
    return rows


def table_name(pattern: str) -> str:
    """Return the name of a kind of tables, such as same_scores for same/scores/{metric}.csv."""
    return "_".join(part for part in pattern.removesuffix(".csv").split("/") if not part.startswith("{"))


def _kinds(results: Path) -> dict[str, list[str]]:
    """Return the paths of the tables of each kind."""
    paths: dict[str, list[str]] = {}
    for path in described.list_tables(results):
        pattern = described.locate(path).pattern
        if pattern not in NOT_EXPORTED:
            paths.setdefault(pattern, []).append(path)
    return paths


def _join_tables(results: Path, paths: list[str]) -> tuple[pd.DataFrame, dict[str, Column]]:
    """Join the tables of a kind, with values as printed, and return the descriptions of their columns."""
    parts, columns = [], {}
    for path in paths:
        part = csv_tables.read(results / path, [], {}, allow_empty=True, dtype=str, keep_default_na=False)
        for name in part.columns:
            description = described.find_column(path, name)
            if description is None:
                raise ValueError(f"{results / path}: column {name!r} is not in the data dictionary")
            columns[name] = description
        for name, value in reversed(described.locate(path).names.items()):
            if name not in part:
                part.insert(0, name, value)
                columns.setdefault(name, _describe_path_part(path, name))
        parts.append(part)
    table = pd.concat(parts, ignore_index=True).fillna("")
    return table, {name: columns[name] for name in table.columns}


def _describe_path_part(path: str, name: str) -> Column:
    """Describe a column made from the name of a folder or file: text, except for the seed of a run."""
    if name == "run_seed":
        return Column("integer", "", "seed of a further run; empty for the main run")
    description = described.find_column(path, name)
    return Column("string", "", description.about if description else f"{name} of the table")


def _convert_types(name: str, table: pd.DataFrame, columns: dict[str, Column]) -> pd.DataFrame:
    """Convert values to their columns' types, empty ones to missing; raises ValueError for a value of another type."""
    converted = {}
    for column, about in columns.items():
        values = table[column].mask(table[column] == "")
        try:
            values = values.replace(BOOLEANS) if about.type == "boolean" else values
            values = pd.to_numeric(values) if about.type in ("integer", "number") else values
            converted[column] = values.astype(KINDS[about.type])
        except (ValueError, TypeError) as error:
            raise ValueError(f"{name}: column {column!r}: expected values of type {about.type}: {error}") from error
    return pd.DataFrame(converted)


def _describe_table(name: str, form: str, about: str, columns: dict[str, Column]) -> dict:
    """Describe a table for datapackage.json."""
    fields = []
    for key, column in columns.items():
        field = {"name": key, "type": column.type, "description": column.about}
        field |= {"trueValues": ["True"], "falseValues": ["False"]} if column.type == "boolean" else {}
        fields.append(field | ({"unit": column.unit} if column.unit else {}))
    schema = {"fields": fields, "missingValues": [""]}
    return {"name": name, "path": f"{name}.{form}", "format": form, "description": about, "schema": schema}
