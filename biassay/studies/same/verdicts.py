"""The study's verdicts as sentences: which metrics follow the trained-in bias, and how certain that is."""

from collections.abc import Iterator, Mapping

import numpy as np
import pandas as pd

from biassay.report import curves
from biassay.report.findings import (
    LEVEL,
    Finding,
    describe_differences,
    describe_lead,
    describe_pairwise_test,
    find_best,
)
from biassay.report.formatting import (
    format_count,
    format_decimal,
    format_interval,
    format_p_value,
    format_range,
    join_names,
    metric_label,
)
from biassay.studies.same.agreement import GROUND_TRUTHS, SIGNED, UNMASKING

NO_SCORES = "No metric has scores that could be compared."
ASPECTS = {"signed": "direction and magnitude", "unsigned": "magnitude"}
SUMMARIES = {"mean": "the mean of p", "std": "the standard deviation of p", "absolute": "Σ|0.5 − p|"}


def verdicts(tables: Mapping[str, pd.DataFrame]) -> Iterator[Finding]:
    """Yield the verdicts: word-level agreement by ground truth, set-level agreement, retraining variability."""
    best = [
        describe_ground_truth(tables["summary"], tables["comparisons"], ground_truth) for ground_truth in GROUND_TRUTHS
    ]
    yield from [finding for finding in best if finding] or [Finding("", NO_SCORES)]
    yield describe_sets(tables["sets"])
    yield describe_retraining(tables["retraining_variability"])


def describe_ground_truth(summary: pd.DataFrame, comparisons: pd.DataFrame, ground_truth: str) -> Finding | None:
    """Name the metrics that follow a ground truth most closely, with the upper bound and the tests of their lead.

    Returns None if no metric has scores to compare with it.
    """
    table = curves.select_rows(summary, ground_truth=ground_truth, against="training").set_index("metric")
    others = table[table.index != UNMASKING]
    leaders, mean = find_best(others["r2_mean"])
    if not leaders:
        return None
    names = {name: score_label(ground_truth, name, row["signed"]) for name, row in others.iterrows()}
    tests = curves.select_rows(comparisons, ground_truth=ground_truth, against="training")
    models, upper_bound = others["models"].max(), table["r2_mean"].get(UNMASKING, np.nan)
    lead = describe_lead(tests, others["r2_mean"].idxmax(), names)
    interval = format_interval(others.loc[leaders[0]]) if len(leaders) == 1 else ""
    sentence = (
        f"{join_names(names[name] for name in leaders)} {'follows' if len(leaders) == 1 else 'follow'} the "
        f"{ASPECTS[ground_truth]} of the trained-in bias most closely in {format_count(models, 'language model')} "
        f"(mean R² {mean}{interval}"
    )
    sentence += f"; upper bound by unmasking {format_decimal(upper_bound)})" if np.isfinite(upper_bound) else ")"
    sentence += f": {lead}." if lead else "."
    return Finding("", sentence, describe_pairwise_test(tests) if lead else "", format_count(models, "model"))


def describe_sets(table: pd.DataFrame, result: str = "") -> Finding:
    """Count the significant correlations of set-level scores with a model's bias, and name the largest."""
    if not len(table):
        return Finding(result, "No metric has set-level scores.")
    tested, n = table.dropna(subset=["r2", "p_holm"]), format_count(table["n"].max(), "model")
    if not len(tested):
        return Finding(result, "No correlation of set-level scores could be tested.", "", n)
    n_significant, best = (tested["p_holm"] < LEVEL).sum(), tested.loc[tested["r2"].idxmax()]
    count = f"{n_significant or 'none'} of {format_count(len(tested), 'correlation')}"
    sentence = (
        f"At set level, {count} with a model's bias {'are' if n_significant > 1 else 'is'} significant; the largest is "
        f"that of {score_label(best['ground_truth'], best['metric'], best['signed'])} with "
        f"{SUMMARIES[best['against']]} (R² {format_decimal(best['r2'])}{format_interval(best)}, "
        f"{format_p_value(best['p_holm'])})."
    )
    test = f"Pearson's test, Holm's correction for {format_count(len(tested), 'correlation')}; "
    return Finding(result, sentence, test + "repeats treated as independent", n)


def describe_retraining(table: pd.DataFrame, result: str = "") -> Finding:
    """Describe how much the standard deviations of scores differ between models of the same distribution."""
    defined = table[table["metric"] != UNMASKING].dropna(subset="difference")
    if not len(defined):
        return Finding(result, "Retraining variability is unknown: no distribution has two models with scores.")
    values = defined.set_index("metric")["difference"].rename(metric_label)
    sentence = (
        "Between models retrained on the same bias, the standard deviation of scores differs by "
        f"{format_range(values, 3)} of its mean."
    )
    return Finding(result, sentence, "", format_count(defined["distributions"].max(), "distribution"))


def score_label(ground_truth: str, metric: str, signed: bool) -> str:
    """Name the scores compared with a ground truth: in bars where a signed metric enters by its absolute value."""
    if ground_truth == SIGNED or not signed:
        return metric_label(metric)
    return "|0.5 − unmasking|" if metric == UNMASKING else f"|{metric_label(metric)}|"


def describe_words(summary: pd.DataFrame, comparisons: pd.DataFrame, ground_truth: str) -> str:
    """List each metric's mean R² with the training bias, the upper bound, and the significant differences."""
    table = summary[(summary["ground_truth"] == ground_truth) & (summary["against"] == "training")].set_index("metric")
    means = table["r2_mean"].dropna().sort_values(ascending=False, kind="stable")
    if UNMASKING not in means or len(means) < 2:
        return NO_SCORES
    upper_bound, others = means[UNMASKING], means.drop(UNMASKING)
    names = {name: score_label(ground_truth, name, table.loc[name, "signed"]) for name in others.index}
    listed = join_names([f"{names[name]} {format_decimal(value)}" for name, value in others.items()])
    tests = comparisons[(comparisons["ground_truth"] == ground_truth) & (comparisons["against"] == "training")]
    bound = f"upper bound by unmasking: {format_decimal(upper_bound)}"
    return f"Mean R²: {listed}; {bound}. {describe_differences(tests, names)}"
