"""What the study found, in sentences of its tables: which metrics see the bias that was trained in, and how surely."""

from collections.abc import Iterator, Mapping

import numpy as np
import pandas as pd

from biassay.figures import curves
from biassay.figures.findings import (
    LEVEL,
    Finding,
    describe_differences,
    describe_lead,
    describe_pairwise_test,
    find_best,
)
from biassay.figures.formatting import (
    format_count,
    format_decimal,
    format_p_value,
    format_range,
    join_names,
    metric_label,
)
from biassay.studies.same.agreement import GROUND_TRUTHS, SIGNED, UNMASKING

NOTHING = "No metric has a score that could be compared."
QUESTIONS = {"signed": "which way and how far occupations are biased", "unsigned": "only how far they are biased"}
AGAINST = {"mean": "the mean of p", "std": "the standard deviation of p", "absolute": "Σ|0.5 − p|"}


def verdicts(tables: Mapping[str, pd.DataFrame]) -> Iterator[Finding]:
    """Which metrics are closest to each ground truth of words; what scores of sets show; how far scores depend on
    chance."""
    closest = [
        of_ground_truth(tables["summary"], tables["comparisons"], ground_truth) for ground_truth in GROUND_TRUTHS
    ]
    yield from [found for found in closest if found] or [Finding("", NOTHING)]
    yield of_sets(tables["sets"])
    yield repeats(tables["retraining_variability"])


def of_ground_truth(summary: pd.DataFrame, comparisons: pd.DataFrame, ground_truth: str) -> Finding | None:
    """The metrics closest to the bias trained on by one ground truth, with the ceiling and the tests of their lead;
    None if no metric answers it."""
    table = curves.select_rows(summary, ground_truth=ground_truth, against="training").set_index("metric")
    others = table[table.index != UNMASKING]
    leaders, most = find_best(others["r2_mean"])
    if not leaders:
        return None
    names = {name: named(ground_truth, name, row["signed"]) for name, row in others.iterrows()}
    tests, models = (
        curves.select_rows(comparisons, ground_truth=ground_truth, against="training"),
        others["models"].max(),
    )
    upper_bound, sure = table["r2_mean"].get(UNMASKING, np.nan), describe_lead(tests, others["r2_mean"].idxmax(), names)
    said = (
        f"Asked {QUESTIONS[ground_truth]}, {join_names(names[name] for name in leaders)} "
        f"{'comes' if len(leaders) == 1 else 'come'} closest to what {format_count(models, 'language model')} "
        f"{'was' if models == 1 else 'were'} trained on (mean R² {most} of 1"
    )
    said += f"; the models' own answers {format_decimal(upper_bound)})" if np.isfinite(upper_bound) else ")"
    said += f": {sure}." if sure else "."
    return Finding("", said, describe_pairwise_test(tests) if sure else "", format_count(models, "model"))


def of_sets(table: pd.DataFrame, result: str = "") -> Finding:
    """How many scores of sets follow a figure of the model's bias, and which does most."""
    if not len(table):
        return Finding(result, "No metric has scores of sets.")
    tested, n = table.dropna(subset=["r2", "p_holm"]), format_count(table["n"].max(), "model")
    if not len(tested):
        return Finding(result, "Scores of all occupations together have no correlation that could be tested.", "", n)
    sure, best = (tested["p_holm"] < LEVEL).sum(), tested.loc[tested["r2"].idxmax()]
    many = f"{sure or 'none'} of {format_count(len(tested), 'correlation')}"
    said = (
        f"With one score for all occupations, {many} with a model's bias {'are' if sure > 1 else 'is'} significant; "
        f"the closest is {named(best['ground_truth'], best['metric'], best['signed'])} with {AGAINST[best['against']]} "
        f"(R² {format_decimal(best['r2'])}, {format_p_value(best['p_holm'])})."
    )
    test = f"Pearson's test, Holm's correction for {format_count(len(tested), 'correlation')}; repeats taken for independent"
    return Finding(result, said, test, n)


def repeats(table: pd.DataFrame, result: str = "") -> Finding:
    """How far the spreads of scores differ between models of the same distribution."""
    found = table[table["metric"] != UNMASKING].dropna(subset="difference")
    if not len(found):
        return Finding(result, "Whether models trained on the same bias get the same scores is not known: none of two.")
    values = found.set_index("metric")["difference"].rename(metric_label)
    said = f"Between models trained on the same bias the spread of scores differs by {format_range(values, 3)} of its mean."
    return Finding(result, said, "", format_count(found["distributions"].max(), "distribution"))


def named(ground_truth: str, metric: str, signed: bool) -> str:
    """A metric as it answers a ground truth: in bars for its absolute value."""
    if ground_truth == SIGNED or not signed:
        return metric_label(metric)
    return "|0.5 − unmasking|" if metric == UNMASKING else f"|{metric_label(metric)}|"


def words(summary: pd.DataFrame, comparisons: pd.DataFrame, ground_truth: str) -> str:
    """How much of the bias trained on each metric sees by a ground truth, of what unmasking does; who sees more than
    whom."""
    found = summary[(summary["ground_truth"] == ground_truth) & (summary["against"] == "training")].set_index("metric")
    rows = found["r2_mean"].dropna().sort_values(ascending=False, kind="stable")
    if UNMASKING not in rows or len(rows) < 2:
        return NOTHING
    upper_bound, others = rows[UNMASKING], rows.drop(UNMASKING)
    names = {name: named(ground_truth, name, found.loc[name, "signed"]) for name in others.index}
    means = join_names([f"{names[name]} {format_decimal(value)}" for name, value in others.items()])
    tests = comparisons[(comparisons["ground_truth"] == ground_truth) & (comparisons["against"] == "training")]
    return f"Mean R²: {means}; unmasking itself reaches {format_decimal(upper_bound)}. {describe_differences(tests, names)}"
