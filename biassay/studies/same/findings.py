"""Findings of the study: which metrics follow the trained-in bias, how certain that is, and what each figure shows."""

from collections.abc import Iterator, Mapping

import numpy as np
import pandas as pd

from biassay.core.csv_tables import select_rows
from biassay.report.findings import Finding, describe_lead, describe_pairwise_test, find_best
from biassay.report.formatting import format_count, format_interval, format_range, metric_label
from biassay.report.rendering import load_macros
from biassay.studies.ranking import LEVEL
from biassay.studies.same.agreement import GROUND_TRUTHS, SIGNED, UNMASKING, UNSIGNED, find_median_model

SENTENCES = load_macros("findings.txt", package="biassay.studies.same")
NO_SCORES = "No metric has scores that could be compared"


def describe_results(tables: Mapping[str, pd.DataFrame]) -> Iterator[Finding]:
    """Yield the verdicts, then the title of each figure."""
    best = [find_best_words(tables["summary"], tables["comparisons"], name) for name in GROUND_TRUTHS]
    best = [row for row in best if row]
    for row in best:
        sentence = SENTENCES.word_verdict(row) if row["follows"] else SENTENCES.no_word_verdict(row)
        yield Finding("", sentence, row["test"], format_count(row["models"], "model"))
    if not best:
        yield Finding("", f"{NO_SCORES}.")
    sets, retraining = describe_sets(tables["sets"]), describe_retraining(tables["retraining_variability"])
    for title in (sets, retraining):
        yield title._replace(result="", sentence=f"{title.sentence.strip()}.")
    yield describe_words(best, tables["summary"])
    yield describe_angles(tables["angles"])
    yield describe_example(tables["correlations"])
    yield describe_examples(tables["correlations"], tables["angles"])
    yield retraining
    yield describe_subsampling(tables["subsampling_variability"])
    yield sets
    yield describe_effect_size(tables["effect_size"])


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
    upper_bound = table["r2_mean"].get(UNMASKING, np.nan)
    return {
        "ground_truth": ground_truth,
        "follows": follows,
        "names": [names[name] for name in leaders],
        "mean": mean,
        "interval": format_interval(others.loc[leaders[0]]) if len(leaders) == 1 else "",
        "upper_bound": upper_bound,
        "is_below": not (others["r2_mean"] >= upper_bound).any(),
        "models": others["models"].max(),
        "lead": lead,
        "test": describe_pairwise_test(tests) if lead else "",
    }


def describe_words(best: list[dict], summary: pd.DataFrame) -> Finding:
    """Name the metrics that follow each ground truth most closely; say whether any reaches the upper bound."""
    if not best:
        return Finding("figures/words", NO_SCORES)
    sentence = SENTENCES.words(best, [row["is_below"] for row in best if np.isfinite(row["upper_bound"])])
    return Finding("figures/words", sentence, "", format_count(summary["models"].max(), "model"))


def describe_sets(table: pd.DataFrame) -> Finding:
    """Count the significant positive correlations of set-level scores with a model's bias, and name the largest.

    Scores that fall as the bias grows do not follow it, nor do unsigned ones follow the signed mean.
    """
    result, tested = "figures/sets", table.dropna(subset=["r2", "p_holm"])
    tested = tested[(tested["r"] > 0) & (tested["signed"] | (tested["ground_truth"] == UNSIGNED))]
    if not len(tested):
        return Finding(result, "No positive correlation of set-level scores could be tested")
    best = tested.loc[tested["r2"].idxmax()]
    name = score_label(best["ground_truth"], best["metric"], best["signed"])
    sentence = SENTENCES.sets(int((tested["p_holm"] < LEVEL).sum()), len(tested), best, name)
    n_corrected = format_count(table["p_holm"].notna().sum(), "correlation")
    test = f"Pearson's test of means of distributions, Holm's correction for {n_corrected}"
    test += "; unsigned metrics do not count for the mean"
    return Finding(result, sentence, test, format_count(table["n"].max(), "model"))


def describe_retraining(table: pd.DataFrame) -> Finding:
    """Describe how much the standard deviations of scores differ between models of the same distribution."""
    result, defined = "figures/retraining_variability", table[table["metric"] != UNMASKING].dropna(subset="difference")
    if not len(defined):
        return Finding(result, "Retraining variability is unknown: no distribution has two models with scores")
    values = format_range(defined.set_index("metric")["difference"].rename(metric_label), 3)
    sentence = f"Between models retrained on the same bias, the standard deviation of scores differs by {values}"
    n = format_count(defined["distributions"].max(), "distribution")
    return Finding(result, f"{sentence} of its mean", "", n)


def describe_subsampling(table: pd.DataFrame) -> Finding:
    """Describe how much scores change on half of the occupations."""
    result, defined = "figures/subsampling_variability", table.dropna(subset="deviation")
    if not len(defined):
        return Finding(result, "Subsampling variability is unknown: no metric has a value")
    values = format_range(defined.set_index("metric")["deviation"].rename(metric_label), 4)
    sentence = f"On half of the occupations, scores change by {values} of the metric's range"
    return Finding(result, sentence, "", format_count(defined["models"].max(), "model"))


def describe_angles(categories: pd.DataFrame) -> Finding:
    """Say whether the angle between directions is larger where Direct Bias is worse than SAME."""
    table, result = categories.set_index("category"), "figures/angles"
    for category, relation in (("worse", "worse than"), ("similar", "similar to")):
        if not table.loc[category, "models"]:
            note = table.loc[category, "note"]
            return Finding(result, f"Models in which Direct Bias is {relation} SAME: {note}")
    ends = table.loc[["worse", "similar"]]
    return Finding(result, SENTENCES.angles(*ends["angle_mean"]), "", format_count(ends["models"].sum(), "model"))


def describe_example(correlations: pd.DataFrame) -> Finding:
    """Give the range of R² over metrics in the median model."""
    table = select_rows(correlations, against="training", model=find_median_model(correlations))
    scores, ranges = table[table["metric"] != UNMASKING].dropna(subset="r2"), []
    for ground_truth, rows in scores.groupby("ground_truth"):  # signed before unsigned
        names = [score_label(ground_truth, row.metric, row.signed) for row in rows.itertuples()]
        ranges.append((ground_truth, format_range(pd.Series(rows["r2"].to_numpy(), names), 2)))
    if not ranges:
        return Finding("figures/example", "No model has scores to show")
    return Finding("figures/example", SENTENCES.example(ranges), "", format_count(table["n"].max(), "occupation"))


def describe_examples(correlations: pd.DataFrame, categories: pd.DataFrame) -> Finding:
    """Give R² of SAME and Direct Bias in the two example models."""
    r2 = select_rows(correlations, against="training").set_index(["ground_truth", "metric", "model"])["r2"]
    models, rows = categories.set_index("category")["example_model"].dropna().astype(int), []
    for category in models.index.intersection(["similar", "worse"]):
        model = models[category]
        same, other = (r2.get((*key, model), np.nan) for key in ((SIGNED, "same"), (UNSIGNED, "direct_bias")))
        rows.append({"category": category, "model": model, "direct_bias": other, "same": same})
    if not rows:
        return Finding("figures/examples", "No model can show SAME and Direct Bias")
    return Finding("figures/examples", SENTENCES.examples(rows), "", format_count(len(rows), "model"))


def describe_effect_size(steps: pd.DataFrame) -> Finding:
    """Describe how the effect size and SAME change when single words are replaced by stronger ones."""
    result, rows, table = "figures/effect_size", [], steps.set_index("step")
    if not len(steps):
        return Finding(result, "Too few occupations to show how replaced words change the effect size")
    for column, name in (("effect_size", "the effect size"), ("same", "SAME")):
        mild, replaced = table.loc["mild words", column], table.loc[["one of Y replaced", "one of X replaced"], column]
        change = "lower" if (replaced < mild).all() else "raise" if (replaced > mild).all() else None
        change = change or "do not consistently change"
        rows.append({"name": name, "mild": mild, "replaced": replaced.tolist(), "change": change})
    return Finding(result, SENTENCES.effect_size(rows), "", "4 occupations")


def score_label(ground_truth: str, metric: str, signed: bool) -> str:
    """Name the scores compared with a ground truth: in bars where a signed metric enters by its absolute value."""
    if ground_truth == SIGNED or not signed:
        return metric_label(metric)
    return "|0.5 − unmasking|" if metric == UNMASKING else f"|{metric_label(metric)}|"
