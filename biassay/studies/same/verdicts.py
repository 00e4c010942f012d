"""What the tests of metrics against each other say of the study's truths, in sentences."""

import pandas as pd

from biassay.figures import curves
from biassay.figures.findings import findings, listed
from biassay.studies.same.agreement import SIGNED, UNMASKING

NOTHING = "No metric has a score that could be compared."


def named(truth: str, metric: str, signed: bool) -> str:
    """A metric as it answers a truth: in bars for its absolute value."""
    if truth == SIGNED or not signed:
        return curves.label(metric)
    return "|0.5 − unmasking|" if metric == UNMASKING else f"|{curves.label(metric)}|"


def words(summary: pd.DataFrame, comparisons: pd.DataFrame, truth: str) -> str:
    """How much of the bias trained on each metric sees by a truth, of what unmasking does; who sees more than whom."""
    found = summary[(summary["truth"] == truth) & (summary["against"] == "training")].set_index("metric")
    rows = found["r2_mean"].dropna().sort_values(ascending=False, kind="stable")
    if UNMASKING not in rows or len(rows) < 2:
        return NOTHING
    ceiling, others = rows[UNMASKING], rows.drop(UNMASKING)
    names = {name: named(truth, name, found.loc[name, "signed"]) for name in others.index}
    means = listed([f"{names[name]} {curves.decimal(value)}" for name, value in others.items()])
    tests = comparisons[(comparisons["truth"] == truth) & (comparisons["against"] == "training")]
    return f"Mean R²: {means}; unmasking itself reaches {curves.decimal(ceiling)}. {findings(tests, names)}"
