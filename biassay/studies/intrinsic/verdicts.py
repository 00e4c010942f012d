"""The study's verdicts as sentences: which metrics follow bias of several groups, and how certain that is."""

from collections.abc import Iterator, Mapping

import numpy as np
import pandas as pd

from biassay.report import curves
from biassay.report.findings import Finding, describe_significant, find_best
from biassay.report.formatting import format_count, format_decimal, format_interval, join_names, metric_label
from biassay.studies.intrinsic.agreement import DATA, GROUND_TRUTHS, UNMASKING
from biassay.studies.intrinsic.tables import LEAKING, NOISY

PAIRED, SWAPPED = "paired permutation test", "permutation test that swaps two metrics' scores"
NO_SCORES = "No metric has scores that could be compared."


def verdicts(tables: Mapping[str, pd.DataFrame]) -> Iterator[Finding]:
    """Yield the verdicts: agreement at word and set level, detection (or else direction), reliability of templates."""
    yield describe_words(tables["words"], tables["comparisons"])
    yield describe_sets(tables["sets"], tables["set_comparisons"])
    if len(tables["min_detectable_effect"]):
        yield describe_detection(tables["min_detectable_effect"])
    elif len(tables["signs"]):
        yield describe_signs(tables["signs"])
    yield describe_templates(tables["reliability"])


def describe_words(table: pd.DataFrame, comparisons: pd.DataFrame) -> Finding:
    """Name the metrics whose word-level scores follow the data most closely, by attribute, with the tests."""
    best = list_best(table, "r_mean")
    if not best:
        return Finding("", NO_SCORES)
    tests = comparisons[comparisons["against"] == DATA]
    return _with_tests(f"Closest to the bias in the data at word level: {join_names(best)}", tests, PAIRED, table)


def describe_sets(table: pd.DataFrame, comparisons: pd.DataFrame) -> Finding:
    """Name the metrics whose set-level scores, with noisy stereotypes, follow the data most closely."""
    best = list_best(curves.select_rows(table, labels=NOISY), "r")
    if not best:
        return Finding("", "No metric has set-level scores that could be compared.")
    tests = curves.select_rows(comparisons, labels=NOISY, against=DATA)
    return _with_tests(f"Closest to the bias in the data at set level: {join_names(best)}", tests, SWAPPED, table)


def describe_signs(table: pd.DataFrame) -> Finding:
    """Name the metrics whose signed scores follow the probability of the first group most closely."""
    best = list_best(table, "r_mean")
    if not best:
        return Finding("", "No metric has signed scores that could be compared.")
    sentence = f"Closest to the direction of the bias in the data: {join_names(best)}."
    return Finding("", sentence, "", count_models(table))


def list_best(table: pd.DataFrame, value: str) -> list[str]:
    """List, by attribute, the metrics with the largest r with the data, and the upper bound, the r of unmasking.

    The control whose scores leak an occupation's own sentences is left out.
    """
    best = []
    for attribute, rows in table[table["first"] == DATA].groupby("attribute", sort=False):
        rows = rows.set_index("second")
        r = rows[value]
        leaders, largest = find_best(r[(r.index != UNMASKING) & ~r.index.str.endswith(f"({LEAKING})")])
        upper_bound = r.get(UNMASKING, np.nan)
        label = "" if best else "upper bound by unmasking "
        bound = f"; {label}{format_decimal(upper_bound)}" if np.isfinite(upper_bound) else ""
        if leaders:
            interval = format_interval(rows.loc[leaders[0]]) if len(leaders) == 1 else ""
            best.append(f"{join_names(map(metric_label, leaders))} for {attribute} (r {largest}{interval}{bound})")
    return best


def _with_tests(sentence: str, tests: pd.DataFrame, kind: str, table: pd.DataFrame) -> Finding:
    """A verdict with the number of significant differences, if any were tested."""
    significant = describe_significant(tests, ["attribute"], "metric")
    end = f"; {significant}." if significant else "."
    return Finding("", sentence + end, describe_tests(tests, kind) if significant else "", count_models(table))


def describe_tests(tests: pd.DataFrame, kind: str) -> str:
    """Describe how pairs of metrics were tested; each attribute is a family of Holm's correction."""
    tests = tests[tests["p_holm"].notna()]
    pairs = join_names(str(n) for n in sorted(set(tests.groupby("attribute").size())))
    distributions = format_count(tests["clusters"].max(), "distribution")
    return f"{kind} over {distributions}, Holm's correction over the pairs of metrics, {pairs} per attribute"


def count_models(table: pd.DataFrame) -> str:
    """Format the largest number of models of a table's rows."""
    return format_count(table["models"].max(), "model")


def describe_detection(table: pd.DataFrame, result: str = "") -> Finding:
    """Name the metrics that detect the smallest bias, by attribute, and those that detect none."""
    of_metrics, best = table[~table["metric"].isin(GROUND_TRUTHS)], []
    if not len(of_metrics):
        return Finding(result, "No models for detection were trained.")
    for attribute, rows in of_metrics.groupby("attribute", sort=False):
        smallest = rows["divergence"].min()
        leaders = rows.loc[rows["divergence"] == smallest, "metric"]
        if len(leaders):
            jsd = format_decimal(smallest, 3)
            best.append(f"{join_names(leaders.map(metric_label))} for {attribute} (mean JSD {jsd})")
        else:
            best.append(f"no metric for {attribute}")
    detects_none = of_metrics["divergence"].isna().groupby(of_metrics["metric"], sort=False).all()
    blind = detects_none.index[detects_none]
    verb = "detects" if len(blind) == 1 else "detect"
    rest = f"; {join_names(map(metric_label, blind))} {verb} none of the planted biases" if len(blind) else ""
    n_metrics = format_count(of_metrics["metric"].nunique(), "metric")
    return Finding(result, f"The smallest bias is detected by {join_names(best)}{rest}.", "", n_metrics)


def describe_templates(table: pd.DataFrame, result: str = "") -> Finding:
    """Say how many sentences a stable ranking of an occupation's groups needs, by attribute."""
    if not len(table):
        return Finding(result, "There are no templates to sample from.")
    counts = [
        f"{format_count(row.min_sentences, 'test sentence')} for {row.attribute}"
        if row.min_sentences == row.min_sentences
        else f"more than the {row.n_sentences} available for {row.attribute}"
        for row in table.itertuples()
    ]
    sentence = f"A stable ranking of an occupation's groups needs {join_names(counts)}."
    return Finding(result, sentence, "", count_models(table))
