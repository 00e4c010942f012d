"""Write metrics.md, every metric with formula, range, properties and papers: `python docs/write_metrics.py`.

All of it comes from the metrics' files: their declarations and docstrings; properties from the table of properties.md.
"""

import inspect
import re
from functools import cache
from pathlib import Path
from types import ModuleType

from biassay import cli
from biassay.measurement import metric as metrics
from biassay.measurement.metric import ENTRIES, FUNCTIONS, TAKES, Level, Metric, Range
from biassay.studies.properties import verdicts
from biassay.support import registry
from biassay.words import references

PAGE = Path(__file__).resolve().parent / "metrics.md"
PROPERTIES = PAGE.parent / "properties.md"
SIGNS = {"✓": "yes", "✗": "no", "(✓)": "only if X and Y follow the stereotypes"}
HEAD = """# The metrics

What each metric asks, how it is computed, its range, when not to use it and where it comes from. A metric has a value
for each target (*word level*), for the set of all targets (*set level*), or both. Ranges are for two groups, and for
five where these differ; *signed*: the two groups exchanged turn the sign. Words and signs: [glossary](glossary.md).

How to measure: [from Python](howto/measure.md), [language models](howto/language_models.md),
[predictions](howto/predictions.md). Which to take: [which metric?](which_metric.md)

This page comes from the metrics' files: `python docs/write_metrics.py`. `biassay metrics NAME` tells the same.

"""
TABLE = "| name | word level | set level | no bias | signed | takes |\n|---|---|---|---|---|---|\n"


def number(value: float) -> str:
    """A number as tables show it: .5, −2, .216."""
    text = f"{value:.3f}".rstrip("0").rstrip(".").replace("-", "−")
    return text.replace("0.", ".", 1) if text.startswith(("0.", "−0.")) else text


def bounds(found: Range) -> str:
    """The bounds of a level in words."""
    low, high = found.b_min, found.b_max
    if low is None or high is None:
        return (
            "unbounded" if low is None and high is None else f"≥ {number(low)}" if high is None else f"≤ {number(high)}"
        )
    return f"{number(low)} … {number(high)}"


def for_groups(declared: Metric, level: str, say: object) -> str:
    """What `say` makes of a level's range for two groups, and for five where that is another."""
    two = say(declared.range(level, 2))
    most = declared.groups[1]
    if (most is not None and 0 < most < 5) or (five := say(declared.range(level, 5))) == two:
        return two
    return f"{two}, five groups {five}"


def unbiased(found: Range) -> str:
    return "–" if found.b_0 is None else number(found.b_0)


def row(name: str, declared: Metric) -> str:
    """A metric's row of the table."""
    levels = [for_groups(declared, level, bounds) if level in declared.levels else "–" for level in FUNCTIONS]
    without = dict.fromkeys(for_groups(declared, level, unbiased) for level in declared.levels)
    said = [level for level in declared.levels if declared.range(level, 2).signed]
    signed = "yes" if len(said) == len(declared.levels) else f"{said[0]} level" if said else "–"
    takes = TAKES[declared.takes]
    return f"| [`{name}`](#{name}) | {levels[0]} | {levels[1]} | {' / '.join(without)} | {signed} | {takes} |"


@cache
def judged() -> dict[str, list[tuple[str, ...]]]:
    """(level, groups, comparable, trustworthy, skew, stereotype) by metric, from the table of properties.md."""
    found: dict[str, list[tuple[str, ...]]] = {}
    for line in PROPERTIES.read_text("utf-8").splitlines():
        cells = [cell.strip(" *") for cell in line.strip("|").split("|")]
        if line.startswith("| ") and len(cells) == 8 and cells[1] in FUNCTIONS:
            found.setdefault(cells[0].lower().replace(" ", "_"), []).append(tuple(cells[1:7]))
    return found


def properties(name: str, module: ModuleType) -> list[str]:
    """Lines about comparability and the like, or why there are none."""
    if reason := verdicts.reason_not_applicable(module):
        return [f"not applicable: {reason}"]
    heads = ("comparable", "trustworthy", "sensitive to skew", "sensitive to stereotypes")
    lines = []
    for level, groups, *cells in judged()[name]:
        signs = [(head, re.match(r"\(?[✓✗]\)?", cell)) for head, cell in zip(heads, cells, strict=True)]
        said = ", ".join(f"{head}: {SIGNS[sign[0]]}" for head, sign in signs if sign)
        lines.append(f"{level} level, {groups} groups: {said}")
    return lines


def levels(declared: Metric) -> list[str]:
    """A line a level: range, value without bias, sign, what makes it undefined."""
    lines = []
    for name, level in declared.levels.items():
        without = for_groups(declared, name, unbiased)
        parts = [
            for_groups(declared, name, bounds),
            "no value means no bias" if without == "–" else f"no bias {without}",
        ]
        parts += ["signed"] * bool(declared.range(name, 2).signed) + ["needs labels"] * level.labels
        lines.append(f"{name} level: {'; '.join(parts)}{undefined(level)}")
    return lines


def undefined(level: Level) -> str:
    return f"; NaN where {level.undefined}" if level.undefined else ""


def functions(module: ModuleType) -> list[str]:
    """The docstrings of the metric's functions, an item of a list each."""
    there = [name for name in ("scores", *FUNCTIONS.values()) if hasattr(module, name)]
    return [f"- `{name}`: " + inspect.getdoc(getattr(module, name)).replace("\n", "\n    ") for name in there]


def section(name: str) -> str:
    """Everything about a metric."""
    module = metrics.load(name)
    declared = module.METRIC
    question, _, formula = inspect.getdoc(module).partition("\n\n")
    papers = [paper(references.find(key)) for key in declared.cite]
    options = [f"`{key}`: {values}; default {default}" for key, values, default in cli.option_rows("metrics", name)]
    parts = [
        f"## {name}\n\n{question}",
        f"```text\n{inspect.cleandoc(formula)}\n```",
        f"**Value**: {declared.summary}.\n\n{listed(levels(declared))}",
        f"**Not to be used**: {declared.avoid}",
        f"**Takes** {TAKES[declared.takes]}; ask it with `{ENTRIES.get(declared.takes, 'measure')}`.",
        "**In its functions' words** (rows of arrays in brackets)\n\n" + "\n".join(functions(module)),
        f"**Properties** ([what they mean](properties.md))\n\n{listed(properties(name, module))}",
        f"**Options**\n\n{listed(options)}" if options else "**Options**: none.",
        f"**Papers** (equations: {declared.source})\n\n{listed(papers)}",
    ]
    return "\n\n".join(parts) + "\n"


def paper(entry: dict[str, str]) -> str:
    return f"{references.format_short(entry)}, [{references.plain_title(entry['title'])}]({references.link(entry)})"


def listed(lines: list[str]) -> str:
    return "\n".join(f"- {line}" for line in lines)


def page() -> str:
    """The page's text."""
    names = registry.names("metrics")
    rows = "".join(row(name, metrics.load(name).METRIC) + "\n" for name in names)
    return HEAD + TABLE + rows + "\n" + "\n".join(section(name) for name in names)


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
