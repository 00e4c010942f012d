"""An audit at the terminal: three sentences, conclusions, metrics of one test, words, warnings, in its width."""

import io
from collections.abc import Iterator

from rich.box import SIMPLE_HEAD
from rich.console import Console, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from biassay.auditing import numbers
from biassay.auditing.findings import ASSOCIATION, FINDINGS, FOUND, TOO_FEW, UNSPECIFIC
from biassay.auditing.result import Audit
from biassay.auditing.sections import Section, list_sections, list_skipped, overview
from biassay.core import registry, terminals

WIDE, NARROW = 110, 90  # columns: ranges of metrics are printed from WIDE on; less space between columns below NARROW
N_WORDS = 5  # words printed per group
MIN_WIDTH, MAX_WIDTH = 60, 140
MAX_WORD = 12  # letters of a word that a column leaves whole
STYLES = {FOUND: "bold red", UNSPECIFIC: "yellow", "trusted": "green", "not trusted": "red", "with care": "yellow"}
RIGHT = (
    "words",
    "clusters",
    "value",
    "95 % interval",
    "p",
    "random",
    "no bias",
)  # columns that are aligned to the right
N_WARNINGS = 5  # beginnings printed without `full`
LEGEND = (
    "p: permuted groups, targets or stereotypes; random: random words in place of the targets, or neutral sentences in "
    "place of pairs; both corrected over all metrics and tests. "
    "board: how far biassay's studies support the metric. In brackets: compares no groups with targets."
)


def render(audit: Audit, width: int | None = None, *, full: bool = False, show_words: bool = False) -> str:
    """Return the audit as plain text, in the width of the terminal or in `width` columns."""
    file = io.StringIO()
    console = terminals.plain_console(file=file, width=_width(width), color_system=None)
    _print(audit, console, full=full, show_words=show_words)
    return "\n".join(line.rstrip() for line in file.getvalue().splitlines()) + "\n"


def show(audit: Audit, *, full: bool = False, show_words: bool = False) -> None:
    """Print the audit, in colours at a terminal.

    full: the metrics of all tests and all warnings, not the metrics of the first and the beginnings of some warnings.
    show_words: also names and slurs of shipped lists.
    """
    _print(audit, terminals.plain_console(width=_width(None)), full=full, show_words=show_words)


def _width(width: int | None) -> int:
    return min(MAX_WIDTH, max(MIN_WIDTH, Console().width if width is None else width))


def _print(audit: Audit, console: Console, *, full: bool, show_words: bool) -> None:
    for part in _parts(audit, console.width, full, show_words):
        console.print(part)


def _parts(audit: Audit, width: int, full: bool, show_words: bool) -> Iterator[RenderableType]:
    is_joint, sections = len(audit.sources) > 1, list_sections(audit)
    for source in audit.sources:
        words = f"{source['words']:,} words, " if source["words"] else ""
        yield Text(f"{source['name']}: {words}{source['dimensions']} dimensions ({source['seconds']:.0f} s)", "bold")
        lines = Table.grid(padding=(0, 2, 0, 0))
        for label, text in overview(audit, source["name"]).items():
            lines.add_row(Text(label, "bold"), Text(text, overflow="fold"))
        yield lines
        if source is not audit.sources[-1]:
            yield Text("")
    rows = [
        {"test": row.test, "finding": Text(_finding_of(row), STYLES.get(row.finding, ""))}
        | ({"source": row.source} if is_joint else {})
        | {"words": f"{row.n_words:,}" + (" pairs" if row.test in audit.pair_tests else "")}
        | {"clusters": f"{row.n_counted_found} of {row.n_counted}" if row.n_counted else "–"}
        | {"found by": Text(row.found_by.replace(" ", ", ") or "–", "red"), "direction": row.direction or "–"}
        for row in audit.summary.itertuples()
    ]  # fmt: skip
    for row in audit.skipped[audit.skipped["metric"] == ""].itertuples():
        rows.append(dict.fromkeys(rows[0], "–") | {"test": row.test, "finding": row.reason.partition(":")[0]}
                    | ({"source": row.source} if is_joint else {}))  # fmt: skip
    yield _table(rows, ("test", "finding", "found by", "direction", "source"), is_narrow=width < NARROW)
    if width < NARROW:
        yield Text("")
    first, *others = sections
    for test in sections if full else [first]:
        for section in sections[test]:
            yield Text(f"{test}, {section.source}" if is_joint else test, "bold")
            yield _metric_table(section, width)
            if width < NARROW:
                yield Text("")
            if section.clusters:
                yield Text(f"one cluster (values correlate over {section.random}): {section.clusters}\n")
            for roles in section.roles:
                yield Text(f"{roles}\n")
            for group, words in section.farthest_words(N_WORDS, show_words):
                values = ", ".join(f"{row.word} {numbers.number(row.value)}" for row in words.itertuples())
                yield Text(f"most {group} by {section.ranking}: {values}")
            if section.n_hidden and not show_words:
                yield Text(f"names and slurs among the targets are not shown: {section.n_hidden} (--show-words)")
            if (section.words["nearer_group"] != "").any():
                yield Text("")
    if others and not full:
        yield Text(f"Other tests ({', '.join(others)}): --full, the page or metrics.csv.\n")
    if calibrated := audit.calibration["test"].unique().tolist():
        yield Text(f"Calibrated ({', '.join(calibrated)}): the page or calibration.csv.\n")
    own, shipped = set(audit.trust["metric"]), set(registry.names("metrics"))
    requested = own if shipped - own else own - shipped
    for name, tests, reason in list_skipped(audit.skipped):
        if name in requested:
            yield Text(f"skipped: {name}, {tests} ({reason})\n")
    if audit.warnings:
        warnings = audit.warnings if full else audit.warnings[:N_WARNINGS]
        yield Text(f"Warnings ({len(audit.warnings)}" + (")" if full else "; --full or the page: in full)"), "bold")
        for number, warning in enumerate(warnings):
            is_whole = full or number == 0
            text = Text(f"• {warning}", no_wrap=not is_whole, overflow="fold" if is_whole else "ellipsis")
            yield Padding(text, (0, 0, 0, 2))
        yield Text("")
    seen = {row.finding for test in (sections if full else [first]) for one in sections[test]
            for row in one.metrics.itertuples()}  # fmt: skip
    yield Text("; ".join(f"{name}: {about}" for name, about in FINDINGS.items() if name in seen) + ".", "dim")
    yield Text(LEGEND, "dim")


def _finding_of(row: tuple) -> str:
    """Return the finding of a test of the summary."""
    return row.conclusion if row.finding == TOO_FEW else row.finding


def _metric_table(section: Section, width: int) -> Table:
    """Return a table with one row per metric of one test and source."""
    rows = []
    for row in section.metrics.itertuples():
        finding = row.finding if row.sides == ASSOCIATION else f"({row.finding})"
        cells = {"metric": numbers.name(row.metric, row.level), "finding": Text(finding, STYLES.get(row.finding, ""))}
        cells |= {"value": numbers.number(row.value), "95 % interval": numbers.interval(row.ci_low, row.ci_high)}
        if width >= WIDE:
            cells |= {"range": numbers.bounds(row.b_min, row.b_max), "no bias": numbers.number(row.b_0)}
        cells |= {"p": numbers.probability(row.p_corrected), "random": numbers.probability(row.p_random_corrected)}
        rows.append(cells | {"board": Text(row.verdict, STYLES.get(row.verdict, ""))})
    return _table(rows, ("metric", "board"), is_narrow=width < NARROW)


def _table(rows: list[dict], wrapped: tuple[str, ...], *, is_narrow: bool = False) -> Table:
    """Return a table of rows by column; only `wrapped` columns break lines, within words of more than MAX_WORD."""
    table = Table(box=SIMPLE_HEAD, pad_edge=False, show_edge=not is_narrow, padding=(0, 0 if is_narrow else 1, 0, 0))
    for column in rows[0]:
        longest = max(len(part) for cells in rows for part in str(cells[column]).split(" "))
        justify, min_width = "right" if column in RIGHT else "left", max(len(column), min(longest, MAX_WORD))
        table.add_column(
            column, justify=justify, min_width=min_width, no_wrap=column not in wrapped, overflow="fold"
        )  # fmt: skip
    for cells in rows:
        table.add_row(*cells.values())
    return table
