"""Check what README and docs say against the tables that it rests on, docs/findings.yaml.

    python docs/check_findings.py [RESULTS] [--only PAGE]

RESULTS is the folder of a run with `seeds: [1, 2, 3, 4, 5]` (default: results). Prints a line a finding: it stands, or
what its table has instead; exits 1 if one does not stand. A table that is not there counts as not standing.
"""

import argparse
import sys
from pathlib import Path

import pandas as pd
import yaml

FINDINGS = Path(__file__).parent / "findings.yaml"
TESTS = ("is", "above", "below")


def read(path: Path = FINDINGS) -> list[dict]:
    """Findings: `page`, `says` (words of that page), `test`, `seeds`, and `cells` of tables."""
    return yaml.safe_load(path.read_text("utf-8"))


def failures(finding: dict, results: Path) -> list[str]:
    """What the tables of a run say against a finding; empty if it stands."""
    return [said for cell in finding["cells"] if (said := _failure(cell, results))]


def _failure(cell: dict, results: Path) -> str | None:
    """A cell names a table, the rows (`where`), a column, and what all of its values there are: is, above, below."""
    path = results / cell["table"]
    if not path.is_file():
        return f"{path} is not there"
    table = pd.read_csv(path)
    for column, value in cell.get("where", {}).items():
        table = table[table[column].isin(value if isinstance(value, list) else [value])]
    if table.empty:
        return f"{path}: no row with {cell['where']}"
    for value in table[cell["column"]]:
        if not all(_holds(value, test, cell[test]) for test in TESTS if test in cell):
            return f"{path}: {cell['column']} where {cell.get('where', {})} has {value}"
    return None


def _holds(value: object, test: str, wanted: object) -> bool:
    """`is` of a number means equal to the digits that it is written with."""
    if test != "is":
        return value > wanted if test == "above" else value < wanted
    if isinstance(wanted, float):
        digits = len(str(wanted).partition(".")[2])
        return abs(value - wanted) <= 0.5000001 * 10**-digits
    return value == wanted


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results", nargs="?", type=Path, default=Path("results"))
    parser.add_argument("--only", default="", help="a page, as README.md or docs/same.md")
    chosen = parser.parse_args()
    fallen = 0
    for finding in read():
        if chosen.only in finding["page"]:
            said = failures(finding, chosen.results)
            fallen += bool(said)
            print("stands  " if not said else "FALLS   ", f"{finding['page']}: {finding['says']}", *said, sep="\n    ")
    return int(fallen > 0)


if __name__ == "__main__":
    sys.exit(main())
