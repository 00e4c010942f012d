"""Write data_dictionary.md from resources/tables/dictionary.yaml: `python docs/write_dictionary.py`."""

import sys
from pathlib import Path

from biassay.interchange import dictionary
from biassay.interchange.dictionary import Column

PAGE = Path(__file__).parent / "data_dictionary.md"
HEAD = """# Data dictionary

What the columns of the tables in `results/` say. `biassay export` writes these tables with their descriptions
([interchange.md](interchange.md)). A column means what its stage says below; what no stage says is common to all. An
empty value is one that there is not, as of an interval over too few models. {Names} stand for any word. Results of a
further seed are in `results/seeds/<seed>/` under the same paths.

This page is made by `python docs/write_dictionary.py`; tests hold it and every table of a run against
`resources/tables/dictionary.yaml`.
"""


def main(out: Path = PAGE) -> None:
    """Write the page."""
    known = dictionary.read()
    lines = [HEAD, *_table("Common columns", known["common"])]
    stages = dict.fromkeys([*known["stages"], *(path.split("/")[0] for path in known["tables"])])
    for stage in stages:
        if stage.startswith("{"):
            continue
        lines += ["", f"## {stage}", "", "| table | what it is of |", "|---|---|"]
        lines += [f"| `{path}` | {about} |" for path, about in known["tables"].items() if path.split("/")[0] == stage]
        lines += ["", *_rows(known["stages"].get(stage, {}))]
        for path, columns in known["exceptions"].items():
            if path.split("/")[0] == stage:
                lines += ["", f"In `{path}`:", "", *_rows(columns)]
    every = {path: about for path, about in known["tables"].items() if path.startswith("{")}
    lines += ["", "## Of every study", "", *(f"- `{path}`: {about}" for path, about in every.items())]
    for path, columns in known["exceptions"].items():
        if path in every:
            lines += ["", f"In `{path}`:", "", *_rows(columns)]
    out.write_text("\n".join(lines) + "\n", "utf-8")


def _table(title: str, columns: dict[str, Column]) -> list[str]:
    return [f"## {title}", "", *_rows(columns)]


def _rows(columns: dict[str, Column]) -> list[str]:
    rows = [f"| `{name}` | {column.type} | {column.unit} | {column.about} |" for name, column in columns.items()]
    return ["| column | type | unit or range | meaning |", "|---|---|---|---|", *rows] if rows else []


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
