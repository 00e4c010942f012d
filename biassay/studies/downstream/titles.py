"""Titles of the study's figures, computed from its tables."""

from collections.abc import Iterator, Mapping

import pandas as pd

from biassay.report.findings import LEVEL, Finding
from biassay.report.formatting import format_count, format_decimal, format_interval
from biassay.studies.downstream import verdicts


def titles(tables: Mapping[str, pd.DataFrame]) -> Iterator[Finding]:
    """Yield one sentence per figure, without a full stop."""
    findings = [
        verdicts.describe_correlations(tables["correlations"], "figures/classes"),
        describe_sets(tables["sets"]),
        describe_ranking(tables["ranking"]),
        verdicts.describe_robustness(tables["robustness"], "figures/robustness"),
    ]
    for finding in findings:
        yield finding._replace(sentence=finding.sentence.removesuffix("."))


def describe_sets(table: pd.DataFrame) -> Finding:
    """Describe the largest correlation of set-level scores with downstream bias over models."""
    result = "figures/sets"
    rows = table[(table["group_words"] == "raw") & (table["version"] != "raw")].dropna(subset="r")
    if not len(rows):
        return Finding(result, "No set-level scores could be compared with downstream bias")
    best = rows.loc[rows["r"].idxmax()]
    sentence = (
        f"The largest of {format_count(len(rows), 'correlation')} with downstream bias over models is "
        f"{verdicts.label(best['metric'])}'s on {best['set']} ({best['attribute']}): r = {format_decimal(best['r'])}"
        f"{format_interval(best)}"
    )
    return Finding(result, sentence, "", format_count(best["n_models"], "model"))


def describe_ranking(table: pd.DataFrame) -> Finding:
    """Describe how many rankings differ from chance."""
    result, rows = "figures/ranking", table[(table["group_words"] == "raw") & (table["version"] != "raw")]
    tested = rows.dropna(subset="p_holm")
    if not len(tested):
        return Finding(result, "There are no two models that scores could rank")
    significant = tested[tested["p_holm"] < LEVEL]
    n_better = (significant["ranking_accuracy"] > significant["chance"]).sum()
    n_worse = len(significant) - n_better
    verb = "are" if n_better > 1 else "is"
    rankings = format_count(len(tested), "ranking")
    sentence = f"{n_better or 'None'} of {rankings} of models by a score {verb} significantly better than chance"
    sentence += f", {n_worse} worse" if n_worse else ""
    test = f"{verdicts.TEST} all rankings by one kind of bias"
    return Finding(result, sentence, test, format_count(tested["n_models"].max(), "model"))
