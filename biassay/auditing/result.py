"""What an audit returns: its tables, printed readably, written as files and read again."""

import json
import os
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pandas as pd

from biassay.support import guard

MARK = "biassay audit"
FORMAT = 1
TABLES = ("table", "words", "lists", "silhouettes", "trust", "cautions", "summary", "left_out")
FILES = {name: f"{'metrics' if name == 'table' else name}.csv" for name in TABLES}
PAGE, MACHINE = "index.html", "audit.json"
OWN = (*FILES.values(), PAGE, MACHINE)


@dataclass(frozen=True)
class Audit:
    """The audit of one source of vectors or several.

    table: a row a source, test and metric. summary: a row a source and test, with the conclusion in words. words: the
    ranking of target words. lists: words used and missing. silhouettes: a row a size. trust: the board's verdicts.
    cautions: warnings in words. left_out: tests and metrics that were not asked, and why. sources: what was read.
    settings: draws and seed.
    """

    table: pd.DataFrame
    summary: pd.DataFrame
    words: pd.DataFrame
    lists: pd.DataFrame
    silhouettes: pd.DataFrame
    trust: pd.DataFrame
    cautions: pd.DataFrame
    left_out: pd.DataFrame
    sources: list[dict] = field(default_factory=list)
    settings: dict = field(default_factory=dict)

    @property
    def warnings(self) -> list[str]:
        """The warnings in words, each with its source and test."""
        found: dict[tuple[str, str], list[str]] = {}
        for row in self.cautions.itertuples():
            found.setdefault((row.test, row.text), []).append(row.source)
        return [
            ", ".join(part for part in ("; ".join(names) if len(self.sources) > 1 else "", test) if part)
            + (": " if test or len(self.sources) > 1 else "")
            + text
            for (test, text), names in found.items()
        ]

    def __str__(self) -> str:
        from biassay.auditing import terminal

        return terminal.text(self)

    def _repr_html_(self) -> str:
        return self.summary.to_html(index=False) + self.table.to_html(index=False, float_format="{:.3g}".format)

    def write(self, folder: str | Path, *, beside: bool = False) -> Path:
        """Write the page, the tables as CSV, and all as JSON into a folder; returns the page's path.

        A folder that is there is written into only if it is empty or holds an audit and nothing else, or with `beside`.
        Files of an audit are replaced once all are made; ValueError, naming the folder, for one that holds something
        else.
        """
        from biassay.auditing import page

        folder = Path(folder)
        if not beside:
            check_folder(folder)
        folder.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder.parent, prefix=f".{folder.name}.") as draft, guard.naming(folder):
            made = Path(draft)
            for name, file in FILES.items():
                getattr(self, name).to_csv(made / file, index=False, float_format="%.6g")
            (made / MACHINE).write_text(json.dumps(self.as_json(), allow_nan=False) + "\n", "utf-8")
            (made / PAGE).write_text(page.text(self), "utf-8", errors="replace")
            folder.mkdir(exist_ok=True)
            for file in sorted(made.iterdir()):
                os.replace(file, folder / file.name)
        return folder / PAGE

    def as_json(self) -> dict:
        """Everything as plain values, null where there is no number or an infinite one."""
        tables = {name: _records(getattr(self, name)) for name in TABLES}
        return {"is": MARK, "format": FORMAT, "sources": self.sources, "settings": self.settings, **tables}


def check_folder(folder: str | Path) -> None:
    """Raise ValueError unless a folder is not there, is empty, or holds the files of an audit and nothing else."""
    folder = Path(folder)
    if not folder.exists() and not folder.is_symlink():
        return
    if not folder.is_dir():
        raise ValueError(f"{folder}: is a file; name a folder for the audit")
    held = sorted(folder.iterdir())
    if not held:
        return
    other = next((file for file in held if file.name not in OWN or file.is_symlink() or not file.is_file()), None)
    if other is None and not _is_audit(folder / MACHINE):
        other = folder / MACHINE
    if other is not None:
        raise ValueError(
            f"{folder}: holds something else than an audit: {other.name}; name another folder, or empty it"
        )


def read(folder: str | Path) -> Audit:
    """Read an audit that `write` wrote; raises ValueError, naming the file, for anything else."""
    file = Path(folder) / MACHINE
    with guard.reading(file, "audit"):
        content = json.loads(file.read_text("utf-8"))
        if content["is"] != MARK or content["format"] != FORMAT:
            raise ValueError(f"{file}: not an audit of this version of biassay")
        tables = {name: pd.DataFrame(content[name]["rows"], columns=content[name]["columns"]) for name in TABLES}
        infinite = content["table"]["infinite"]
        for row, column in infinite:
            tables["table"].loc[row, column] = np.inf
        return Audit(**tables, sources=content["sources"], settings=content["settings"])


def joined(audits: Iterable[Audit]) -> Audit:
    """Several audits side by side; the settings of the first. Raises ValueError for a source's name that is twice."""
    audits = list(audits)
    names = [source["name"] for audit in audits for source in audit.sources]
    if len(set(names)) < len(names):
        raise ValueError(f"audits: the name of a source stands twice: {', '.join(names)}")
    tables = {name: pd.concat([getattr(audit, name) for audit in audits], ignore_index=True) for name in TABLES}
    tables["trust"] = tables["trust"].drop_duplicates("metric", ignore_index=True)
    sources = [source for audit in audits for source in audit.sources]
    return Audit(**tables, sources=sources, settings=audits[0].settings)


def _records(table: pd.DataFrame) -> dict:
    """Columns and rows of a table, and where numbers are infinite, which JSON cannot say."""
    rows, infinite = [], []
    for number, row in enumerate(table.itertuples(index=False)):
        values = []
        for column, value in zip(table.columns, row, strict=True):
            value = value.item() if isinstance(value, np.generic) else value
            if isinstance(value, float) and not np.isfinite(value):
                if np.isinf(value):
                    infinite.append([number, column])
                value = None
            values.append(value)
        rows.append(values)
    return {"columns": list(table.columns), "rows": rows, "infinite": infinite}


def _is_audit(file: Path) -> bool:
    try:
        content = json.loads(file.read_text("utf-8"))
    except (OSError, ValueError, RecursionError):
        return False
    return isinstance(content, dict) and content.get("is") == MARK and isinstance(content.get("format"), int)
