"""Write data_dictionary.md from resources/tables/dictionary.yaml: `python docs/write_dictionary.py`."""

import sys
from pathlib import Path

from biassay.interchange import dictionary
from biassay.interchange.dictionary import Column

PAGE = Path(__file__).parent / "data_dictionary.md"
HEAD = """# Data dictionary

The columns of the tables in `results/`. `biassay export` writes these tables with their descriptions
([interchange.md](interchange.md)). A column has the meaning given for its stage, otherwise that of the common
columns. A value that does not exist is empty, such as an interval over too few models. {Names} stand for any word.
Results of further seeds are in `results/seeds/<seed>/` under the same paths.

This page is generated from `resources/tables/dictionary.yaml` by `python docs/write_dictionary.py`; tests compare it
with every table of a run.
"""


def main(out: Path = PAGE) -> None:
    """Write the page."""
    data = dictionary.read()
    lines = [HEAD, *_table("Common columns", data["common"])]
    stages = dict.fromkeys([*data["stages"], *(path.split("/")[0] for path in data["tables"])])
    for stage in stages:
        if stage.startswith("{"):
            continue
        lines += ["", f"## {stage}", "", "| table | content |", "|---|---|"]
        lines += [f"| `{path}` | {about} |" for path, about in data["tables"].items() if path.split("/")[0] == stage]
        lines += ["", *_rows(data["stages"].get(stage, {}))]
        for path, columns in data["exceptions"].items():
            if path.split("/")[0] == stage:
                lines += ["", f"In `{path}`:", "", *_rows(columns)]
    common = {path: about for path, about in data["tables"].items() if path.startswith("{")}
    lines += ["", "## In every study", "", *(f"- `{path}`: {about}" for path, about in common.items())]
    for path, columns in data["exceptions"].items():
        if path in common:
            lines += ["", f"In `{path}`:", "", *_rows(columns)]
    out.write_text("\n".join(lines) + "\n", "utf-8")


def _table(title: str, columns: dict[str, Column]) -> list[str]:
    return [f"## {title}", "", *_rows(columns)]


def _rows(columns: dict[str, Column]) -> list[str]:
    rows = [f"| `{name}` | {column.type} | {column.unit} | {column.about} |" for name, column in columns.items()]
    return ["| column | type | unit or range | meaning |", "|---|---|---|---|", *rows] if rows else []


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
