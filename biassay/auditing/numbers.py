"""Numbers of an audit as people read them, the same at the terminal, on the page and in warnings."""

import pandas as pd

from biassay.figures.formatting import format_decimal


def number(value: float | None) -> str:
    """Two decimals, three for small ones; a dash for none, ∞ for what is out of reach."""
    if value is None:
        return "–"
    return "∞" if abs(value) == float("inf") else format_decimal(value, 3 if abs(value) < 0.1 else 2)


def interval(low: float, high: float) -> str:
    """The ends of an interval."""
    return "–" if pd.isna(low) else f"{number(low)} … {number(high)}"


def bounds(b_min: float | None, b_max: float | None) -> str:
    """A range in words."""
    low, high = (None if pd.isna(bound) else f"{bound:.3g}".replace("-", "−") for bound in (b_min, b_max))
    return f"{low} … {high}" if low and high else f"from {low}" if low else f"to {high}" if high else "unbounded"


def probability(p: float) -> str:
    """A p-value: three decimals, a bound for smaller ones, a dash for none."""
    if pd.isna(p):
        return "–"
    return "< .001" if p < 0.001 else format_decimal(p, 3)


def share(value: float) -> str:
    """A share in percent; a dash for none."""
    return "–" if pd.isna(value) else f"{100 * value:.0f} %"


def named(metric: str, level: str) -> str:
    """A metric, and whether its value is the difference of two lists' means."""
    return metric if level == "set" else f"{metric} (lists)"
