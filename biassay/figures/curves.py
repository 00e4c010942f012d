"""What tables and figures of bias silhouettes show: names, ranges, curves with fewer points, scores in words."""

import numpy as np
import pandas as pd

METRICS = {
    "ect": "ECT (1 − ρ)",
    "ect_raw": "ECT (ρ)",
    "rnsb": "RNSB",
    "weat": "WEAT",
    "same": "SAME",
    "same_skew": "SAME skew",
    "same_stereotype": "SAME stereotype",
    "mac": "MAC",
    "ripa": "RIPA",
    "ripa_pairs": "RIPA (pairs)",
    "direct_bias": "Direct Bias",
    "gweat": "gWEAT",
    "rnd": "RND",
    "direct_bias_1": "Direct Bias, k = 1",
    "first_order": "Λ1",
    "second_order_cosine": "second-order cosine",
    "second_order_nnd": "second-order nnd",
    "weat_p_value": "WEAT's p",
}
BIASES = ("gender", "ethnicity", "religion")  # the order of kinds of bias, in tables, figures and choices
LISTS = {"groups": "social groups", "targets": "targets"}
SETTLED = 0.1  # share of the words from which on a zoomed figure shows all orders


def label(metric: str, relative: bool = False) -> str:
    """A metric as figures name it; one without bounds is marked as relative, for its scores compare with no other's."""
    return METRICS.get(metric, metric) + (" (relative)" if relative else "")


def decimal(value: float, digits: int = 2) -> str:
    """A score as the paper prints it, without the zero in front: ".95"; "–" for NaN."""
    if np.isnan(value):
        return "–"
    text = f"{abs(value):.{digits}f}"
    return ("−" if value < 0 and float(text) else "") + (text[1:] if text.startswith("0.") else text)


def interval(row: pd.Series) -> str:
    """The interval low to high of a row behind a value: " [.12, .34]"; "" where there is none."""
    return f" [{decimal(row['low'])}, {decimal(row['high'])}]" if np.isfinite(row["low"]) else ""


def number(value: float) -> str:
    """A bias value with three figures; "–" for NaN."""
    return "–" if np.isnan(value) else f"{value:.3g}".replace("-", "−")


def scores(row: pd.Series) -> str:
    """Robustness on both models and the accuracy, of a row of scores.csv: "robustness .95 / .88, accuracy .60,
    separation .98"."""
    robustness = f"robustness {decimal(row['robustness_biased'])} / {decimal(row['robustness_unbiased'])}"
    if np.isnan(row["accuracy"]):
        return robustness
    return f"{robustness}, accuracy {decimal(row['accuracy'])}, separation {decimal(row['auc'])}"


def in_order(table: pd.DataFrame, column: str = "bias") -> pd.DataFrame:
    """Rows by kind of bias as BIASES has them; other kinds, and rows of one kind, in the order in which they are."""
    order = dict(zip(dict.fromkeys([*BIASES, *table[column]]), range(len(table) + len(BIASES)), strict=False))
    return table.sort_values(column, key=lambda values: values.map(order), kind="stable")


def select(table: pd.DataFrame, **keys: str) -> pd.DataFrame:
    """Rows whose columns have the values of `keys`."""
    return table[(table[list(keys)] == pd.Series(keys)).all(axis=1)]


def scale(row: pd.Series, curves: pd.DataFrame) -> tuple[float, float]:
    """A metric's range [b_min, b_max]; where it has none, ± the largest value in silhouettes on both models."""
    if not np.isnan([row["b_min"], row["b_max"]]).any():
        return row["b_min"], row["b_max"]
    largest = curves[["min", "max"]].abs().max(axis=None)
    return (-largest, largest) if largest > 0 else (-1.0, 1.0)


def zoomed(row: pd.Series, curves: pd.DataFrame) -> tuple[float, float]:
    """Range of the values on both models from a tenth of the words on, with a margin of a twentieth."""
    settled = curves[curves["k"] >= SETTLED * row["words"]]
    low, high = settled["min"].min(), settled["max"].max()
    if not high > low:
        return scale(row, curves)
    margin = (high - low) / 20
    return low - margin, high + margin


def thin(curve: pd.DataFrame, most: int = 300, first: int = 50) -> pd.DataFrame:
    """At most so many rows of a curve: the first ones, the last, and others at even distances between."""
    if len(curve) <= most:
        return curve
    spread = np.linspace(first, len(curve) - 1, most - first).round().astype(int)
    return curve.iloc[np.concatenate([np.arange(first), spread])]


def changes(convergence: pd.DataFrame) -> pd.DataFrame:
    """How far scores of n shuffles are from those of all: mean and max of |score(n) − score(N)| over biases and lists.

    Takes convergence.csv; gives a row a metric, score and n < N. Scores that have no value (a metric without b_0 has no
    accuracy) give no rows.
    """
    keys = ["metric", "bias", "list"]
    kinds = [name for name in convergence if name not in (*keys, "n")]
    tidy = convergence.melt([*keys, "n"], kinds, var_name="score")
    final = tidy.loc[tidy.groupby([*keys, "score"])["n"].idxmax()].drop(columns="n")
    tidy = tidy.merge(final, on=[*keys, "score"], suffixes=("", "_all"))
    tidy["change"] = (tidy["value"] - tidy["value_all"]).abs()
    tidy = tidy[tidy["n"] < tidy["n"].max()].dropna(subset="change")
    return tidy.groupby(["metric", "score", "n"], sort=False)["change"].agg(["mean", "max"]).reset_index()
