"""Findings of the study: which metrics follow bias of several groups?"""

from collections.abc import Collection, Mapping

import numpy as np
import pandas as pd

from biassay.core.csv_tables import select_rows
from biassay.report.findings import LEVEL, Finding, describe_significant, find_best, min_possible_p
from biassay.report.formatting import format_count, format_interval, join_names, metric_label
from biassay.report.rendering import load_macros
from biassay.studies.intrinsic.agreement import DATA, GROUND_TRUTHS, STATISTICS, UNMASKING
from biassay.studies.intrinsic.detection import MIN_MODELS
from biassay.studies.intrinsic.tables import NOISY

SENTENCES = load_macros("findings.txt", package="biassay.studies.intrinsic")
PAIRED, SWAPPED = "paired permutation test", "permutation test that swaps two metrics' scores"


def describe_results(tables: Mapping[str, pd.DataFrame]) -> list[Finding]:
    """Return the verdicts."""
    words, sets = tables["words"], select_rows(tables["sets"], labels=NOISY)
    tests = select_rows(tables["comparisons"], against=DATA)
    set_tests = select_rows(tables["set_comparisons"], against=DATA, labels=NOISY)
    effects = tables["min_detectable_effect"]
    verdicts = [
        describe_closest(words, "the bias in the data at word level", tests=tests, kind=PAIRED),
        describe_closest(sets, "the bias in the data at set level", tests=set_tests, kind=SWAPPED),
    ]
    if len(effects):
        verdicts.append(describe_detection(effects, tables["power"]))
    elif len(tables["signs"]):
        verdicts.append(describe_closest(tables["signs"], "the direction of the bias in the data"))
    r = select_rows(words, first=DATA).groupby("second")["r_mean"].max()
    comparison = describe_attributes(tables["attribute_comparisons"], r.index[r < 0])
    return [*verdicts, comparison, describe_templates(tables["reliability"])]


def describe_closest(table: pd.DataFrame, target: str, *, tests: pd.DataFrame | None = None, kind: str = "") -> Finding:
    """Name the metrics that follow the data most closely, by attribute, with tests of a kind."""
    best = find_leaders(table)
    if not best:
        return Finding(f"No metric has scores that rise with {target}.")
    significant = "" if tests is None else describe_significant(tests, ["attribute"], "metric")
    sentence = SENTENCES.closest(target, best, significant)
    return Finding(sentence, describe_tests(tests, kind) if significant else "", _count_models(table))


def find_leaders(table: pd.DataFrame) -> list[dict]:
    """Find, by attribute, the metrics with the largest r with the data, and the upper bound, the r of unmasking.

    The largest r leads; it `follows` the data if it is above 0 as printed, and so is its interval, if it has one.
    """
    leaders, value = [], "r_mean" if "r_mean" in table else "r"
    for attribute, rows in select_rows(table, first=DATA).groupby("attribute", sort=False):
        rows = rows.set_index("second")
        r = rows[value]
        names, largest = find_best(r[r.index != UNMASKING])
        if names:
            leaders.append({
                "attribute": attribute,
                "follows": ((r[names].round(2) > 0) & ~(rows.loc[names, "low"] <= 0)).any(),
                "names": list(map(metric_label, names)),
                "r": largest,
                "interval": format_interval(rows.loc[names[0]]) if len(names) == 1 else "",
                "upper_bound": r.get(UNMASKING, np.nan),
            })  # fmt: skip
    return leaders


def describe_tests(tests: pd.DataFrame, kind: str) -> str:
    """Describe how pairs of metrics were tested; each attribute is a family of Holm's correction."""
    tests = tests[tests["p_holm"].notna()]
    pairs = [str(n) for n in sorted(set(tests.groupby("attribute").size()))]
    return SENTENCES.tests(kind, tests["clusters"].max(), pairs).strip()


def describe_attributes(tests: pd.DataFrame, falling: Collection[str] = ()) -> Finding:
    """Say which metrics follow the data better for one protected attribute than for another, by statistic.

    Metrics that are `falling` as the bias grows are tested, but not described.
    """
    if len(tests) and tests["p_holm"].isna().all():
        return Finding("There are too few distributions to test differences between protected attributes.")
    tests = tests[tests["p_holm"].notna()]
    families = [select_rows(tests, statistic=name) for name in STATISTICS]
    if not set(STATISTICS) <= set(tests["statistic"]):
        return Finding("No metric has scores of protected attributes of two and of several groups.")
    sentence = SENTENCES.attributes(*(describe_order(family, falling) for family in families))
    n_tests = [str(len(family)) for family in families]
    test = SENTENCES.attribute_tests(tests["clusters"].max(), n_tests).strip()
    return Finding(sentence, test, format_count(tests["n"].max(), "model"))


def describe_order(tests: pd.DataFrame, falling: Collection[str] = ()) -> str:
    """Count the significant differences between attributes in a family of tests, and name the metrics by order.

    Metrics in `falling` count in the smallest possible p alone.
    """
    following = tests[~tests["metric"].isin(falling)]
    significant = following[following["p_holm"] < LEVEL]
    is_ahead = significant["difference"] > 0
    orders = np.where(
        is_ahead,
        significant["first"] + " above " + significant["second"],
        significant["second"] + " above " + significant["first"],
    )
    metrics = significant["metric"].map(metric_label).groupby(orders, sort=False).agg(join_names)
    counted = following if min_possible_p(tests) < LEVEL else tests
    count = describe_significant(counted, ["statistic"], "protected attribute")
    count = count or "no metric that rises with the bias could be compared"
    return (
        f"{count}: {'; '.join(f'{order} for {names}' for order, names in metrics.items())}" if len(metrics) else count
    )


def describe_detection(table: pd.DataFrame, power: pd.DataFrame) -> Finding:
    """Name the metrics that detect the smallest bias, by attribute, and those that detect none.

    None is named if a strength in `power` has fewer than MIN_MODELS models.
    """
    metrics, attributes = table[~table["metric"].isin(GROUND_TRUTHS)], []
    if not len(metrics):
        return Finding("No models for detection were trained.")
    for attribute, rows in metrics.groupby("attribute", sort=False):
        smallest = rows["divergence"].min()
        found = rows[rows["divergence"] == smallest]
        names, undefined = found["metric"].map(metric_label).tolist(), found["undefined"].max()
        attributes.append({"attribute": attribute, "names": names, "divergence": smallest, "undefined": undefined})
    has_value = metrics[metrics["max_detection_rate"].notna()]
    detects_none = has_value["divergence"].isna().groupby(has_value["metric"], sort=False).all()
    blind = [metric_label(name) for name in detects_none.index[detects_none]]
    sentence = SENTENCES.detection(attributes, blind, power["models"].min(), MIN_MODELS)
    return Finding(sentence, "", format_count(metrics["metric"].nunique(), "metric"))


def describe_templates(table: pd.DataFrame) -> Finding:
    """Say how many sentences a stable ranking of an occupation's groups needs, by attribute."""
    return Finding(SENTENCES.templates(table.to_dict("records")), "", _count_models(table))


def _count_models(table: pd.DataFrame) -> str:
    return format_count(table["models"].max(), "model")
