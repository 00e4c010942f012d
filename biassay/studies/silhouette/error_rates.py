"""Findings on the false-positive rates and the power of permutation tests."""

from collections.abc import Iterable

import pandas as pd

from biassay.report.findings import Finding
from biassay.report.formatting import join_names, metric_label
from biassay.studies.silhouette.false_positives import PUBLISHED, REASSIGNED

LEVEL = 0.05
TEST = "permutation tests at 5 %; Wilson's 95 % interval of the rate, for other words in these models"


def select_tests(false_positives: pd.DataFrame) -> pd.DataFrame:
    """Select the rows of false_positives.csv for permutation tests on parts of all lists, published tests first."""
    rows = false_positives[
        (false_positives["bias"] == "all")
        & (false_positives["share"] < 1)
        & false_positives["test"].isin([PUBLISHED, REASSIGNED])
    ]
    rows = rows[rows["n_unbiased"] > 0]
    rows = rows.assign(is_published=rows["test"].to_numpy() == PUBLISHED)
    return rows.sort_values(["is_published", "false_positive_rate"], ascending=False, kind="stable")


def describe_published_tests(false_positives: pd.DataFrame) -> Finding:
    """Describe the false-positive rates of tests that were published with a metric; no sentence without such tests."""
    rows = select_tests(false_positives)
    rows = rows[rows["is_published"]]
    if not len(rows):
        return Finding("", "")
    n = _count_samples(rows, "n_unbiased")
    rates = [
        f"{metric_label(row.metric)}'s own test: {100 * row.false_positive_rate:.0f} %" for row in rows.itertuples()
    ]
    has_excess = (rows["false_positive_rate_low"] > LEVEL).any()
    verdict = "more than the expected 5 %" if has_excess else "not significantly more than the expected 5 %"
    return Finding("", f"False positives on {n} without bias: {join_names(rates)}, {verdict}.", TEST, n)


def describe_other_tests(false_positives: pd.DataFrame) -> Finding:
    """Describe the false-positive rates of the other metrics, whose tests reassign words to the groups at random."""
    rows = select_tests(false_positives)
    rows = rows[~rows["is_published"]]
    if not len(rows):
        return Finding("", "")
    n = _count_samples(rows, "n_unbiased")
    excess = rows[rows["false_positive_rate_low"] > LEVEL]
    rest = join_labels(rows[rows["false_positive_rate_low"] <= LEVEL]["metric"])
    parts = [f"{metric_label(row.metric)} ({100 * row.false_positive_rate:.0f} %)" for row in excess.itertuples()]
    verdict = f"not significantly more than the expected 5 % of {n} for {rest}"
    if parts:
        verdict = f"more than the expected 5 % of {n} for {join_names(parts)}{f', not for {rest}' if rest else ''}"
    return Finding("", f"False positives of tests that reassign words to the groups: {verdict}.", TEST, n)


def describe_power(false_positives: pd.DataFrame) -> Finding:
    """Describe the power of the tests without excess false positives; no sentence without such tests."""
    rows = select_tests(false_positives)
    rows = rows[(rows["false_positive_rate_low"] <= LEVEL) & (rows["n_biased"] > 0)].sort_values(
        "power", ascending=False
    )
    if not len(rows):
        return Finding("", "")
    n = _count_samples(rows, "n_biased")
    best = rows[rows["power_high"] >= rows["power_low"].iloc[0]]
    low, high = 100 * best["power"].min(), 100 * best["power"].max()
    power = f"{low:.0f} to {high:.0f}" if round(low) < round(high) else f"{high:.0f}"
    sentence = f"Among tests without excess false positives, those of {join_labels(best['metric'])} have the most power"
    others = [
        f"; that of {metric_label(row.metric)} has the least ({100 * row.power:.0f} %)"
        for row in rows[~rows["metric"].isin(best["metric"])].itertuples()
    ]
    return Finding("", f"{sentence} ({power} % of {n}){''.join(others[-1:])}.", TEST, n)


def _count_samples(rows: pd.DataFrame, column: str) -> str:
    share = rows["share"].max()
    return f"{rows[column].max()} samples of {'half' if share == 0.5 else f'{100 * share:g} %'} of the words"


def join_labels(metrics: Iterable[str]) -> str:
    """Join the labels of metrics as a sentence lists them; "" for none."""
    labels = [metric_label(name) for name in metrics]
    return join_names(labels) if labels else ""
