"""The data dictionary: what every column of every table of results says, from resources/tables/dictionary.yaml."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pandas as pd

from biassay.words import files, resources

TYPES = ("string", "number", "integer", "boolean")
NUMBERED = re.compile(r"seeds/(\d+)/(.+)")  # results of a further seed lie in a folder of its number
KEPT_BACK = (  # kinds of tables that are not exported
    "downstream/pairs/{set}.csv",  # sentences of data sets stay where they are
    "audit/{table}.csv",  # those of single audits, side by side
)


@dataclass(frozen=True)
class Column:
    """What a column says: its type, of TYPES, its unit or range, and its meaning."""

    type: str
    unit: str
    about: str


@dataclass(frozen=True)
class Place:
    """Where a table lies: the pattern of its path, what {names} in that stand for, and what the table is of."""

    pattern: str
    names: dict[str, str]
    about: str


@cache
def content() -> dict:
    """The dictionary as it is written, with its columns parsed; ValueError, naming the column, for one that is not."""
    path = resources.shipped_path("tables") / "dictionary.yaml"
    read = files.read_yaml(path)
    stages = {stage: _columns(path, stage, columns) for stage, columns in read["stages"].items()}
    exceptions = {table: _columns(path, table, columns) for table, columns in read["exceptions"].items()}
    common = _columns(path, "common", read["common"])
    return {"common": common, "stages": stages, "exceptions": exceptions, "tables": read["tables"]}


def place(path: str) -> Place:
    """Where a table lies, by its path below results/; a table that the dictionary does not name is its own pattern."""
    names = {}
    if found := NUMBERED.fullmatch(path):
        names, path = {"run_seed": found[1]}, found[2]
    for pattern, about in content()["tables"].items():
        if found := _matcher(pattern).fullmatch(path):
            return Place(pattern, names | found.groupdict(), about)
    return Place(path, names, "")


def column(path: str, name: str) -> Column | None:
    """What a column of a table below results/ says; None if the dictionary does not have it."""
    pattern, everywhere = place(path).pattern, content()["stages"]
    stage = pattern.split("/")[0]
    wheres = [content()["exceptions"].get(pattern, {}), everywhere.get(stage, {}), content()["common"]]
    if stage in ("seeds", "board"):  # which tell of other stages' tables
        wheres += list(everywhere.values())
    for columns in wheres:
        for known, about in columns.items():
            if _matcher(known).fullmatch(name):
                return about
    return None


def tables(results: str | Path) -> Iterator[str]:
    """Paths below a folder of results of its tables, in order."""
    root = Path(results)
    for path in sorted(root.rglob("*.csv")):
        name = path.relative_to(root).as_posix()
        if not name.startswith(("logs/", "checkpoints/")):
            yield name


def missing(results: str | Path) -> list[str]:
    """Tables and columns in a folder of results that the dictionary lacks, as "path" or "path: column"."""
    found = []
    for path in tables(results):
        if not place(path).about:
            found.append(path)
        names = pd.read_csv(Path(results, path), nrows=0).columns
        found += [f"{path}: {name}" for name in names if column(path, name) is None]
    return found


def _columns(path: Path, stage: str, columns: dict[str, str]) -> dict[str, Column]:
    found = {}
    for name, text in columns.items():
        parts = [part.strip() for part in str(text).split("|")]
        if len(parts) != 3 or parts[0] not in TYPES or not parts[2]:
            raise ValueError(
                f"{path}: {stage}.{name}: {text!r} is no “type | unit or range | meaning”, a type of {TYPES}"
            )
        found[str(name)] = Column(*parts)
    return found


@cache
def _matcher(pattern: str) -> re.Pattern:
    """A pattern with {names} as a regular expression; a name stands for anything without a slash."""
    parts = re.split(r"\{(\w+)\}", pattern)
    return re.compile("".join(f"(?P<{part}>[^/]+)" if i % 2 else re.escape(part) for i, part in enumerate(parts)))
