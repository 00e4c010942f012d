"""Findings of the study: which metrics follow the trained-in bias, and how certain that is."""

from collections.abc import Iterator, Mapping

import numpy as np
import pandas as pd

from biassay.core.csv_tables import select_rows
from biassay.report.findings import Finding, describe_lead, describe_pairwise_test, find_best
from biassay.report.formatting import format_count, format_interval, format_range, metric_label
from biassay.report.rendering import load_macros
from biassay.studies.ranking import LEVEL
from biassay.studies.same.agreement import GROUND_TRUTHS, SIGNED, UNMASKING, UNSIGNED

SENTENCES = load_macros("findings.txt", package="biassay.studies.same")


def describe_results(tables: Mapping[str, pd.DataFrame]) -> Iterator[Finding]:
    """Yield the verdicts, of words first."""
    best = [find_best_words(tables["summary"], tables["comparisons"], name) for name in GROUND_TRUTHS]
    best = [row for row in best if row]
    for row in best:
        sentence = SENTENCES.word_verdict(row) if row["follows"] else SENTENCES.no_word_verdict(row)
        yield Finding(sentence, row["test"], format_count(row["models"], "model"))
    if not best:
        yield Finding("No metric has scores that could be compared.")
    yield describe_sets(tables["sets"])
    yield describe_retraining(tables["retraining_variability"])


def find_best_words(summary: pd.DataFrame, comparisons: pd.DataFrame, ground_truth: str) -> dict | None:
    """Find the metrics that follow a ground truth most closely, the upper bound and the tests of their lead.

    The largest mean R² leads; it `follows` the ground truth if an interval of its metrics is above 0. Returns None
    if no metric has one.
    """
    table = select_rows(summary, ground_truth=ground_truth, against="training").set_index("metric")
    others = table[table.index != UNMASKING]
    leaders, mean = find_best(others["r2_mean"])
    if not leaders:
        return None
    follows = (others.loc[leaders, "low"] > 0).any()
    names = {name: score_label(ground_truth, name, row["signed"]) for name, row in others.iterrows()}
    tests = select_rows(comparisons, ground_truth=ground_truth, against="training")
    lead = describe_lead(tests, leaders, names) if follows else ""
    return {
        "ground_truth": ground_truth,
        "follows": follows,
        "names": [names[name] for name in leaders],
        "mean": mean,
        "interval": format_interval(others.loc[leaders[0]]) if len(leaders) == 1 else "",
        "upper_bound": table["r2_mean"].get(UNMASKING, np.nan),
        "models": others["models"].max(),
        "lead": lead,
        "test": describe_pairwise_test(tests) if lead else "",
    }


def describe_sets(table: pd.DataFrame) -> Finding:
    """Count the significant positive correlations of set-level scores with a model's bias, and name the largest.

    Scores that fall as the bias grows do not follow it, nor do unsigned ones follow the signed mean.
    """
    tested = table.dropna(subset=["r2", "p_holm"])
    tested = tested[(tested["r"] > 0) & (tested["signed"] | (tested["ground_truth"] == UNSIGNED))]
    if not len(tested):
        return Finding("No positive correlation of set-level scores could be tested.")
    best = tested.loc[tested["r2"].idxmax()]
    name = score_label(best["ground_truth"], best["metric"], best["signed"])
    sentence = SENTENCES.sets(int((tested["p_holm"] < LEVEL).sum()), len(tested), best, name)
    n_corrected = format_count(table["p_holm"].notna().sum(), "correlation")
    test = f"Pearson's test of means of distributions, Holm's correction for {n_corrected}"
    test += "; unsigned metrics do not count for the mean"
    return Finding(sentence, test, format_count(table["n"].max(), "model"))


def describe_retraining(table: pd.DataFrame) -> Finding:
    """Describe how much the standard deviations of scores differ between models of the same distribution."""
    defined = table[table["metric"] != UNMASKING].dropna(subset="difference")
    if not len(defined):
        return Finding("Retraining variability is unknown: no distribution has two models with scores.")
    values = format_range(defined.set_index("metric")["difference"].rename(metric_label), 3)
    sentence = f"Between models retrained on the same bias, the standard deviation of scores differs by {values}"
    n = format_count(defined["distributions"].max(), "distribution")
    return Finding(f"{sentence} of its mean.", "", n)


def score_label(ground_truth: str, metric: str, signed: bool) -> str:
    """Name the scores compared with a ground truth: in bars where a signed metric enters by its absolute value."""
    if ground_truth == SIGNED or not signed:
        return metric_label(metric)
    return "|0.5 − unmasking|" if metric == UNMASKING else f"|{metric_label(metric)}|"
