"""What each figure of the study shows, in a sentence of its tables."""

from collections.abc import Iterator, Mapping

import pandas as pd

from biassay.figures import curves
from biassay.figures.findings import Finding
from biassay.figures.formatting import format_count, format_range, join_names, metric_label
from biassay.studies.intrinsic import verdicts
from biassay.studies.intrinsic.tables import IDEAL, NOISY


def titles(tables: Mapping[str, pd.DataFrame]) -> Iterator[Finding]:
    """A sentence a figure, without a full stop."""
    found = [
        correlations(tables["words"], "r_mean", "scores of occupations", "figures/words"),
        *(of_sets(tables["sets"], labels) for labels in (NOISY, IDEAL)),
        verdicts.templates(tables["reliability"], "figures/templates"),
        retraining_variability(tables["retraining_variability"]),
        verdicts.detection(tables["min_detectable_effect"], "figures/detection"),
    ]
    for one in found:
        yield one._replace(sentence=one.sentence.removesuffix("."))


def correlations(table: pd.DataFrame, value: str, of: str, result: str) -> Finding:
    """Which measures follow the data most closely."""
    said = verdicts.closest(table, value, "unmasking ")
    if not said:
        return Finding(result, f"No measure has {of} that correlate with the data")
    return Finding(result, f"Of {of}, closest to the data come {join_names(said)}", "", verdicts.models(table))


def of_sets(table: pd.DataFrame, labels: str) -> Finding:
    """The same of one score a model, with one kind of stereotypes."""
    of = f"scores of models, with {labels} stereotypes"
    return correlations(curves.select_rows(table, labels=labels), "r", of, f"figures/sets_{labels}")


def retraining_variability(table: pd.DataFrame) -> Finding:
    """How far scores of models of the same distribution differ, the measures' range by attribute."""
    result, said = "figures/retraining_variability", []
    metrics = table[~table["metric"].str.split(" ").str[0].isin(verdicts.GROUND_TRUTHS)].dropna(subset="difference")
    for attribute, of in metrics.groupby("attribute", sort=False):
        said.append(f"{format_range(of.set_index('metric')['difference'].rename(metric_label), 3)} for {attribute}")
    if not said:
        return Finding(result, "Whether models of one distribution get the same scores is not known: none has two")
    n = format_count(table["distributions"].max(), "distribution")
    return Finding(result, f"Scores of models of one distribution differ by {join_names(said)}", "", n)
