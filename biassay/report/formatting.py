"""Numbers, names and counts as figures, tables and sentences print them."""

from collections.abc import Iterable

import numpy as np
import pandas as pd

METRIC_LABELS = {
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
    "direct_bias_published": "Direct Bias, as published",
    "ripa_published": "RIPA, as published",
    "classification_published": "classification, as published",
    "neighbours_published": "neighbours, as published",
    "first_order": "Λ1",
    "second_order_cosine": "second-order cosine",
    "second_order_nnd": "second-order nnd",
    "weat_p_value": "WEAT's p",
    "aul": "AUL",
    "lpbs": "LPBS",
    "pll": "PLL",
    "tpr_gap": "TPR gap",
    "log_likelihood": "log-likelihood",
    "downstream": "Downstream bias",  # which the downstream study compares with metrics
}


def metric_label(metric: str) -> str:
    """Return a metric's name for readers."""
    return METRIC_LABELS.get(metric, metric)


def format_decimal(value: float, digits: int = 2) -> str:
    """Format a number with a fixed number of decimals and a leading zero: "0.95", "−0.30"; "–" for NaN."""
    if np.isnan(value):
        return "–"
    text = f"{abs(value):.{digits}f}"
    return ("−" if value < 0 and float(text) else "") + text


def format_interval(row: pd.Series) -> str:
    """Format the interval `low` to `high` of a row, to follow a value: " [0.12, 0.34]"; "" without an interval."""
    return f" [{format_decimal(row['low'])}, {format_decimal(row['high'])}]" if np.isfinite(row["low"]) else ""


def format_percent(share: float, digits: int = 0) -> str:
    """Format a share as a percentage: "12 %"; "–" for NaN."""
    return "–" if np.isnan(share) else f"{format_decimal(100 * share, digits)} %"


def format_range(values: pd.Series, digits: int) -> str:
    """Format the smallest and the largest value with their names: "0.12 (MAC) to 0.47 (WEAT)"; NaN are ignored."""
    values = values.dropna()
    ends = dict.fromkeys([values.idxmin(), values.idxmax()])
    return " to ".join(f"{format_decimal(values[name], digits)} ({name})" for name in ends)


def format_count(n: float, noun: str) -> str:
    """Format a count with its noun: "1 model", "12 models"."""
    return f"{n:.0f} {noun}{'' if n == 1 else 's'}"


def format_p_value(p: float, *, is_max: bool = False) -> str:
    """Format a p-value: "p = 0.012", "p < 0.001"; "p ≤ 0.012" for the largest of several (is_max)."""
    if p < 0.001:
        return "p < 0.001"
    return f"p {'≤' if is_max else '='} {f'{p:.3f}' if p < 0.9995 else 1}"


def join_names(names: Iterable[str]) -> str:
    """Join names as a sentence lists them: "A, B and C"."""
    *others, last = names
    return f"{', '.join(others)} and {last}" if others else last
