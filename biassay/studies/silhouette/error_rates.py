"""What tests of metrics conclude on a model without bias and on one with it, in sentences."""

from collections.abc import Iterable

import pandas as pd

from biassay.figures.findings import Finding
from biassay.figures.formatting import join_names, metric_label
from biassay.studies.silhouette.false_positives import PUBLISHED, REASSIGNED

LEVEL = 0.05
TEST = "permutation tests at 5 %; Wilson's 95 % interval of their share, for other words in these models"


def tested(false_positives: pd.DataFrame) -> pd.DataFrame:
    """Rows of false_positives.csv of a metric's test on parts of all lists, those published with a metric first."""
    rows = false_positives[
        (false_positives["bias"] == "all")
        & (false_positives["share"] < 1)
        & false_positives["test"].isin([PUBLISHED, REASSIGNED])
    ]
    rows = rows[rows["n_unbiased"] > 0]
    rows = rows.assign(own=rows["test"].to_numpy() == PUBLISHED)
    return rows.sort_values(["own", "false_positive_rate"], ascending=False, kind="stable")


def published_false_positives(false_positives: pd.DataFrame) -> Finding:
    """How often tests that were published with a metric conclude bias in the model without it; no sentence if there is
    no such test."""
    rows = tested(false_positives)
    rows = rows[rows["own"]]
    if not len(rows):
        return Finding("", "")
    n = _draws(rows, "n_unbiased")
    parts = [
        f"{metric_label(row.metric)}'s own test in {100 * row.false_positive_rate:.0f} %" for row in rows.itertuples()
    ]
    many = (rows["false_positive_rate_low"] > LEVEL).any()
    expected = "where 5 % are to be expected" if many else "which is not significantly more than the expected 5 %"
    return Finding(
        "", f"In a model without bias, bias is concluded by {join_names(parts)} of {n}, {expected}.", TEST, n
    )


def other_false_positives(false_positives: pd.DataFrame) -> Finding:
    """The same of the other metrics, tested by giving the groups' words to the groups at random."""
    rows = tested(false_positives)
    rows = rows[~rows["own"]]
    if not len(rows):
        return Finding("", "")
    n = _draws(rows, "n_unbiased")
    many = rows[rows["false_positive_rate_low"] > LEVEL]
    rest = names(rows[rows["false_positive_rate_low"] <= LEVEL]["metric"])
    parts = [f"{metric_label(row.metric)} ({100 * row.false_positive_rate:.0f} %)" for row in many.itertuples()]
    said = f"in not significantly more than the expected 5 % of {n} with {rest}"
    if parts:
        said = f"too often of {n} with {join_names(parts)}{f', not with {rest}' if rest else ''}"
    return Finding("", f"Permutation tests conclude bias in the model without it {said}.", TEST, n)


def power(false_positives: pd.DataFrame) -> Finding:
    """Of tests without too many false positives, which find the bias most often; no sentence if there is none."""
    rows = tested(false_positives)
    rows = rows[(rows["false_positive_rate_low"] <= LEVEL) & (rows["n_biased"] > 0)].sort_values(
        "power", ascending=False
    )
    if not len(rows):
        return Finding("", "")
    n = _draws(rows, "n_biased")
    best = rows[rows["power_high"] >= rows["power_low"].iloc[0]]
    low, high = 100 * best["power"].min(), 100 * best["power"].max()
    share = f"{low:.0f} to {high:.0f}" if round(low) < round(high) else f"{high:.0f}"
    said = f"Of tests without too many false positives, those of {names(best['metric'])} find planted bias most often"
    others = rows[~rows["metric"].isin(best["metric"])]
    least = [
        f"; least often that of {metric_label(row.metric)} ({100 * row.power:.0f} %)" for row in others.itertuples()
    ]
    return Finding("", f"{said} ({share} % of {n}){''.join(least[-1:])}.", TEST, n)


def _draws(rows: pd.DataFrame, column: str) -> str:
    share = rows["share"].max()
    return f"{rows[column].max()} draws of {'half' if share == 0.5 else f'{100 * share:g} %'} of the words"


def names(metrics: Iterable[str]) -> str:
    """Metrics as a sentence lists them; "" for none."""
    found = [metric_label(name) for name in metrics]
    return join_names(found) if found else ""
