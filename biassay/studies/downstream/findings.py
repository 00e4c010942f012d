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


def describe_results(tables: Mapping[str, pd.DataFrame]) -> list[Finding]:
    """Return the verdicts."""
    return [
        describe_reliability(tables["reliability"]),
        *(describe_ranking(tables["ranking"], ground_truth) for ground_truth in (DOWNSTREAM, PLANTED)),
        describe_correlations(tables["correlations"]),
        describe_robustness(tables["robustness"]),
    ]


def describe_reliability(table: pd.DataFrame) -> Finding:
    """Describe by which kinds of downstream bias the models can be ranked."""
    rows = table[table["form"] == DECLARED]
    is_ranked = rows["reason"] == ""
    sentence = SENTENCES.reliability(rows[is_ranked], rows[~is_ranked])
    return Finding(sentence, RELIABILITY if len(rows) else "", _count_models(rows))


def describe_ranking(table: pd.DataFrame, ground_truth: str) -> Finding:
    """Describe which scores rank models significantly better or worse than chance by one ground truth."""
    rows = select_shown(table[table["ground_truth"] == ground_truth])
    tested = rows.dropna(subset="p_holm")
    significant = tested[tested["p_holm"] < LEVEL]
    is_better = significant["ranking_accuracy"] > significant["chance"]
    sentence = SENTENCES.ranking(ground_truth, rows, tested, significant[is_better], significant[~is_better])
    test = f"{TEST} {format_count(len(tested), 'ranking')}" if len(tested) else ""
    return Finding(sentence, test, _count_models(tested))


def describe_correlations(table: pd.DataFrame) -> Finding:
    """Describe the smallest and largest median r within a model: over pairs, and over all classes by vectors that are
    not debiased; signed scores by their absolute value."""
    of_classes = (table["n_directions"] == 0) & (table["classes"] == ALL)
    is_shown = ((table["units"] == "pairs") | of_classes) & (table["signed"].astype(str) != "True")
    ranges, rows = [], table[is_shown].dropna(subset="median")
    for (units, version), part in rows.groupby(["units", "version"], sort=False):
        names = part["metric"].map(metric_label)
        if len(part[["set", "attribute"]].drop_duplicates()) > 1:
            names += ", " + part["set"] + ", " + part["attribute"]
        medians = pd.Series(part["median"].to_numpy(), names)
        ranges.append((format_range(medians, 2), f"classes of {version} texts" if units == "classes" else units))
    return Finding(SENTENCES.correlations(ranges), "", _count_models(rows))


def describe_robustness(table: pd.DataFrame) -> Finding:
    """Describe the mean difference between scores of the fewest texts and of all texts."""
    ranges, rows = [], table[~table["regrouped"].astype(bool)].dropna(subset="mean")
    for key, part in rows.groupby(["set", "attribute"], sort=False):
        fewest = part[part["share"] == part["share"].min()]
        deviations = fewest.set_index("metric")["mean"].rename(metric_label)
        ranges.append((format_range(deviations, 3), fewest["n_texts"].iloc[0], *key))
    return Finding(SENTENCES.robustness(ranges), "", _count_models(rows))


def select_shown(table: pd.DataFrame) -> pd.DataFrame:
    """Select the rankings or cases of the declared form, which findings and figures show: vectors that are not
    debiased, raw group words, one kind of texts, and pairs."""
    if "form" in table:
        return table[table["form"] == DECLARED]
    is_raw = (table["group_words"] == RAW) & (table["n_directions"] == 0)
    return table[table["version"].isin(DECLARED_TEXTS) & is_raw]


def _count_models(rows: pd.DataFrame) -> str:
    return format_count(rows["n_models"].max(), "model") if len(rows) else ""
