"""Verdicts of the study: the metrics with each property; templates/findings.txt words them."""

from collections.abc import Iterator

import pandas as pd

from biassay.report.findings import Finding
from biassay.report.formatting import format_count
from biassay.report.rendering import load_macros
from biassay.studies.properties.verdicts import CONDITIONAL, NO, NOT_APPLICABLE, PROPERTIES, YES

SENTENCES = load_macros("findings.txt", package="biassay.studies.properties")
TEST = "search for counterexamples; finding none is no proof"


def collect_findings(table: pd.DataFrame) -> list[Finding]:
    """Collect the verdicts from properties.csv."""
    applied = table[table["verdict"] != NOT_APPLICABLE]
    if not len(applied):
        return [Finding(SENTENCES.nothing_applies(), n=count_metrics(table))]
    verdicts = [
        describe_all_properties(applied),
        *(finding for name in PROPERTIES for finding in describe_property(applied, name)),
        *describe_three_groups(applied),
        *describe_published(applied),
    ]
    others = table[table["verdict"] == NOT_APPLICABLE]
    if len(others):
        verdicts.append(Finding(SENTENCES.not_applicable(_list_metrics(others)), n=count_metrics(others)))
    return verdicts


def describe_all_properties(applied: pd.DataFrame) -> Finding:
    """Name the metrics without counterexample to any property, at the set level with two groups."""
    rows = applied[(applied["n_groups"] == 2) & (applied["level"] == "set")]
    if not len(rows):
        return Finding(SENTENCES.no_sets(), TEST, count_metrics(applied))
    has_all = (rows["verdict"] == YES).groupby(rows["metric"], sort=False).all()
    n = count_metrics(rows)
    return Finding(SENTENCES.all_properties(has_all.index[has_all].tolist(), len(has_all), n), TEST, n)


def describe_property(applied: pd.DataFrame, name: str) -> Iterator[Finding]:
    """Yield a finding on the metrics with a property, at each level with two groups, if it was checked."""
    rows = applied[(applied["n_groups"] == 2) & (applied["property"] == name)]
    metrics = {
        level: _list_metrics(rows[(rows["level"] == level) & (rows["verdict"] == YES)])
        for level in ("set", "word") if (rows["level"] == level).any()
    }  # fmt: skip
    conditional = _list_metrics(rows[(rows["level"] == "set") & (rows["verdict"] == CONDITIONAL)])
    if metrics:
        yield Finding(SENTENCES.property(name, metrics, conditional), TEST, count_metrics(rows))


def describe_three_groups(applied: pd.DataFrame) -> Iterator[Finding]:
    """Yield a finding on the properties that metrics lose with three groups."""
    rows = applied[applied["level"] == "set"].pivot_table(
        "verdict", ["metric", "property"], "n_groups", "first", sort=False
    )
    rows = rows.reindex(columns=[2, 3]).dropna()
    if not len(rows):
        return
    lost = rows[(rows[2] != NO) & (rows[3] == NO)].reset_index()
    lost = {name: part["property"].tolist() for name, part in lost.groupby("metric", sort=False)}
    n_metrics = rows.index.get_level_values("metric").nunique()
    yield Finding(SENTENCES.three_groups(lost), TEST, f"{n_metrics} metrics")


def describe_published(applied: pd.DataFrame) -> Iterator[Finding]:
    """Yield a finding on the published verdicts that the search confirms."""
    published = applied[applied["published"].notna()]
    if len(published):
        n, different = len(published), published[published["published"] != published["verdict"]]
        sentence = SENTENCES.published(n - len(different), n, different.to_dict("records"))
        yield Finding(sentence, TEST, f"{n} published verdicts")


def count_metrics(rows: pd.DataFrame) -> str:
    """Count the metrics in rows: "1 metric", "2 metrics"."""
    return format_count(rows["metric"].nunique(), "metric")


def _list_metrics(rows: pd.DataFrame) -> list[str]:
    return rows["metric"].unique().tolist()
