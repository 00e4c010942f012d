"""The page of an audit: one HTML file in the design that all pages of biassay share."""

from collections.abc import Iterator

import pandas as pd

from biassay.auditing import numbers, pictures
from biassay.auditing.findings import ASSOCIATION, FINDINGS, NONE, TARGETS_ONLY
from biassay.auditing.result import FILES, MACHINE, Audit
from biassay.auditing.sections import Section, list_sections, list_skipped, overview
from biassay.report.rendering import render_page

N_TOP = 12  # words shown at each end of the ranking


def render(audit: Audit, *, show_words: bool = False) -> str:
    """Return the HTML of the page; with `show_words` also names and slurs of shipped lists."""
    context = {
        "title": "Audit of " + ", ".join(source["name"] for source in audit.sources),
        "audit": audit,
        "is_joint": len(audit.sources) > 1,
        "overviews": {source["name"]: overview(audit, source["name"]) for source in audit.sources},
        "tests": list_sections(audit),
        "pictures": pictures,
        "show_words": show_words,
        "compare": compare,
        "isna": pd.isna,
        "n_top": N_TOP,
        "warnings": audit.joint_warnings(),
        "skipped": list(list_skipped(audit.skipped)),
        "findings": FINDINGS,
        "files": [*FILES.values(), MACHINE],
        "association": ASSOCIATION,
        "targets_only": TARGETS_ONLY,
        "no_finding": NONE,
        "numbers": numbers,
    }
    return render_page("audit.html", context, package="biassay.auditing")


def compare(sections: list[Section]) -> Iterator[tuple[str, list]]:
    """Yield each metric's name with its row of each source, or None."""
    rows = {(row.metric, row.level, row.source): row for one in sections for row in one.metrics.itertuples()}
    for metric, level in dict.fromkeys(key[:2] for key in rows):
        yield numbers.name(metric, level), [rows.get((metric, level, one.source)) for one in sections]
