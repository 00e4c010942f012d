"""Titles of the study's figures: the finding of each, computed from the tables."""

from collections.abc import Iterator, Mapping

import pandas as pd

from biassay.report import curves
from biassay.report.findings import Finding
from biassay.report.formatting import format_count, format_range, join_names, metric_label
from biassay.studies.intrinsic import verdicts
from biassay.studies.intrinsic.tables import IDEAL, NOISY


def titles(tables: Mapping[str, pd.DataFrame]) -> Iterator[Finding]:
    """Yield one sentence per figure, without a full stop."""
    findings = [
        describe_correlations(tables["words"], "r_mean", "word level", "figures/words"),
        *(describe_sets(tables["sets"], labels) for labels in (NOISY, IDEAL)),
        verdicts.describe_templates(tables["reliability"], "figures/templates"),
        describe_retraining(tables["retraining_variability"]),
        verdicts.describe_detection(tables["min_detectable_effect"], "figures/detection"),
    ]
    for finding in findings:
        yield finding._replace(sentence=finding.sentence.removesuffix("."))


def describe_correlations(table: pd.DataFrame, value: str, level: str, result: str) -> Finding:
    """Name the metrics that follow the data most closely."""
    best = verdicts.list_best(table, value)
    if not best:
        return Finding(result, f"No metric has scores at {level} that correlate with the data")
    return Finding(result, f"Closest to the data at {level}: {join_names(best)}", "", verdicts.count_models(table))


def describe_sets(table: pd.DataFrame, labels: str) -> Finding:
    """Name the metrics whose set-level scores follow the data most closely, with one kind of stereotypes."""
    level = f"set level with {labels} stereotypes"
    return describe_correlations(curves.select_rows(table, labels=labels), "r", level, f"figures/sets_{labels}")


def describe_retraining(table: pd.DataFrame) -> Finding:
    """Give the range of differences between models of the same distribution, by attribute."""
    result, ranges = "figures/retraining_variability", []
    metrics = table[~table["metric"].str.split(" ").str[0].isin(verdicts.GROUND_TRUTHS)].dropna(subset="difference")
    for attribute, rows in metrics.groupby("attribute", sort=False):
        values = rows.set_index("metric")["difference"].rename(metric_label)
        ranges.append(f"{format_range(values, 3)} for {attribute}")
    if not ranges:
        return Finding(result, "Retraining variability is unknown: no distribution has two models with scores")
    n = format_count(table["distributions"].max(), "distribution")
    sentence = f"Between models of one distribution, relative differences of scores are {join_names(ranges)}"
    return Finding(result, sentence, "", n)
