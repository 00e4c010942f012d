"""Findings of the study: the metrics with each property, and a title for each figure."""

from collections.abc import Iterator

import pandas as pd

from biassay.report.findings import Finding
from biassay.report.formatting import format_count, join_names, metric_label
from biassay.studies.properties.verdicts import CONDITIONAL, NO, NOT_APPLICABLE, PROPERTIES, YES

DEFINITIONS = {
    "comparable": "Comparable (extremes do not depend on the groups' words)",
    "trustworthy": "Trustworthy (“no bias” if and only if no word is biased)",
    "skew": "Sensitive to skew (never “no bias” if words are biased towards one group on average)",
    "stereotype": "Sensitive to stereotypes (never “no bias” if words are biased towards different groups)",
}
VIOLATIONS = {
    "comparable": "extremes depend on the groups' words",
    "trustworthy": "“no bias” for biased words",
    "skew": "“no bias” for words that are biased towards one group on average",
    "stereotype": "“no bias” for words that are biased towards different groups",
}
MISCLASSIFIED = "“no bias” for biased words, or bias for unbiased words"
ADJECTIVES = {"skew": "sensitive to skew", "stereotype": "sensitive to stereotypes"}
MISSED = "b = b_0"  # the reason of a verdict on missed bias starts with it
TEST = "search for counterexamples; finding none is no proof"


def collect_findings(table: pd.DataFrame) -> list[Finding]:
    """Collect the verdicts and the titles of figures from properties.csv."""
    applied = table[table["verdict"] != NOT_APPLICABLE]
    if not len(applied):
        return [Finding("", "The properties apply to none of the metrics.", n=count_metrics(table))]
    verdicts = [
        _describe_all_properties(applied),
        *(_describe_property(applied, name) for name in PROPERTIES),
        *_describe_three_groups(applied),
        *_describe_published(applied),
        *_describe_not_applicable(table),
    ]
    titles = [verdicts[0]._replace(result="figures/properties")]
    titles += [describe_counterexamples(applied, name) for name in PROPERTIES]
    return [*(verdict for verdict in verdicts if verdict.sentence), *titles]


def describe_counterexamples(applied: pd.DataFrame, name: str) -> Finding:
    """Describe the figure of counterexamples to one property, with two groups."""
    rows = applied[(applied["n_groups"] == 2) & (applied["property"] == name)]
    result, n = f"figures/counterexamples/{name}", count_metrics(rows)
    violations = rows[rows["verdict"].isin([NO, CONDITIONAL])]
    if not len(violations):
        return Finding(result, f"No counterexample to the property “{name}” was found", TEST, n)
    is_missed = violations["reason"].astype(str).str.startswith(MISSED)
    violation = MISCLASSIFIED if name == "trustworthy" and not is_missed.all() else VIOLATIONS[name]
    title = f"Not always {ADJECTIVES.get(name, name)} ({violation}): {_join_labels(violations)}"
    return Finding(result, title, TEST, n)


def count_metrics(rows: pd.DataFrame) -> str:
    """Count the metrics in rows: "1 metric", "2 metrics"."""
    return format_count(rows["metric"].nunique(), "metric")


def _describe_all_properties(applied: pd.DataFrame) -> Finding:
    """Name the metrics without counterexample to any property, at the set level with two groups."""
    rows = applied[(applied["n_groups"] == 2) & (applied["level"] == "set")]
    if not len(rows):
        return Finding("", "No metric with a set level was checked.", TEST, count_metrics(applied))
    has_all = (rows["verdict"] == YES).groupby(rows["metric"], sort=False).all()
    names = [metric_label(name) for name in has_all.index[has_all]]
    verdict = "all have a counterexample to at least one property"
    if names:
        verdict = f"{join_names(names)} {'has' if len(names) == 1 else 'have'} no counterexample to any property"
    sentence = f"Of {count_metrics(rows)}, {verdict} (set level, two groups)."
    return Finding("", sentence, TEST, count_metrics(rows))


def _describe_property(applied: pd.DataFrame, name: str) -> Finding:
    """Name the metrics with a property, at each level with two groups."""
    rows = applied[(applied["n_groups"] == 2) & (applied["property"] == name)]
    parts = []
    for level in ("set", "word"):
        level_rows = rows[rows["level"] == level]
        if len(level_rows):
            labels = _join_labels(level_rows[level_rows["verdict"] == YES])
            parts.append(f"{labels or 'none'} at the {level} level")
    conditional = rows[(rows["level"] == "set") & (rows["verdict"] == CONDITIONAL)]
    rest = f"; {_join_labels(conditional)} if the labels follow the stereotypes" if len(conditional) else ""
    sentence = f"{DEFINITIONS[name]}: {', '.join(parts)}{rest}." if parts else ""
    return Finding("", sentence, TEST, count_metrics(rows))


def _describe_three_groups(applied: pd.DataFrame) -> Iterator[Finding]:
    """Yield a finding on the properties that metrics lose with three groups."""
    rows = applied[applied["level"] == "set"].pivot_table(
        "verdict", ["metric", "property"], "n_groups", "first", sort=False
    )
    if not {2, 3} <= set(rows):
        return
    rows = rows.dropna(subset=[2, 3])
    lost = rows[(rows[2] != NO) & (rows[3] == NO)].reset_index()
    n_metrics = rows.index.get_level_values("metric").nunique()
    parts = [
        f"{metric_label(name)} ({join_names(part['property'])})" for name, part in lost.groupby("metric", sort=False)
    ]
    verdict = f"{join_names(parts)} lose{'s' if len(parts) == 1 else ''} properties" if parts else "no property is lost"
    yield Finding("", f"With three groups, {verdict}.", TEST, f"{n_metrics} metrics")


def _describe_published(applied: pd.DataFrame) -> Iterator[Finding]:
    """Yield a finding on the published verdicts that the search confirms."""
    published = applied[applied["published"].notna()]
    if not len(published):
        return
    different = published[published["published"] != published["verdict"]]
    parts = [f"{metric_label(row.metric)}, {row.property} ({row.verdict}, published: {row.published})" for row in
             different.itertuples()]  # fmt: skip
    rest = f"; not {join_names(parts)}" if parts else ""
    sentence = f"The search confirms {len(published) - len(different)} of {len(published)} published verdicts{rest}."
    yield Finding("", sentence, TEST, f"{len(published)} published verdicts")


def _describe_not_applicable(table: pd.DataFrame) -> Iterator[Finding]:
    rows = table[table["verdict"] == NOT_APPLICABLE]
    if len(rows):
        yield Finding("", f"The properties do not apply to {_join_labels(rows)}.", n=count_metrics(rows))


def _join_labels(rows: pd.DataFrame) -> str:
    labels = [metric_label(name) for name in rows["metric"].unique()]
    return join_names(labels) if labels else ""
