"""Findings of the study: do scores predict downstream bias, and how certain is it?"""

from collections.abc import Mapping

import pandas as pd

from biassay.report.findings import LEVEL, Finding
from biassay.report.formatting import format_count, format_range, metric_label
from biassay.report.rendering import load_macros
from biassay.studies.downstream.correlations import ALL
from biassay.studies.downstream.ranking import DECLARED, DECLARED_TEXTS, DOWNSTREAM, PLANTED, RAW

SENTENCES = load_macros("findings.txt", package="biassay.studies.downstream")
TEST = "permutation of the scores of models, Holm's correction for"
RELIABILITY = "split-half reliability, 95 % interval over models, and test of their spread against that of halves"


def find(tables: Mapping[str, pd.DataFrame]) -> list[Finding]:
    """Return the verdicts, then the titles of the figures, which have no full stop."""
    rankings = [describe_ranking(tables["ranking"], ground_truth) for ground_truth in (DOWNSTREAM, PLANTED)]
    correlations, robustness = describe_correlations(tables["correlations"]), describe_robustness(tables["robustness"])
    of_figures = [finding._replace(sentence=finding.sentence[:-1]) for finding in (correlations, robustness)]
    return [
        describe_reliability(tables["reliability"]), *rankings, correlations, robustness,
        of_figures[0]._replace(result="figures/classes"),
        describe_sets(tables["sets"]), describe_rankings(tables["ranking"]),
        of_figures[1]._replace(result="figures/robustness"),
    ]  # fmt: skip


def describe_reliability(table: pd.DataFrame) -> Finding:
    """Describe by which kinds of downstream bias the models can be ranked."""
    rows = table[table["form"] == DECLARED]
    is_ranked = rows["reason"] == ""
    sentence = SENTENCES.reliability(rows[is_ranked], rows[~is_ranked])
    return Finding("", sentence, RELIABILITY if len(rows) else "", _count_models(rows))


def describe_ranking(table: pd.DataFrame, ground_truth: str) -> Finding:
    """Describe which scores rank models significantly better or worse than chance by one ground truth."""
    rows = select_shown(table[table["ground_truth"] == ground_truth])
    tested, better, worse = _test_rankings(rows)
    test = f"{TEST} {format_count(len(tested), 'ranking')}" if len(tested) else ""
    return Finding("", SENTENCES.ranking(ground_truth, rows, tested, better, worse), test, _count_models(tested))


def describe_rankings(table: pd.DataFrame) -> Finding:
    """Describe how many rankings differ from chance."""
    tested, better, worse = _test_rankings(select_shown(table))
    test = f"{TEST} all rankings by one kind of bias" if len(tested) else ""
    sentence = SENTENCES.significant_rankings(tested, len(better), len(worse))
    return Finding("figures/ranking", sentence, test, _count_models(tested))


def describe_sets(table: pd.DataFrame) -> Finding:
    """Describe the largest correlation of set-level scores with reliable downstream bias over models."""
    rows = select_shown(table).query("reason == ''").dropna(subset="r").sort_values("r", ascending=False, kind="stable")
    best = rows.iloc[0] if len(rows) else None
    return Finding("figures/sets", SENTENCES.sets(rows, best), "", _count_models(rows[:1]))


def describe_correlations(table: pd.DataFrame) -> Finding:
    """Describe the smallest and largest median r within a model, over classes and over pairs."""
    ranges, rows = [], select_correlations(table).dropna(subset="median")
    for (units, version), part in rows.groupby(["units", "version"], sort=False):
        names = part["metric"].map(metric_label)
        if len(part[["set", "attribute"]].drop_duplicates()) > 1:
            names += ", " + part["set"] + ", " + part["attribute"]
        medians = pd.Series(part["median"].to_numpy(), names)
        ranges.append((format_range(medians, 2), f"classes of {version} texts" if units == "classes" else units))
    return Finding("", SENTENCES.correlations(ranges), "", _count_models(rows))


def describe_robustness(table: pd.DataFrame) -> Finding:
    """Describe the mean difference between scores of the fewest texts and of all texts."""
    ranges, rows = [], table[~table["regrouped"].astype(bool)].dropna(subset="mean")
    for key, part in rows.groupby(["set", "attribute"], sort=False):
        fewest = part[part["share"] == part["share"].min()]
        deviations = fewest.set_index("metric")["mean"].rename(metric_label)
        ranges.append((format_range(deviations, 3), fewest["n_texts"].iloc[0], *key))
    return Finding("", SENTENCES.robustness(ranges), "", _count_models(rows))


def summarise_learning(models: pd.DataFrame) -> dict[str, object]:
    """Return the number of models with planted bias, and how much of it they learned, by strength."""
    if "strength" not in models:
        return {"n_planted": 0, "learned": {}}
    planted = models.dropna(subset="strength")
    learned = planted[[name for name in models if name.startswith("learned_")]].mean(axis=1)
    return {"n_planted": len(planted), "learned": learned.groupby(planted["strength"]).mean().to_dict()}


def select_shown(table: pd.DataFrame) -> pd.DataFrame:
    """Select the rows of the declared form, which findings and figures show: vectors that are not debiased, raw group
    words, one kind of texts, and pairs."""
    if "form" in table:
        return table[table["form"] == DECLARED]
    is_shown = table["version"].isin(DECLARED_TEXTS)
    if "group_words" in table:
        is_shown &= (table["group_words"] == RAW) & (table["n_directions"] == 0)
    return table[is_shown]


def select_correlations(table: pd.DataFrame) -> pd.DataFrame:
    """Select the correlations within models that findings and pages show: over pairs, and over all classes by vectors
    that are not debiased; signed scores by their absolute value."""
    of_classes = (table["n_directions"] == 0) & (table["classes"] == ALL)
    return table[((table["units"] == "pairs") | of_classes) & (table["signed"].astype(str) != "True")]


def _test_rankings(rows: pd.DataFrame) -> tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame]:
    """Return the rows with a test, and those significantly better and worse than chance."""
    tested = rows.dropna(subset="p_holm")
    significant = tested[tested["p_holm"] < LEVEL]
    is_better = significant["ranking_accuracy"] > significant["chance"]
    return tested, significant[is_better], significant[~is_better]


def _count_models(rows: pd.DataFrame) -> str:
    return format_count(rows["n_models"].max(), "model") if len(rows) else ""
