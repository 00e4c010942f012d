"""Results at the end of a run: the studies' headlines and the path of the page."""

import csv
import textwrap
from collections.abc import Iterable
from pathlib import Path

PAGE = Path("results/index.html")
REPORT = Path("results/report.html")
FINDINGS = "findings.csv"  # a row with an empty `result` is a verdict of the study, the first one its headline


def lines(studies: Iterable[str] | None, *, width: int = 100) -> list[str]:
    """The headline of each study that has one, then the page's path; studies: None for all in results/."""
    found = sorted(path.parent.name for path in Path("results").glob(f"*/{FINDINGS}")) if studies is None else studies
    shown = []
    for study in found:
        if sentence := headline(Path("results", study, FINDINGS)):
            shown += textwrap.wrap(f"{study}: {sentence}", width, subsequent_indent="  ")
    page = next((path for path in (PAGE, REPORT) if path.is_file()), None)
    return [*shown, f"Open {page} in a browser."] if page else shown


def headline(path: Path) -> str:
    """The first verdict of a table of findings, whose test the page names; nothing if there is none."""
    try:
        with open(path, encoding="utf-8", newline="") as file:
            row = next((row for row in csv.DictReader(file) if row.get("result") == "" and row.get("sentence")), None)
    except (OSError, csv.Error, UnicodeDecodeError):
        return ""
    return row["sentence"] if row else ""


if __name__ == "__main__":  # the page alone, for the end of `make results`
    print(*lines([]), sep="\n")
