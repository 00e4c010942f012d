"""Ranges, thinned curves and convergence of bias silhouettes, as their tables and figures show them."""

import numpy as np
import pandas as pd

from biassay.core import csv_tables
from biassay.report.formatting import format_decimal

BIASES = ("gender", "ethnicity", "religion")  # the order of kinds of bias in tables and figures
MODELS = {"biased": "#b2182b", "unbiased": "#4393c3"}  # colours, also distinguishable in grey
LISTS = {"groups": "social groups", "targets": "targets"}
SETTLED = 0.1  # zoomed figures show all shuffles from this share of the words on
MAX_ROWS, FIRST_ROWS = 300, 50  # of a thinned curve; the first rows are all kept


def read_published(path: str) -> pd.DataFrame:
    """Read the published scores."""
    return csv_tables.read(path, "metric bias list model score value", {"value": "number"}, comment="#")


def describe_scores(row: pd.Series) -> str:
    """Describe a row of scores.csv: "robustness 0.95 / 0.88 (biased / unbiased), accuracy 0.60, AUC 0.98".

    Parts without a value are left out.
    """
    parts = []
    if not np.isnan(row["robustness_biased"]):
        biased, unbiased = (format_decimal(row[f"robustness_{model}"]) for model in ("biased", "unbiased"))
        parts.append(f"robustness {biased} / {unbiased} (biased / unbiased)")
    parts += [
        f"{name} {format_decimal(row[name.lower()])}" for name in ("accuracy", "AUC") if pd.notna(row[name.lower()])
    ]
    return ", ".join(parts)


def sort_by_bias(table: pd.DataFrame) -> pd.DataFrame:
    """Sort rows by kind of bias in the order of BIASES; other kinds follow, and rows of one kind keep their order."""
    order = list(dict.fromkeys([*BIASES, *table["bias"]]))
    return table.sort_values("bias", key=lambda values: values.map(order.index), kind="stable")


def value_range(row: pd.Series, curves: pd.DataFrame) -> tuple[float, float]:
    """Return a metric's range [b_min, b_max]; for an unbounded metric, ± the largest value in the silhouettes."""
    if not np.isnan([row["b_min"], row["b_max"]]).any():
        return row["b_min"], row["b_max"]
    largest = curves[["min", "max"]].abs().max(axis=None)
    return (-largest, largest) if largest > 0 else (-1.0, 1.0)


def zoomed_range(row: pd.Series, curves: pd.DataFrame) -> tuple[float, float]:
    """Return the range of the values on both models from a tenth of the words on, plus 5 % on either side."""
    settled = curves[curves["n_words"] >= SETTLED * row["n_words"]]
    low, high = settled["min"].min(), settled["max"].max()
    if not high > low:
        return value_range(row, curves)
    margin = (high - low) / 20
    return low - margin, high + margin


def thin_curve(curve: pd.DataFrame) -> pd.DataFrame:
    """Return at most MAX_ROWS rows of a curve: the first ones, the last one, and evenly spaced ones between them."""
    if len(curve) <= MAX_ROWS:
        return curve
    spread = np.linspace(FIRST_ROWS, len(curve) - 1, MAX_ROWS - FIRST_ROWS).round().astype(int)
    return curve.iloc[np.concatenate([np.arange(FIRST_ROWS), spread])]


def measure_changes(convergence: pd.DataFrame) -> pd.DataFrame:
    """Measure how much scores of n shuffles differ from those of all N shuffles, from the table convergence.csv.

    Returns one row per metric, score and n < N: mean and maximum of |score(n) − score(N)| over biases and lists.
    Scores without a value (a metric without b_0 has no accuracy) have no rows.
    """
    keys = ["metric", "bias", "list"]
    kinds = [name for name in convergence if name not in (*keys, "n_shuffles")]
    tidy = convergence.melt([*keys, "n_shuffles"], kinds, var_name="score")
    final = tidy.loc[tidy.groupby([*keys, "score"])["n_shuffles"].idxmax()].drop(columns="n_shuffles")
    tidy = tidy.merge(final, on=[*keys, "score"], suffixes=("", "_all"))
    tidy["change"] = (tidy["value"] - tidy["value_all"]).abs()
    tidy = tidy[tidy["n_shuffles"] < tidy["n_shuffles"].max()].dropna(subset="change")
    return tidy.groupby(["metric", "score", "n_shuffles"], sort=False)["change"].agg(["mean", "max"]).reset_index()
