"""What the study found, in sentences of its tables: which measures follow bias of several groups, and how surely."""

from collections.abc import Iterator, Mapping

import numpy as np
import pandas as pd

from biassay.figures import curves
from biassay.figures.findings import Finding, describe_significant, find_best
from biassay.figures.formatting import format_count, format_decimal, join_names, metric_label
from biassay.studies.intrinsic.agreement import DATA, GROUND_TRUTHS, UNMASKING
from biassay.studies.intrinsic.tables import LEAKING, NOISY

PAIRED, EXCHANGED = "paired permutation test", "permutation test that exchanges two measures' scores"
NOTHING = "No measure has a score that could be compared."


def verdicts(tables: Mapping[str, pd.DataFrame]) -> Iterator[Finding]:
    """Which measures follow the bias of occupations and of models; which bias they tell from none, or else which way;
    how many templates are enough."""
    yield of_words(tables["words"], tables["comparisons"])
    yield of_sets(tables["sets"], tables["set_comparisons"])
    if len(tables["min_detectable_effect"]):
        yield detection(tables["min_detectable_effect"])
    elif len(tables["signs"]):
        yield of_signs(tables["signs"])
    yield templates(tables["reliability"])


def of_words(table: pd.DataFrame, comparisons: pd.DataFrame) -> Finding:
    """The measures whose scores of occupations follow the data most closely, by attribute, and what the tests say."""
    said = closest(table, "r_mean")
    if not said:
        return Finding("", NOTHING)
    tests = comparisons[comparisons["against"] == DATA]
    sure = describe_significant(tests, ["attribute"], "measure")
    said = f"How unequal an occupation's groups are shows best in {join_names(said)}"
    return Finding("", ended(said, sure), tested(tests, PAIRED) if sure else "", models(table))


def of_sets(table: pd.DataFrame, comparisons: pd.DataFrame) -> Finding:
    """The same of one score a model, with noisy stereotypes."""
    said = closest(curves.select_rows(table, labels=NOISY), "r")
    if not said:
        return Finding("", "No measure has scores of all occupations together that could be compared.")
    tests = curves.select_rows(comparisons, labels=NOISY, against=DATA)
    sure = describe_significant(tests, ["attribute"], "measure")
    said = f"Which model has more bias shows best, in one score for all occupations, in {join_names(said)}"
    return Finding("", ended(said, sure), tested(tests, EXCHANGED) if sure else "", models(table))


def of_signs(table: pd.DataFrame) -> Finding:
    """The same of scores with a sign and the probability of the first group."""
    said = closest(table, "r_mean")
    if not said:
        return Finding("", "Which way an attribute is biased, no measure says.")
    return Finding("", f"Which way an occupation is biased shows best in {join_names(said)}.", "", models(table))


def closest(table: pd.DataFrame, value: str, own: str = "the models' own answers ") -> list[str]:
    """By attribute: the measures with the largest r with the data, and the r of unmasking, called `own` at first.

    Scores that leak an occupation's own sentences are a control, and left out.
    """
    said = []
    for attribute, of in table[table["first"] == DATA].groupby("attribute", sort=False):
        r = of.set_index("second")[value]
        leaders, most = find_best(r[(r.index != UNMASKING) & ~r.index.str.endswith(f"({LEAKING})")])
        upper_bound = r.get(UNMASKING, np.nan)
        end = f"; {'' if said else own}{format_decimal(upper_bound)}" if np.isfinite(upper_bound) else ""
        if leaders:
            said.append(f"{join_names(map(metric_label, leaders))} for {attribute} (r {most}{end})")
    return said


def ended(said: str, sure: str) -> str:
    """A sentence with what the tests say, if anything."""
    return f"{said}: {sure}." if sure else f"{said}."


def tested(tests: pd.DataFrame, kind: str) -> str:
    """How pairs of measures were tested; each attribute is a family of Holm's correction."""
    tests = tests[tests["p_holm"].notna()]
    pairs = join_names(str(n) for n in sorted(set(tests.groupby("attribute").size())))
    distributions = format_count(tests["clusters"].max(), "distribution")
    return f"{kind} over {distributions}, Holm's correction for the {pairs} pairs of an attribute"


def models(table: pd.DataFrame) -> str:
    """How many models a table's rows are of, at most."""
    return format_count(table["models"].max(), "model")


def detection(table: pd.DataFrame, result: str = "") -> Finding:
    """The measure that tells the smallest bias from none, by attribute, and those that tell none."""
    of_scores, said = table[~table["metric"].isin(GROUND_TRUTHS)], []
    if not len(of_scores):
        return Finding(result, "No models were trained to find which bias is detected.")
    for attribute, of in of_scores.groupby("attribute", sort=False):
        least = of["divergence"].min()
        names = join_names(of.loc[of["divergence"] == least, "metric"].map(metric_label)) if least == least else ""
        said.append(f"{names or 'none'} for {attribute}" + (f" (mean JSD {format_decimal(least, 3)})" if names else ""))
    blind = of_scores["divergence"].isna().groupby(of_scores["metric"], sort=False).all()
    rest = f"; {join_names(map(metric_label, blind.index[blind]))} told none of those planted" if blind.any() else ""
    metrics = format_count(of_scores["metric"].nunique(), "measure")
    return Finding(result, f"The smallest bias was told from none by {join_names(said)}{rest}.", "", metrics)


def templates(table: pd.DataFrame, result: str = "") -> Finding:
    """How many sentences settle the order of an occupation's groups, by attribute."""
    if not len(table):
        return Finding(result, "There are no templates to draw from.")
    enough = [
        f"{format_count(row.min_sentences, 'test sentence')} for {row.attribute}" if row.min_sentences == row.min_sentences else
        f"more than the {row.n_sentences} there are for {row.attribute}" for row in table.itertuples()
    ]  # fmt: skip
    said = f"To settle the order of an occupation's groups takes {join_names(enough)}."
    return Finding(result, said, "", models(table))
