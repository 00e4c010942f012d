"""The data dictionary: the meaning of every column of every table, from resources/tables/dictionary.yaml."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pandas as pd

from biassay.words import files, resources

TYPES = ("string", "number", "integer", "boolean")
NUMBERED = re.compile(r"seeds/(\d+)/(.+)")  # results of a further seed are in a folder named by its number
NOT_EXPORTED = (
    "downstream/pairs/{set}.csv",  # sentences of data sets, which are not redistributed
    "audit/{table}.csv",  # the tables of single audits, joined
)


@dataclass(frozen=True)
class Column:
    """Description of a column: its type (of TYPES), its unit or range, and its meaning."""

    type: str
    unit: str
    about: str


@dataclass(frozen=True)
class Location:
    """Location of a table: the pattern of its path, the values of the {names} in it, and the table's description."""

    pattern: str
    names: dict[str, str]
    about: str


@cache
def read() -> dict:
    """Read the dictionary: common columns, columns by stage, exceptions by table, and descriptions of tables.

    Raises ValueError, naming the column, for a malformed description.
    """
    path = resources.shipped_path("tables") / "dictionary.yaml"
    content = files.read_yaml(path)
    stages = {stage: _parse_columns(path, stage, columns) for stage, columns in content["stages"].items()}
    exceptions = {table: _parse_columns(path, table, columns) for table, columns in content["exceptions"].items()}
    common = _parse_columns(path, "common", content["common"])
    return {"common": common, "stages": stages, "exceptions": exceptions, "tables": content["tables"]}


def locate(path: str) -> Location:
    """Return the location of a table, given its path below results/; an undescribed table is its own pattern."""
    names = {}
    if match := NUMBERED.fullmatch(path):
        names, path = {"run_seed": match[1]}, match[2]
    for pattern, about in read()["tables"].items():
        if match := _compile(pattern).fullmatch(path):
            return Location(pattern, names | match.groupdict(), about)
    return Location(path, names, "")


def find_column(path: str, name: str) -> Column | None:
    """Return the description of a column of a table below results/; None if the dictionary lacks it."""
    pattern, stages = locate(path).pattern, read()["stages"]
    stage = pattern.split("/")[0]
    sections = [read()["exceptions"].get(pattern, {}), stages.get(stage, {}), read()["common"]]
    if stage in ("seeds", "board"):  # they have columns of other stages' tables
        sections += list(stages.values())
    for columns in sections:
        for column, description in columns.items():
            if _compile(column).fullmatch(name):
                return description
    return None


def list_tables(results: str | Path) -> Iterator[str]:
    """Yield the paths of all tables below a folder of results, in order."""
    root = Path(results)
    for path in sorted(root.rglob("*.csv")):
        name = path.relative_to(root).as_posix()
        if not name.startswith(("logs/", "checkpoints/")):
            yield name


def find_undescribed(results: str | Path) -> list[str]:
    """Return the tables and columns in a folder of results that the dictionary lacks: "path" or "path: column"."""
    undescribed = []
    for path in list_tables(results):
        if not locate(path).about:
            undescribed.append(path)
        names = pd.read_csv(Path(results, path), nrows=0).columns
        undescribed += [f"{path}: {name}" for name in names if find_column(path, name) is None]
    return undescribed


def _parse_columns(path: Path, section: str, columns: dict[str, str]) -> dict[str, Column]:
    parsed = {}
    for name, text in columns.items():
        parts = [part.strip() for part in str(text).split("|")]
        if len(parts) != 3 or parts[0] not in TYPES or not parts[2]:
            raise ValueError(
                f"{path}: {section}.{name}: expected “type | unit or range | meaning” with a type of {TYPES}, "
                f"got {text!r}"
            )
        parsed[str(name)] = Column(*parts)
    return parsed


@cache
def _compile(pattern: str) -> re.Pattern:
    """Compile a pattern with {names}, each of which matches any text without a slash."""
    parts = re.split(r"\{(\w+)\}", pattern)
    return re.compile("".join(f"(?P<{part}>[^/]+)" if i % 2 else re.escape(part) for i, part in enumerate(parts)))
