"""Tests of metrics on random samples of word lists: false-positive rates, power, and distributions of p."""

from collections.abc import Iterator

import numpy as np
import pandas as pd

from biassay.core import csv_tables
from biassay.measurement import metric as metrics
from biassay.statistics import intervals
from biassay.statistics.growth import grow
from biassay.studies.silhouette import curves, values
from biassay.studies.silhouette.reassignment import (
    FORMS,
    PUBLISHED,
    PUBLISHED_TESTS,
    REASSIGNED,
    Sample,
    compute_p_values,
    find_obstacle,
)
from biassay.studies.silhouette.reference import MODELS, Reference

COLUMNS = ["form", "bias", "model", "share", "shuffle", "test", "p", "min_p_value"]
ALL_WORDS_FACTOR = 10  # the one test on all words of a bias and model uses this many times as many permutations
LEVEL = 0.05
LEVELS = (0.01, 0.05, 0.1, 0.5)  # whose rates of smaller p-values are tabulated
RATES = {"unbiased": "false_positive_rate", "biased": "power"}
ALL = "all"  # the mean over the kinds of bias
TOO_FEW = f"samples with too few words for p ≤ {LEVEL}"


def run_tests(
    metric: str, options: dict, b_0: float | None, reference: Reference, share: float, shuffles: int, permutations: int,
    seed: int,
) -> pd.DataFrame:  # fmt: skip
    """Test a metric in both forms for all biases and both models, on random samples of the lists and on all words.

    Returns one row per form, bias, model and sample (`share` 1 for all words); none for forms that the metric does not
    have. `min_p_value` is the smallest p that the test can return; p is NaN if that is above LEVEL.
    """
    module, tables = metrics.load(metric), []
    forms = [form for form in FORMS if not find_obstacle(module, b_0, form, options)]
    for bias in reference.lists:
        for model in MODELS:
            lists = [reference.select_vectors(model, bias, list_type) for list_type in values.TYPES]
            samples = list(draw_samples(*lists, share, shuffles, seed, paired=bias in reference.paired))
            n_for_all_words = ALL_WORDS_FACTOR * (permutations + 1) - 1
            for form in forms:
                for size, parts, n in ((share, samples, permutations), (1.0, [lists], n_for_all_words)):
                    p, min_p_value = compute_p_values(metric, module, form, parts, b_0, n, seed, options)
                    rows = {"form": form, "bias": bias, "model": model, "share": size, "shuffle": range(len(p)),
                            "test": PUBLISHED if metric in PUBLISHED_TESTS else REASSIGNED[form],
                            "p": p if min_p_value <= LEVEL else np.nan,
                            "min_p_value": min_p_value}  # fmt: skip
                    tables.append(pd.DataFrame(rows))
    return pd.concat(tables) if tables else pd.DataFrame(columns=COLUMNS)


def read_tests(paths: dict[str, str]) -> pd.DataFrame:
    """Read the p-values of metrics, by name."""
    tables = [csv_tables.read(path, COLUMNS, {}, allow_empty=True).assign(metric=name) for name, path in paths.items()]
    return pd.concat([table for table in tables if len(table)] or tables)


def draw_samples(
    groups: list[np.ndarray], targets: list[np.ndarray], share: float, shuffles: int, seed: int, *, paired: bool
) -> Iterator[Sample]:
    """Draw, for each shuffle, a share of the words of each group and target list, at least two words.

    Equal sizes and seeds give equal samples for every model and metric.
    """
    samples = []
    for lists, aligned in ((groups, paired), (targets, False)):
        sizes = [len(rows) for rows in lists]
        orders = grow(sizes, len(sizes), shuffles, [seed, len(values.TYPES)], aligned=aligned).shuffles
        samples.append([order[:, : max(2, round(share * size))] for order, size in zip(orders, sizes, strict=True)])
    for shuffle in range(shuffles):
        yield [
            [rows[indices[shuffle]] for rows, indices in zip(lists, list_parts, strict=True)]
            for lists, list_parts in zip((groups, targets), samples, strict=True)
        ]


def summarise_tests(tests: pd.DataFrame, names: list[str]) -> pd.DataFrame:
    """Summarise the tests of each metric in `names`, in each form, for each bias.

    Returns the number of tests on both models and the rate of significant ones, with Wilson's interval and the
    calibration if there are several; and the means of the rates over the kinds of bias, if every kind has both.
    """
    keys, n_biases = ["metric", "form", "test", "share"], tests["bias"].nunique()
    tests = sort_tests(tests.dropna(subset="p"), names)
    rows = []
    for key, part in tests.groupby(keys, sort=False):
        by_bias = [{"bias": bias} | _summarise_rates(group) for bias, group in part.groupby("bias", sort=False)]
        rates = pd.DataFrame(by_bias)[list(RATES.values())].dropna()
        if len(rates) == n_biases:
            n = {f"n_{model}": int((part["model"] == model).sum()) for model in RATES}
            by_bias.insert(0, {"bias": ALL, **rates.mean(), **n})
        rows += [dict(zip(keys, key, strict=True)) | row for row in by_bias]
    columns = [*keys[:3], "bias", "share", *_summarise_rates(tests)]
    return pd.DataFrame(rows, columns=columns).fillna({"calibration": ""})


def _summarise_rates(tests: pd.DataFrame) -> dict:
    row = {}
    for model, name in RATES.items():
        p = tests.loc[tests["model"] == model, "p"]
        n, n_significant = len(p), int((p <= LEVEL).sum())
        low, high = intervals.wilson_interval(n_significant, n) if n > 1 else (np.nan, np.nan)
        row |= {f"n_{model}": n, name: n_significant / n if n else np.nan, f"{name}_low": low, f"{name}_high": high}
        if model == "unbiased":
            row["calibration"] = intervals.judge_rate(low, high)
    return row


def describe_p_values(tests: pd.DataFrame, names: list[str], obstacles: dict[tuple[str, str], str]) -> pd.DataFrame:
    """Describe the distribution of p over the samples of each metric, form, bias and model.

    Returns the median p, the rates of p-values up to LEVELS (equal to the level if p is uniform), and one row with the
    `reason` for each metric and form without a test, and for each bias and model with too few words for one.
    """
    rows, keys = [], ["metric", "form", "test", "bias", "model"]
    tests = sort_tests(tests[tests["share"] < 1], names)
    for key, part in tests[tests["min_p_value"] > LEVEL].groupby(keys, sort=False):
        rows.append([*key, 0, part["min_p_value"].max(), *[None] * (1 + len(LEVELS)), TOO_FEW])
    for key, part in tests.dropna(subset="p").groupby(keys, sort=False):
        shares = [(part["p"] <= level).mean() for level in LEVELS]
        rows.append([*key, len(part), part["min_p_value"].max(), part["p"].median(), *shares, ""])
    rows += [[*key, *[None] * (6 + len(LEVELS)), reason] for key, reason in obstacles.items() if reason]
    columns = ["metric", "form", "test", "bias", "model", "n", "min_p_value", "median"]
    columns += [f"up_to_{level:g}" for level in LEVELS]
    table = pd.DataFrame(rows, columns=[*columns, "reason"])
    return _sort(table, names)


def sort_tests(tests: pd.DataFrame, names: list[str]) -> pd.DataFrame:
    """Sort tests by metric in the order of `names`, form and bias."""
    return _sort(curves.sort_by_bias(tests), names)


def _sort(table: pd.DataFrame, names: list[str]) -> pd.DataFrame:
    """Sort rows by metric and form."""
    ranks = {"metric": names.index, "form": FORMS.index}
    return table.sort_values(list(ranks), key=lambda column: column.map(ranks[column.name]), kind="stable")
