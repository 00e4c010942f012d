"""The page of an audit: one HTML file in the design that all pages of biassay share."""

from collections.abc import Iterator

import pandas as pd
from markupsafe import Markup, escape

from biassay.auditing import numbers
from biassay.auditing.result import FILES, MACHINE, Audit
from biassay.auditing.scoring import ASSOCIATION, FINDINGS
from biassay.report.rendering import render_page

PACKAGE = "biassay.auditing"
N_TOP = 12  # words shown at each end of the ranking
WIDTH, HEIGHT = 150, 26  # of the drawing of a value
CURVE_WIDTH, CURVE_HEIGHT = 220, 90  # of a silhouette


def text(audit: Audit) -> str:
    """Return the HTML of the page."""
    context = {
        "title": "Audit of " + ", ".join(source["name"] for source in audit.sources),
        "audit": audit,
        "is_joint": len(audit.sources) > 1,
        "summary": list(audit.summary.itertuples()),
        "tests": [_test(audit, test) for test in dict.fromkeys(audit.table["test"])],
        "trust": list(audit.trust.itertuples()),
        "warnings": _warnings(audit, ""),
        "skipped": _skipped(audit),
        "findings": FINDINGS,
        "files": [*FILES.values(), MACHINE],
        "association": ASSOCIATION,
        "numbers": numbers,
    }
    return render_page("audit.html", context, package=PACKAGE)


def _test(audit: Audit, test: str) -> dict:
    """Return what the template needs for one test."""
    summary = audit.summary[audit.summary["test"] == test]
    sources = list(dict.fromkeys(summary["source"]))
    return {
        "name": test,
        "title": summary["title"].iloc[0],
        "sources": [_source(audit, test, source) for source in sources],
        "comparison": _comparison(audit, test, sources) if len(sources) > 1 else [],
        "warnings": _warnings(audit, test),
    }


def _source(audit: Audit, test: str, source: str) -> dict:
    """Return what the template needs for one test of one source."""

    def select(table: pd.DataFrame) -> pd.DataFrame:
        return table[(table["test"] == test) & (table["source"] == source)]

    verdicts = dict(zip(audit.trust["metric"], audit.trust["verdict"], strict=True))
    rows = [(row, draw_value(row), verdicts.get(row.metric, "")) for row in select(audit.table).itertuples()]
    words = select(audit.words)
    return {
        "name": source,
        "conclusion": select(audit.summary)["conclusion"].iloc[0],
        "lists": list(select(audit.lists).itertuples()),
        "rows": rows,
        "ranking": words["metric"].iloc[0] if len(words) else "",
        "ends": (list(words.head(N_TOP).itertuples()), list(words.tail(N_TOP)[::-1].itertuples())),
        "words": list(words.itertuples()),
        "silhouettes": list(_silhouettes(select(audit.silhouettes))),
    }


def _comparison(audit: Audit, test: str, sources: list[str]) -> list[tuple]:
    """Return the metrics' rows for all sources: (name, [row or None, …])."""
    table, comparison = audit.table[audit.table["test"] == test], []
    for metric, level in dict.fromkeys(zip(table["metric"], table["level"], strict=True)):
        rows = table[(table["metric"] == metric) & (table["level"] == level)]
        by_source = {row.source: row for row in rows.itertuples()}
        comparison.append((numbers.name(metric, level), [by_source.get(source) for source in sources]))
    return comparison


def _warnings(audit: Audit, test: str) -> list[tuple[str, str]]:
    """Return the warnings about a test, or about the sources if it is "": (sources if there are several, text)."""
    sources: dict[str, list[str]] = {}
    for row in audit.warning_table[audit.warning_table["test"] == test].itertuples():
        sources.setdefault(row.text, []).append(row.source)
    return [(", ".join(names) if len(audit.sources) > 1 else "", text) for text, names in sources.items()]


def _skipped(audit: Audit) -> list[tuple[str, str, str]]:
    """Return skipped tests of a source, and metrics with the tests to which they do not apply, with the reasons."""
    tests_by_reason: dict[tuple[str, str], list[str]] = {}
    for row in audit.skipped.itertuples():
        key = (row.metric or f"{row.test} on {row.source}", row.reason)
        tests_by_reason.setdefault(key, []).append(row.test if row.metric else "")
    return [
        (name, ", ".join(dict.fromkeys(filter(None, tests))), reason)
        for (name, reason), tests in tests_by_reason.items()
    ]


def draw_value(row: object) -> Markup:
    """Draw a value on the metric's range as SVG, with its interval, no bias, and random words; "" without bounds."""
    ends = [row.b_min, row.b_max]
    if any(pd.isna(end) for end in ends) or pd.isna(row.value):
        return Markup("")

    def x(value: float) -> float:
        return round(4 + (WIDTH - 8) * (min(max(value, ends[0]), ends[1]) - ends[0]) / (ends[1] - ends[0]), 1)

    middle, parts = HEIGHT / 2, []
    if pd.notna(row.random_q95) and pd.notna(row.b_0):
        left, right = x(row.b_0 - row.random_q95), x(row.b_0 + row.random_q95)
        parts.append(f'<rect class="random" x="{left}" y="4" width="{right - left:.1f}" height="{HEIGHT - 8}"/>')
    parts.append(f'<line class="axis" x1="4" x2="{WIDTH - 4}" y1="{middle}" y2="{middle}"/>')
    if pd.notna(row.b_0):
        parts.append(f'<line class="zero" x1="{x(row.b_0)}" x2="{x(row.b_0)}" y1="3" y2="{HEIGHT - 3}"/>')
    if pd.notna(row.ci_low):
        parts.append(f'<line class="interval" x1="{x(row.ci_low)}" x2="{x(row.ci_high)}" y1="{middle}" y2="{middle}"/>')
    parts.append(f'<circle class="value" cx="{x(row.value)}" cy="{middle}" r="4"/>')
    label = f"{row.metric}: {numbers.number(row.value)}, range {numbers.bounds(row.b_min, row.b_max)}"
    return _svg(label, WIDTH, HEIGHT, parts)


def _silhouettes(table: pd.DataFrame) -> Iterator[tuple[str, str, Markup]]:
    """Yield (metric, description, SVG) of each silhouette: the band of all values, and their mean over the shuffles."""
    for (metric, growing), rows in table.groupby(["metric", "growing"], sort=False):
        rows = rows[rows["min"].notna()]
        if len(rows) < 2:
            continue
        n_words, low, high = rows["n_words"].to_numpy(float), rows["min"].min(), rows["max"].max()
        width, height = CURVE_WIDTH - 8, CURVE_HEIGHT - 8
        x = 4 + width * (n_words - n_words[0]) / (n_words[-1] - n_words[0])

        def y(values: pd.Series, low: float = low, high: float = high, height: int = height) -> list[float]:
            return (4 + height * (1 - (values - low) / ((high - low) or 1))).round(1).tolist()

        top, bottom, mean = (
            list(zip(x.round(1).tolist(), y(rows[name]), strict=True)) for name in ("max", "min", "mean")
        )
        parts = [
            f'<polygon class="band" points="{_points([*top, *bottom[::-1]])}"/>',
            f'<polyline class="mean" points="{_points(mean)}"/>',
        ]
        about = f"{numbers.number(low)} to {numbers.number(high)}, {n_words[0]:.0f} to {n_words[-1]:.0f} words"
        yield (
            metric,
            f"growing {growing}: {about}",
            _svg(f"{metric}, growing {growing}: {about}", CURVE_WIDTH, CURVE_HEIGHT, parts),
        )


def _points(pairs: list[tuple[float, float]]) -> str:
    return " ".join(f"{x},{y}" for x, y in pairs)


def _svg(label: str, width: int, height: int, parts: list[str]) -> Markup:
    return Markup(
        f'<svg role="img" aria-label="{escape(label)}" viewBox="0 0 {width} {height}" width="{width}" '
        f'height="{height}">{"".join(parts)}</svg>'
    )
