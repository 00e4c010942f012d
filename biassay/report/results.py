"""Results as files named results.yaml describe them: titles and captions on the site, and the dictionary of columns."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import yaml

KINDS = {".svg": "figure", ".csv": "table", ".html": "page"}
TYPES = ("string", "number", "integer", "boolean")
PACKAGE = Path(__file__).parents[1]
COMMON = Path(__file__).with_name("results.yaml")
NUMBERED = re.compile(r"seeds/(\d+)/(.+)")  # results of a further seed are in a folder named by its number


@dataclass(frozen=True)
class Column:
    """Description of a column: its type (of TYPES), its unit or range, and its meaning."""

    type: str
    unit: str
    about: str


@dataclass(frozen=True)
class Description:
    """Description of results: pattern of their paths, title on the site ("" if they are not on it), and caption."""

    pattern: str
    title: str
    caption: str
    source: Path


@dataclass(frozen=True)
class Result:
    """A result on the site; `name` is its path below the study's folder without extension, `kind` one of KINDS."""

    file: Path
    name: str
    kind: str
    title: str
    caption: str
    wildcards: dict[str, str]


@dataclass(frozen=True)
class Location:
    """Location of a table: the pattern of its path, the values of the {names} in it, and the table's description."""

    pattern: str
    names: dict[str, str]
    about: str


@cache
def read_descriptions() -> dict[str, Description]:
    """Read the descriptions of all results by pattern."""
    descriptions = {}
    for source, content in _read_files().items():
        for pattern, text in content.get("shown", {}).items():
            descriptions[pattern] = Description(pattern, *text.split(" | ", 1), source)
        for pattern, text in content.get("tables", {}).items():
            descriptions[pattern] = Description(pattern, "", text, source)
    return descriptions


@cache
def read_columns() -> dict[Path, dict[str, Column]]:
    """Read the descriptions of columns by file; those of all tables are in COMMON.

    Raises ValueError, naming the column, for a malformed description.
    """
    return {
        source: {
            name: _parse_column(source, name, text)
            for names, text in content.get("columns", {}).items()
            for name in names.split(", ")
        }
        for source, content in _read_files().items()
    }


def read_charts(study: str) -> list[dict]:
    """Read the charts of a study: pattern of the table, title, columns that name a row, arguments of `draw_dots`."""
    content = next(content for path, content in _read_files().items() if path.parent.name == study)
    return [dict(chart) for chart in content.get("charts", [])]


def find_results(study: str, files: Iterable[str | Path]) -> list[Result]:
    """Find the results of a study on the site among files, in the order of the study's results.yaml.

    Files may be below another folder, such as results/seeds/2/.
    """
    files, results = [Path(file) for file in files], []
    for description in read_descriptions().values():
        if not description.title or not description.pattern.startswith(f"{study}/"):
            continue
        pattern = re.compile(rf"(?:.*/)?{compile_pattern(description.pattern).pattern}")
        for file in files:
            if match := pattern.fullmatch(file.as_posix()):
                names = match.groupdict()
                path = Path(description.pattern.format(**names))
                name = path.relative_to(study).with_suffix("").as_posix()
                texts = (text.format(**names) for text in (description.title, description.caption))
                results.append(Result(file, name, KINDS[path.suffix], *texts, names))
    return results


def locate(path: str) -> Location:
    """Return the location of a table, given its path below results/; an undescribed table is its own pattern."""
    names = {}
    if match := NUMBERED.fullmatch(path):
        names, path = {"run_seed": match[1]}, match[2]
    for pattern, description in read_descriptions().items():
        if match := compile_pattern(pattern).fullmatch(path):
            return Location(pattern, names | match.groupdict(), description.caption)
    return Location(path, names, "")


def find_column(path: str, name: str) -> Column | None:
    """Return the description of a column of a table below results/; None if there is none."""
    columns, sources = read_columns(), [*_find_sources(path), COMMON]
    if locate(path).pattern.startswith("board/"):  # its tables have columns of other studies' tables
        sources += columns
    for source in sources:
        for column, description in columns[source].items():
            if compile_pattern(column).fullmatch(name):
                return description
    return None


def list_tables(results: str | Path) -> Iterator[str]:
    """Yield the paths of all tables below a folder of results, in order."""
    for path in sorted(Path(results).rglob("*.csv")):
        name = path.relative_to(results).as_posix()
        if not name.startswith(("logs/", "checkpoints/")):
            yield name


def _find_sources(path: str) -> list[Path]:
    """Find the file that describes a table, and for a summary over seeds that of the summarised table."""
    location = locate(path)
    described = read_descriptions().get(location.pattern)
    sources = [described.source] if described else []
    return sources + (_find_sources(f"{location.names['path']}.csv") if "path" in location.names else [])


@cache
def _read_files() -> dict[Path, dict]:
    return {path: yaml.safe_load(path.read_text("utf-8")) for path in sorted(PACKAGE.rglob("results.yaml"))}


def _parse_column(path: Path, name: str, text: str) -> Column:
    parts = [part.strip() for part in str(text).split("|")]
    if len(parts) != 3 or parts[0] not in TYPES or not parts[2]:
        raise ValueError(
            f"{path}: {name}: expected “type | unit or range | meaning” with a type of {TYPES}, got {text!r}"
        )
    return Column(*parts)


@cache
def compile_pattern(pattern: str) -> re.Pattern:
    """Compile a pattern with {names}, each of which matches any text without a slash; {path} matches slashes too."""
    parts = re.split(r"\{(\w+)\}", pattern)
    for i, part in enumerate(parts):
        text = ".+" if part == "path" else "[^/]+"
        parts[i] = f"(?P<{part}>{text})" if i % 2 else re.escape(part)
    return re.compile("".join(parts))
