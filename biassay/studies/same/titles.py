"""What each figure of the study shows, in a sentence of its tables."""

from collections.abc import Iterator, Mapping

import numpy as np
import pandas as pd

from biassay.figures import curves
from biassay.figures.findings import Finding, find_best
from biassay.figures.formatting import format_count, format_decimal, format_range, join_names, metric_label
from biassay.studies.same import agreement, verdicts
from biassay.studies.same.agreement import SIGNED, UNMASKING, UNSIGNED
from biassay.studies.same.verdicts import named


def titles(tables: Mapping[str, pd.DataFrame]) -> Iterator[Finding]:
    """A sentence a figure, without a full stop."""
    found = [
        words(tables["summary"]),
        angles(tables["angles"]),
        example(tables["correlations"]),
        examples(tables["correlations"], tables["angles"]),
        verdicts.repeats(tables["retraining_variability"], "figures/retraining_variability"),
        halves(tables["subsampling_variability"]),
        verdicts.of_sets(tables["sets"], "figures/sets"),
        effect(tables["effect_size"]),
    ]
    for one in found:
        yield one._replace(sentence=one.sentence.removesuffix("."))


def words(summary: pd.DataFrame) -> Finding:
    """Which metrics are closest to each ground truth, and whether any reaches its ceiling."""
    said, reach = [], []
    for ground_truth, question in ((SIGNED, "p"), (UNSIGNED, "|0.5 − p|")):
        table = curves.select_rows(summary, ground_truth=ground_truth, against="training").set_index("metric")
        others = table[table.index != UNMASKING]
        leaders, most = find_best(others["r2_mean"])
        if leaders:
            names = join_names(named(ground_truth, name, others.loc[name, "signed"]) for name in leaders)
            said.append(f"{names} to {question} (mean R² {most})")
            reach.append((others["r2_mean"] >= table["r2_mean"].get(UNMASKING, np.inf)).any())
    if not said:
        return Finding("figures/words", verdicts.NOTHING)
    end = "not all metrics stay" if any(reach) else "all metrics stay"
    said = f"Closest to the bias trained on come {join_names(said)}; {end} below what unmasking shows"
    return Finding("figures/words", said, "", format_count(summary["models"].max(), "model"))


def angles(groups: pd.DataFrame) -> Finding:
    """Whether the angle between directions is larger where Direct Bias falls behind SAME."""
    table, result = groups.set_index("category"), "figures/angles"
    similar, worse = (table.loc[name] for name in ("similar", "worse"))
    for row, what in ((worse, "falls behind"), (similar, "keeps up with")):
        if not row["models"]:
            return Finding(result, f"Where Direct Bias {what} SAME cannot be compared: {row['note']}")
    shown = [round(row["angle_mean"], 1) for row in (worse, similar)]
    said = (
        "Where Direct Bias falls behind SAME, the angle between their directions is on average "
        f"{'larger' if shown[0] > shown[1] else 'no larger'} than where it keeps up: {shown[0]}°, against {shown[1]}°"
    )
    return Finding(result, said, "", format_count(worse["models"] + similar["models"], "model"))


def example(correlations: pd.DataFrame) -> Finding:
    """What metrics see in the median model."""
    model, said, result = agreement.median_model(correlations), [], "figures/example"
    for ground_truth, question in ((SIGNED, "p"), (UNSIGNED, "|0.5 − p|")):
        found = curves.select_rows(correlations, ground_truth=ground_truth, against="training", model=model)
        found = found[found["metric"] != UNMASKING].dropna(subset="r2")
        if len(found):
            names = [named(ground_truth, row["metric"], row["signed"]) for _, row in found.iterrows()]
            said.append(f"R² with {question} is {format_range(pd.Series(found['r2'].to_numpy(), names), 2)}")
    if not said:
        return Finding(result, "No model has scores that could be shown")
    n = curves.select_rows(correlations, model=model)["n"].max()
    return Finding(result, f"In the median model, {join_names(said)}", "", format_count(n, "occupation"))


def examples(correlations: pd.DataFrame, groups: pd.DataFrame) -> Finding:
    """R² of SAME and Direct Bias in the two models drawn."""
    table, said = groups.set_index("category"), []
    trained = correlations[correlations["against"] == "training"].set_index(["ground_truth", "metric", "model"])["r2"]
    for group, what in (("similar", "keeps up with"), ("worse", "falls behind")):
        model = table.loc[group, "example_model"]
        if model == model:
            direct, same = (trained.get(key, np.nan) for key in ((UNSIGNED, "direct_bias", model),
                                                                 (SIGNED, "same", model)))  # fmt: skip
            said.append(f"{what} SAME in model {model:.0f} (R² {format_decimal(direct)} and {format_decimal(same)})")
    if not said:
        return Finding("figures/examples", "There is no model to show SAME and Direct Bias of")
    return Finding("figures/examples", f"Direct Bias {join_names(said)}", "", format_count(len(said), "model"))


def halves(table: pd.DataFrame) -> Finding:
    """How far scores of half of the occupations are from those of all."""
    found, result = table.dropna(subset="deviation"), "figures/subsampling_variability"
    if not len(found):
        return Finding(result, "How much half of the occupations change scores is not known: none has a value")
    values = found.set_index("metric")["deviation"].rename(metric_label)
    said = f"Half of the occupations change scores by {format_range(values, 4)} of their range"
    return Finding(result, said, "", format_count(found["models"].max(), "model"))


def effect(steps: pd.DataFrame) -> Finding:
    """What the effect size and SAME do when single words are replaced by stronger ones."""
    result = "figures/effect_size"
    if not len(steps):
        return Finding(result, "Too few occupations to show what replaced words do to the effect size")
    table, said = steps.set_index("step"), []
    mild, replaced = table.loc["mild words"], table.loc[["one of Y replaced", "one of X replaced"]]
    for column, name in (("effect_size", "the effect size"), ("same", "SAME")):
        lower, higher = (replaced[column] < mild[column]).all(), (replaced[column] > mild[column]).all()
        verb = "lower" if lower else "raise" if higher else "do not move one way"
        shown = [format_decimal(value) for value in (mild[column], *replaced[column])]
        said.append(f"{verb} {name} (from {shown[0]} to {join_names(shown[1:])})")
    return Finding(result, f"More stereotyped words {join_names(said)}", "", "4 occupations")
