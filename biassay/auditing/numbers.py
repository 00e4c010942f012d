"""Numbers as readers see them, the same at the terminal, on the page and in warnings."""

import pandas as pd

from biassay.report.formatting import format_decimal


def number(value: float | None) -> str:
    """Format with two decimals, three below 0.1; "–" for None or NaN, "∞" for an infinite value."""
    if pd.isna(value):
        return "–"
    return "∞" if abs(value) == float("inf") else format_decimal(value, 3 if abs(value) < 0.1 else 2)


def interval(low: float, high: float) -> str:
    """Format the ends of an interval."""
    return "–" if pd.isna(low) else f"{number(low)} … {number(high)}"


def bounds(b_min: float | None, b_max: float | None) -> str:
    """Format a metric's range."""
    low, high = (None if pd.isna(bound) else f"{bound:.3g}".replace("-", "−") for bound in (b_min, b_max))
    return f"{low} … {high}" if low and high else f"from {low}" if low else f"to {high}" if high else "unbounded"


def dose(row: object) -> str:
    """Format a minimum detectable dose of a row of the calibration; ">" and the largest dose if none was enough."""
    size = row.min_detectable_dose
    return f"> {row.max_dose:g}" if size == float("inf") else number(size)


def probability(p: float) -> str:
    """Format a p-value with three decimals; "< 0.001" for smaller values, "–" for NaN."""
    return "< 0.001" if p < 0.001 else format_decimal(p, 3)


def name(metric: str, level: str) -> str:
    """Return a metric's name, with "(lists)" or "(controls)" if its value is a difference of lists or from controls."""
    return metric if level == "set" else f"{metric} ({level.split()[-1]})"
