"""The page of an audit: everything in one file, on the look that all pages of biassay share."""

from collections.abc import Iterator

import pandas as pd
from markupsafe import Markup, escape

from biassay.auditing import numbers
from biassay.auditing.result import FILES, MACHINE, Audit
from biassay.auditing.scoring import ASSOCIATION, FINDINGS
from biassay.pages.rendering import render_page

PACKAGE = "biassay.auditing"
TOP = 12  # words of each end of the ranking that are shown at once
WIDTH, HEIGHT = 150, 26  # of the picture of a value
GROWN_WIDTH, GROWN_HEIGHT = 220, 90  # of a silhouette


def text(audit: Audit) -> str:
    """The page's HTML."""
    several = len(audit.sources) > 1
    context = {
        "title": "Audit of " + ", ".join(source["name"] for source in audit.sources),
        "audit": audit,
        "several": several,
        "summary": list(audit.summary.itertuples()),
        "tests": [_test(audit, test) for test in dict.fromkeys(audit.table["test"])],
        "trust": list(audit.trust.itertuples()),
        "cautions": _cautions(audit, ""),
        "left_out": _left_out(audit),
        "findings": FINDINGS,
        "files": [*FILES.values(), MACHINE],
        "association": ASSOCIATION,
        "numbers": numbers,
    }
    return render_page("audit.html", context, package=PACKAGE)


def _test(audit: Audit, test: str) -> dict:
    """What the page says of one test."""
    summary = audit.summary[audit.summary["test"] == test]
    sources = list(dict.fromkeys(summary["source"]))
    return {
        "name": test,
        "title": summary["title"].iloc[0],
        "sources": [_of_source(audit, test, source) for source in sources],
        "beside": _beside(audit, test, sources) if len(sources) > 1 else [],
        "cautions": _cautions(audit, test),
    }


def _of_source(audit: Audit, test: str, source: str) -> dict:
    """One test of one source."""

    def of(table: pd.DataFrame) -> pd.DataFrame:
        return table[(table["test"] == test) & (table["source"] == source)]

    verdicts = dict(zip(audit.trust["metric"], audit.trust["verdict"], strict=True))
    rows = [(row, picture(row), verdicts.get(row.metric, "")) for row in of(audit.table).itertuples()]
    words = of(audit.words)
    return {
        "name": source,
        "conclusion": of(audit.summary)["conclusion"].iloc[0],
        "lists": list(of(audit.lists).itertuples()),
        "rows": rows,
        "ranking": words["metric"].iloc[0] if len(words) else "",
        "ends": (list(words.head(TOP).itertuples()), list(words.tail(TOP)[::-1].itertuples())),
        "words": list(words.itertuples()),
        "silhouettes": list(_silhouettes(of(audit.silhouettes))),
    }


def _beside(audit: Audit, test: str, sources: list[str]) -> list[tuple]:
    """The metrics' values on all sources: (name, [row or None, …])."""
    table, found = audit.table[audit.table["test"] == test], []
    for metric, level in dict.fromkeys(zip(table["metric"], table["level"], strict=True)):
        rows = table[(table["metric"] == metric) & (table["level"] == level)]
        by_source = {row.source: row for row in rows.itertuples()}
        found.append((numbers.named(metric, level), [by_source.get(source) for source in sources]))
    return found


def _cautions(audit: Audit, test: str) -> list[tuple[str, str]]:
    """Warnings of a test, or of the sources if it is "": (sources if there are several, text)."""
    found: dict[str, list[str]] = {}
    for row in audit.cautions[audit.cautions["test"] == test].itertuples():
        found.setdefault(row.text, []).append(row.source)
    return [(", ".join(names) if len(audit.sources) > 1 else "", text) for text, names in found.items()]


def _left_out(audit: Audit) -> list[tuple[str, str, str]]:
    """What was not asked: tests of a source, and metrics with the tests that they do not fit, with the reason."""
    found: dict[tuple[str, str], list[str]] = {}
    for row in audit.left_out.itertuples():
        key = (row.metric or f"{row.test} on {row.source}", row.reason)
        found.setdefault(key, []).append(row.test if row.metric else "")
    return [(what, ", ".join(dict.fromkeys(filter(None, tests))), reason) for (what, reason), tests in found.items()]


def picture(row: object) -> Markup:
    """A value on the metric's range as SVG: interval, no bias, and how far random words reach; "" without bounds."""
    ends = [row.b_min, row.b_max]
    if any(pd.isna(end) for end in ends) or pd.isna(row.value):
        return Markup("")

    def x(value: float) -> float:
        return round(4 + (WIDTH - 8) * (min(max(value, ends[0]), ends[1]) - ends[0]) / (ends[1] - ends[0]), 1)

    middle, parts = HEIGHT / 2, []
    if pd.notna(row.noise) and pd.notna(row.b_0):
        left, right = x(row.b_0 - row.noise), x(row.b_0 + row.noise)
        parts.append(f'<rect class="noise" x="{left}" y="4" width="{right - left:.1f}" height="{HEIGHT - 8}"/>')
    parts.append(f'<line class="axis" x1="4" x2="{WIDTH - 4}" y1="{middle}" y2="{middle}"/>')
    if pd.notna(row.b_0):
        parts.append(f'<line class="zero" x1="{x(row.b_0)}" x2="{x(row.b_0)}" y1="3" y2="{HEIGHT - 3}"/>')
    if pd.notna(row.low):
        parts.append(f'<line class="interval" x1="{x(row.low)}" x2="{x(row.high)}" y1="{middle}" y2="{middle}"/>')
    parts.append(f'<circle class="value" cx="{x(row.value)}" cy="{middle}" r="4"/>')
    label = f"{row.metric}: {numbers.number(row.value)}, range {numbers.bounds(row.b_min, row.b_max)}"
    return _svg(label, WIDTH, HEIGHT, parts)


def _silhouettes(table: pd.DataFrame) -> Iterator[tuple[str, str, Markup]]:
    """(metric, what grows, SVG) of each silhouette: band from least to greatest value, the mean over the orders."""
    for (metric, growing), rows in table.groupby(["metric", "growing"], sort=False):
        rows = rows[rows["min"].notna()]
        if len(rows) < 2:
            continue
        k, low, high = rows["n_words"].to_numpy(float), rows["min"].min(), rows["max"].max()
        width, height = GROWN_WIDTH - 8, GROWN_HEIGHT - 8
        x = 4 + width * (k - k[0]) / (k[-1] - k[0])

        def y(values: pd.Series, low: float = low, high: float = high, height: int = height) -> list[float]:
            return (4 + height * (1 - (values - low) / ((high - low) or 1))).round(1).tolist()

        top, bottom, mean = (
            list(zip(x.round(1).tolist(), y(rows[name]), strict=True)) for name in ("max", "min", "mean")
        )
        parts = [
            f'<polygon class="band" points="{_points([*top, *bottom[::-1]])}"/>',
            f'<polyline class="mean" points="{_points(mean)}"/>',
        ]
        about = f"{numbers.number(low)} to {numbers.number(high)}, {k[0]:.0f} to {k[-1]:.0f} words"
        yield (
            metric,
            f"{growing} grow: {about}",
            _svg(f"{metric}, {growing}: {about}", GROWN_WIDTH, GROWN_HEIGHT, parts),
        )


def _points(pairs: list[tuple[float, float]]) -> str:
    return " ".join(f"{x},{y}" for x, y in pairs)


def _svg(label: str, width: int, height: int, parts: list[str]) -> Markup:
    return Markup(
        f'<svg role="img" aria-label="{escape(label)}" viewBox="0 0 {width} {height}" width="{width}" '
        f'height="{height}">{"".join(parts)}</svg>'
    )
