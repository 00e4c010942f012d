"""Compare the findings stated in README and docs with the tables of a run, by docs/findings.yaml.

    python docs/check_findings.py [RESULTS] [--only PAGE] [--run CONFIGURATION]

RESULTS is the folder of a run with `seeds: [1, 2, 3, 4, 5]` (default: results), of the default or of a CONFIGURATION
such as configs/downstream_large.yaml, which findings of that run name as `run`. Prints one line per finding: it
holds, or the value in the table. Exits with 1 if a finding does not hold or its table is missing.
"""

import argparse
import sys
from pathlib import Path

import pandas as pd
import yaml

FINDINGS = Path(__file__).parent / "findings.yaml"
TESTS = ("is", "above", "below")


def read(path: Path = FINDINGS) -> list[dict]:
    """Read the findings: `page`, `says` (text of that page), `test`, `seeds`, and `cells` of tables."""
    pages = yaml.safe_load(path.read_text("utf-8"))
    return [{"page": page} | finding for page, findings in pages.items() for finding in findings]


def failures(finding: dict, results: Path) -> list[str]:
    """List the values in the tables of a run that contradict a finding."""
    pairs = [(cell, table) for cell in finding["cells"] for table in _list(cell["table"])]
    return [failure for cell, table in pairs if (failure := _failure(cell, results / table))]


def _list(value: object) -> list:
    return value if isinstance(value, list) else [value]


def _failure(cell: dict, path: Path) -> str | None:
    """Compare the values in a table of a cell, which names rows (`where`) and limits of columns: is, above, below."""
    if not path.is_file():
        return f"{path} does not exist"
    table = pd.read_csv(path)
    for column, value in cell.get("where", {}).items():
        table = table[table[column].isin(_list(value))]
    if table.empty:
        return f"{path}: no row has {cell['where']}"
    for test in TESTS:
        for column, expected in cell.get(test, {}).items():
            for value in table[column]:
                if not _holds(value, test, expected):
                    return f"{path}: {column} is {value} where {cell.get('where', {})}"
    return None


def _holds(value: object, test: str, expected: object) -> bool:
    """Test a value; `is` compares a number to the digits it is written with, in quotes if the last is a zero."""
    if test != "is":
        return value > expected if test == "above" else value < expected
    if isinstance(expected, float | str) and not isinstance(value, str):
        digits = len(str(expected).partition(".")[2])
        return abs(value - float(expected)) <= 0.5000001 * 10**-digits
    return value == expected


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results", nargs="?", type=Path, default=Path("results"))
    parser.add_argument("--only", default="", help="a page, such as README.md or docs/same.md")
    parser.add_argument("--run", default="", help="a configuration, such as configs/downstream_large.yaml")
    arguments = parser.parse_args()
    n_failed = 0
    for finding in read():
        if arguments.only in finding["page"] and arguments.run == finding.get("run", ""):
            failed = failures(finding, arguments.results)
            n_failed += bool(failed)
            print("FAILS   " if failed else "holds   ", f"{finding['page']}: {finding['says']}", *failed, sep="\n    ")
    return int(n_failed > 0)


if __name__ == "__main__":
    sys.exit(main())
