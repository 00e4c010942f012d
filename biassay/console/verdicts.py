"""Results at the end of a run: the first verdict of each study and the path of the page, or why not to open it."""

import csv
import os
import shutil
import textwrap
from collections.abc import Set
from contextlib import suppress
from pathlib import Path

PAGE = Path("results/index.html")


def lines(studies: Set[str] | None = None, *, is_current: bool = False, start: str = ".") -> list[str]:
    """Word the first verdict of each study that has one, by default of all studies, and where the results are.

    The page is of an earlier run if verdicts are newer, unless it `is_current`. Paths are relative to `start`.
    """
    found = {path.parent.name: path for path in sorted(Path("results").glob("*/findings.csv"))}
    written = PAGE.stat().st_mtime if PAGE.is_file() else 0.0
    if studies is None and written:  # older ones that the page does not have are of earlier configurations
        page = PAGE.read_text("utf-8")
        found = {s: path for s, path in found.items() if f"board/{s}.html" in page or path.stat().st_mtime > written}
    shown, width = [], min(100, shutil.get_terminal_size().columns)
    for study in found if studies is None else sorted(found.keys() & studies):
        with suppress(OSError, LookupError, csv.Error, ValueError), open(found[study], encoding="utf-8") as file:
            sentences = [row["sentence"] for row in csv.DictReader(file) if row["sentence"]]
            shown += textwrap.wrap(f"{study}: {sentences[0]}", width, subsequent_indent="  ")
    page = os.path.relpath(PAGE, start)
    newer = [path.parent for path in found.values() if path.stat().st_mtime > written and not is_current]
    if newer:
        shown.append(f"Results in {', '.join(f'{os.path.relpath(folder, start)}/' for folder in newer)}.")
    if written:
        is_old = f"{page} is of an earlier run; `snakemake --cores 2` with the same options updates it."
        shown.append(is_old if newer else f"Open {page} in a browser.")
    return shown
