"""Titles of the study's figures: the finding of each, computed from the tables."""

from collections.abc import Iterator, Mapping

import numpy as np
import pandas as pd

from biassay.report import curves
from biassay.report.findings import Finding, find_best
from biassay.report.formatting import format_count, format_decimal, format_range, join_names, metric_label
from biassay.studies.same import agreement, verdicts
from biassay.studies.same.agreement import SIGNED, UNMASKING, UNSIGNED
from biassay.studies.same.verdicts import score_label

GROUND_TRUTHS = ((SIGNED, "p"), (UNSIGNED, "|0.5 − p|"))


def titles(tables: Mapping[str, pd.DataFrame]) -> Iterator[Finding]:
    """Yield one sentence per figure, without a full stop."""
    findings = [
        describe_words(tables["summary"]),
        describe_angles(tables["angles"]),
        describe_example(tables["correlations"]),
        describe_examples(tables["correlations"], tables["angles"]),
        verdicts.describe_retraining(tables["retraining_variability"], "figures/retraining_variability"),
        describe_subsampling(tables["subsampling_variability"]),
        verdicts.describe_sets(tables["sets"], "figures/sets"),
        describe_effect_size(tables["effect_size"]),
    ]
    for finding in findings:
        yield finding._replace(sentence=finding.sentence.removesuffix("."))


def describe_words(summary: pd.DataFrame) -> Finding:
    """Name the metrics that follow each ground truth most closely; say whether any reaches the upper bound."""
    best, reaches_bound = [], []
    for ground_truth, values in GROUND_TRUTHS:
        table = curves.select_rows(summary, ground_truth=ground_truth, against="training").set_index("metric")
        others = table[table.index != UNMASKING]
        leaders, mean = find_best(others["r2_mean"])
        if leaders:
            names = join_names(score_label(ground_truth, name, others.loc[name, "signed"]) for name in leaders)
            best.append(f"{names} for {values} (mean R² {mean})")
            reaches_bound.append((others["r2_mean"] >= table["r2_mean"].get(UNMASKING, np.inf)).any())
    if not best:
        return Finding("figures/words", verdicts.NO_SCORES)
    end = "not all metrics are" if any(reaches_bound) else "all metrics are"
    sentence = f"Closest to the trained-in bias: {join_names(best)}; {end} below the upper bound by unmasking"
    return Finding("figures/words", sentence, "", format_count(summary["models"].max(), "model"))


def describe_angles(categories: pd.DataFrame) -> Finding:
    """Say whether the angle between directions is larger where Direct Bias is worse than SAME."""
    table, result = categories.set_index("category"), "figures/angles"
    similar, worse = (table.loc[name] for name in ("similar", "worse"))
    for row, relation in ((worse, "worse than"), (similar, "similar to")):
        if not row["models"]:
            return Finding(result, f"Models in which Direct Bias is {relation} SAME: {row['note']}")
    angles = [round(row["angle_mean"], 1) for row in (worse, similar)]
    sentence = (
        "Where Direct Bias is worse than SAME, the mean angle between their directions is "
        f"{'larger' if angles[0] > angles[1] else 'no larger'} than where it is similar: {angles[0]}° and {angles[1]}°"
    )
    return Finding(result, sentence, "", format_count(worse["models"] + similar["models"], "model"))


def describe_example(correlations: pd.DataFrame) -> Finding:
    """Give the range of R² over metrics in the median model."""
    model, ranges, result = agreement.find_median_model(correlations), [], "figures/example"
    for ground_truth, values in GROUND_TRUTHS:
        table = curves.select_rows(correlations, ground_truth=ground_truth, against="training", model=model)
        table = table[table["metric"] != UNMASKING].dropna(subset="r2")
        if len(table):
            names = [score_label(ground_truth, row["metric"], row["signed"]) for _, row in table.iterrows()]
            ranges.append(f"R² with {values} is {format_range(pd.Series(table['r2'].to_numpy(), names), 2)}")
    if not ranges:
        return Finding(result, "No model has scores to show")
    n = curves.select_rows(correlations, model=model)["n"].max()
    return Finding(result, f"In the median model, {join_names(ranges)}", "", format_count(n, "occupation"))


def describe_examples(correlations: pd.DataFrame, categories: pd.DataFrame) -> Finding:
    """Give R² of SAME and Direct Bias in the two example models."""
    table, parts = categories.set_index("category"), []
    trained = correlations[correlations["against"] == "training"].set_index(["ground_truth", "metric", "model"])["r2"]
    for category, relation in (("similar", "similar to"), ("worse", "worse than")):
        model = table.loc[category, "example_model"]
        if model == model:
            direct, same = (trained.get(key, np.nan) for key in ((UNSIGNED, "direct_bias", model),
                                                                 (SIGNED, "same", model)))  # fmt: skip
            r2 = f"R² {format_decimal(direct)} and {format_decimal(same)}"
            parts.append(f"{relation} SAME in model {model:.0f} ({r2})")
    if not parts:
        return Finding("figures/examples", "No model can show SAME and Direct Bias")
    return Finding("figures/examples", f"Direct Bias is {join_names(parts)}", "", format_count(len(parts), "model"))


def describe_subsampling(table: pd.DataFrame) -> Finding:
    """Describe how much scores change on half of the occupations."""
    defined, result = table.dropna(subset="deviation"), "figures/subsampling_variability"
    if not len(defined):
        return Finding(result, "Subsampling variability is unknown: no metric has a value")
    values = defined.set_index("metric")["deviation"].rename(metric_label)
    sentence = f"On half of the occupations, scores change by {format_range(values, 4)} of the metric's range"
    return Finding(result, sentence, "", format_count(defined["models"].max(), "model"))


def describe_effect_size(steps: pd.DataFrame) -> Finding:
    """Describe how the effect size and SAME change when single words are replaced by stronger ones."""
    result = "figures/effect_size"
    if not len(steps):
        return Finding(result, "Too few occupations to show how replaced words change the effect size")
    table, parts = steps.set_index("step"), []
    mild, replaced = table.loc["mild words"], table.loc[["one of Y replaced", "one of X replaced"]]
    for column, name in (("effect_size", "the effect size"), ("same", "SAME")):
        lower, higher = (replaced[column] < mild[column]).all(), (replaced[column] > mild[column]).all()
        verb = "lower" if lower else "raise" if higher else "do not consistently change"
        values = [format_decimal(value) for value in (mild[column], *replaced[column])]
        parts.append(f"{verb} {name} (from {values[0]} to {join_names(values[1:])})")
    return Finding(result, f"More stereotyped words {join_names(parts)}", "", "4 occupations")
