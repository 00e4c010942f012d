"""An audit at the terminal: conclusions, one test's metrics, words, warnings, as wide as the terminal is."""

import io
from collections.abc import Iterator

import numpy as np
import pandas as pd
from rich.box import SIMPLE_HEAD
from rich.console import Console, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from biassay.auditing.numbers import bounds, interval, named, number, probability
from biassay.auditing.result import Audit
from biassay.auditing.scoring import ASSOCIATION, FINDINGS, FOUND, NOISE
from biassay.support import terminals

WIDE = 110  # columns from which on the range is shown
LEANING = 5  # words shown of each side
LEAST, MOST = 60, 140  # columns that a text is laid out for
STYLES = {FOUND: "bold red", NOISE: "yellow", "trusted": "green", "not trusted": "red", "with care": "yellow"}


def text(audit: Audit, width: int | None = None) -> str:
    """The audit as plain text, as wide as the terminal or `width`."""
    file = io.StringIO()
    _print(audit, terminals.plain_console(file=file, width=_width(width), color_system=None))
    return "\n".join(line.rstrip() for line in file.getvalue().splitlines()) + "\n"


def show(audit: Audit, *, full: bool = False) -> None:
    """Print the audit, in colours at a terminal; `full`: every test's metrics, else the first one's."""
    _print(audit, terminals.plain_console(width=_width(None)), full=full)


def _width(width: int | None) -> int:
    return min(MOST, max(LEAST, Console().width if width is None else width))


def _print(audit: Audit, console: Console, *, full: bool = False) -> None:
    for part in _parts(audit, console.width, full):
        console.print(part)


def _parts(audit: Audit, width: int, full: bool) -> Iterator[RenderableType]:
    for source in audit.sources:
        words = f"{source['words']:,} words, " if source["words"] else ""
        yield Text(f"{source['name']}: {words}{source['dimensions']} dimensions ({source['seconds']:.0f} s)", "bold")
    yield conclusions(audit)
    tests = list(dict.fromkeys(audit.table["test"]))
    for test in tests if full else tests[:1]:
        for source in dict.fromkeys(audit.table["source"]):
            rows = audit.table[(audit.table["test"] == test) & (audit.table["source"] == source)]
            if len(rows):
                yield Text(f"{test}, {source}" if len(audit.sources) > 1 else test, "bold")
                yield metrics(rows, audit.trust, wide=width >= WIDE)
                yield from _leaning(audit, source, test)
    if not full and len(tests) > 1:
        yield Text(f"The metrics of the other tests ({', '.join(tests[1:])}) are on the page and in metrics.csv.\n")
    yield from _warned(audit)
    yield from _legend(audit)


def conclusions(audit: Audit) -> Table:
    """A line a test and source: what came out."""
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    several = len(audit.sources) > 1
    for column in ["test", *(["source"] if several else []), "words", "what came out"]:
        table.add_column(column, justify="right" if column == "words" else "left")
    for row in audit.summary.itertuples():
        style = "red" if row.found_by_judges else ""
        cells = [row.test, *([row.source] if several else []), f"{row.words:,}", Text(row.conclusion, style)]
        table.add_row(*cells)
    return table


def metrics(rows: pd.DataFrame, trust: pd.DataFrame, *, wide: bool) -> Table:
    """A line a metric of one test and source."""
    verdicts = dict(zip(trust["metric"], trust["verdict"], strict=True))
    table = Table(box=SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0))
    columns = [
        "metric",
        "value",
        "95 % interval",
        *(["range", "no bias"] if wide else []),
        "p",
        "random",
        "finding",
        "board",
    ]
    for column in columns:
        right = column in ("value", "95 % interval", "p", "random", "no bias")
        table.add_column(column, justify="right" if right else "left", overflow="fold", no_wrap=column != "metric")
    for row in rows.itertuples():
        board, found = verdicts.get(row.metric, ""), row.finding if row.asks == ASSOCIATION else f"({row.finding})"
        cells = [named(row.metric, row.level), number(row.value), interval(row.low, row.high)]
        cells += [bounds(row.b_min, row.b_max), number(row.b_0)] if wide else []
        cells += [probability(row.p_holm), probability(row.p_random)]
        table.add_row(*cells, Text(found, STYLES.get(row.finding, "")), Text(board, STYLES.get(board, "")))
    return table


def _leaning(audit: Audit, source: str, test: str) -> Iterator[RenderableType]:
    rows = audit.words[(audit.words["source"] == source) & (audit.words["test"] == test)]
    groups = [group for group in dict.fromkeys(rows["towards"]) if group]
    for group in groups:
        of_group = rows[rows["towards"] == group]
        of_group = of_group.iloc[np.argsort(-of_group["value"].abs().to_numpy(), kind="stable")][:LEANING]
        words = ", ".join(f"{row.word} {number(row.value)}" for row in of_group.itertuples())
        yield Text(f"most {group} by {rows['metric'].iloc[0]}: {words}")
    if groups:
        yield Text("")


def _warned(audit: Audit) -> Iterator[RenderableType]:
    if audit.warnings:
        yield Text("Warnings", "bold")
        for warning in audit.warnings:
            yield Padding(Text(f"• {warning}"), (0, 0, 0, 2))
        yield Text("")


def _legend(audit: Audit) -> Iterator[RenderableType]:
    yield Text(
        "p: permutation test, corrected (Holm) for the metrics of a test. random: share of sets of random words that "
        "give as much. "
        + "; ".join(f"{name}: {about}" for name, about in FINDINGS.items())
        + "; in brackets: what the "
        "metric tests is not whether groups and targets go together. board: what studies of biassay found about the "
        "metric.",
        "dim",
    )
