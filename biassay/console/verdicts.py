"""Results at the end of a run: the first answer of each study and the path of the page."""

import csv
import shutil
import textwrap
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

PAGE = Path("results/index.html")


def lines(studies: Iterable[str] | None = None) -> list[str]:
    """Word the first answer of each study that has one, by default of all studies, and the path of the page."""
    found = sorted(path.parent.name for path in Path("results").glob("*/findings.csv"))
    shown, width = [], min(100, shutil.get_terminal_size().columns)
    for study in found if studies is None else studies:
        path = Path("results", study, "findings.csv")
        with suppress(OSError, LookupError, csv.Error, ValueError), open(path, encoding="utf-8", newline="") as file:
            answers = [row["sentence"] for row in csv.DictReader(file) if not row["result"] and row["sentence"]]
            shown += textwrap.wrap(f"{study}: {answers[0]}", width, subsequent_indent="  ")
    return [*shown, f"Open {PAGE} in a browser."] if PAGE.is_file() else shown
