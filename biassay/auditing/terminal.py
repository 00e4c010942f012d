"""An audit at the terminal: conclusions, metrics of one test, words, warnings, in the terminal's width."""

import io
from collections.abc import Iterator

import numpy as np
import pandas as pd
from rich.box import SIMPLE_HEAD
from rich.console import Console, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from biassay.auditing import numbers
from biassay.auditing.result import Audit
from biassay.auditing.scoring import ASSOCIATION, FINDINGS, FOUND, NOISE
from biassay.core import terminals

WIDE, NARROW = 110, 90  # columns: ranges of metrics are printed from WIDE on; less space between columns below NARROW
N_WORDS = 5  # words printed per group
MIN_WIDTH, MAX_WIDTH = 60, 140
STYLES = {FOUND: "bold red", NOISE: "yellow", "trusted": "green", "not trusted": "red", "with care": "yellow"}


def text(audit: Audit, width: int | None = None) -> str:
    """Return the audit as plain text, in the width of the terminal or in `width` columns."""
    file = io.StringIO()
    _print(audit, terminals.plain_console(file=file, width=_width(width), color_system=None))
    return "\n".join(line.rstrip() for line in file.getvalue().splitlines()) + "\n"


def show(audit: Audit, *, full: bool = False) -> None:
    """Print the audit, in colours at a terminal; with `full` the metrics of all tests, else of the first."""
    _print(audit, terminals.plain_console(width=_width(None)), full=full)


def _width(width: int | None) -> int:
    return min(MAX_WIDTH, max(MIN_WIDTH, Console().width if width is None else width))


def _print(audit: Audit, console: Console, *, full: bool = False) -> None:
    for part in _parts(audit, console.width, full):
        console.print(part)


def _parts(audit: Audit, width: int, full: bool) -> Iterator[RenderableType]:
    for source in audit.sources:
        words = f"{source['words']:,} words, " if source["words"] else ""
        yield Text(f"{source['name']}: {words}{source['dimensions']} dimensions ({source['seconds']:.0f} s)", "bold")
    yield conclusion_table(audit)
    tests = list(dict.fromkeys(audit.table["test"]))
    for test in tests if full else tests[:1]:
        for source in dict.fromkeys(audit.table["source"]):
            rows = audit.table[(audit.table["test"] == test) & (audit.table["source"] == source)]
            if len(rows):
                yield Text(f"{test}, {source}" if len(audit.sources) > 1 else test, "bold")
                yield metric_table(rows, audit.trust, wide=width >= WIDE, narrow=width < NARROW)
                yield from _top_words(audit, source, test)
    if not full and len(tests) > 1:
        yield Text(f"The page and metrics.csv have the metrics of the other tests ({', '.join(tests[1:])}).\n")
    yield from _warnings(audit)
    yield _legend()


def conclusion_table(audit: Audit) -> Table:
    """Return a table with one row per test and source: the conclusion."""
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    is_joint = len(audit.sources) > 1
    for column in ["test", *(["source"] if is_joint else []), "words", "conclusion"]:
        table.add_column(column, justify="right" if column == "words" else "left")
    for row in audit.summary.itertuples():
        style = "red" if row.n_counted_found else ""
        cells = [row.test, *([row.source] if is_joint else []), f"{row.n_words:,}", Text(row.conclusion, style)]
        table.add_row(*cells)
    return table


def metric_table(rows: pd.DataFrame, trust: pd.DataFrame, *, wide: bool, narrow: bool = False) -> Table:
    """Return a table with one row per metric of one test and source."""
    verdicts = dict(zip(trust["metric"], trust["verdict"], strict=True))
    table = Table(box=SIMPLE_HEAD, pad_edge=False, padding=(0, 0 if narrow else 1, 0, 0))
    ranges = ["range", "no bias"] if wide else []
    for column in ["metric", "value", "95 % interval", *ranges, "p", "random", "finding", "board"]:
        right = column in ("value", "95 % interval", "p", "random", "no bias")
        table.add_column(column, justify="right" if right else "left", overflow="fold", no_wrap=column != "metric")
    for row in rows.itertuples():
        board = verdicts.get(row.metric, "")
        finding = row.finding if row.sides == ASSOCIATION else f"({row.finding})"
        cells = [numbers.name(row.metric, row.level), numbers.number(row.value)]
        cells += [numbers.interval(row.ci_low, row.ci_high)]
        cells += [numbers.bounds(row.b_min, row.b_max), numbers.number(row.b_0)] if wide else []
        cells += [numbers.probability(row.p_holm), numbers.probability(row.p_random)]
        table.add_row(*cells, Text(finding, STYLES.get(row.finding, "")), Text(board, STYLES.get(board, "")))
    return table


def _top_words(audit: Audit, source: str, test: str) -> Iterator[RenderableType]:
    rows = audit.words[(audit.words["source"] == source) & (audit.words["test"] == test)]
    groups = [group for group in dict.fromkeys(rows["nearer_group"]) if group]
    for group in groups:
        top = rows[rows["nearer_group"] == group]
        top = top.iloc[np.argsort(-top["value"].abs().to_numpy(), kind="stable")][:N_WORDS]
        words = ", ".join(f"{row.word} {numbers.number(row.value)}" for row in top.itertuples())
        yield Text(f"most {group} by {rows['metric'].iloc[0]}: {words}")
    if groups:
        yield Text("")


def _warnings(audit: Audit) -> Iterator[RenderableType]:
    if audit.warnings:
        yield Text("Warnings", "bold")
        for warning in audit.warnings:
            yield Padding(Text(f"• {warning}"), (0, 0, 0, 2))
        yield Text("")


def _legend() -> Text:
    findings = "; ".join(f"{name} = {about}" for name, about in FINDINGS.items())
    return Text(
        "p: permutation test, corrected by Holm's method over the metrics of a test. random: share of sets of random "
        f"words with a value as far from no bias. finding: {findings}; in brackets: the metric does not compare groups "
        "with targets. board: how far biassay's studies support the metric.",
        "dim",
    )
