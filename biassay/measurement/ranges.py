"""Ranges of metrics in words."""

from collections.abc import Callable

from biassay.measurement.metric import Metric, Range


def describe_level(declared: Metric, name: str) -> str:
    """Describe the range, value without bias, sign and undefined values of a level."""
    level, b_0 = declared.levels[name], format_for_groups(declared, name, format_b_0)
    parts = [
        format_for_groups(declared, name, format_bounds),
        "no value means no bias" if b_0 == "–" else f"no bias {b_0}",
    ]
    parts += ["signed"] * bool(declared.range(name, 2).signed) + ["needs labels"] * level.labels
    return "; ".join([*parts, *([f"NaN if {level.undefined}"] if level.undefined else [])])


def describe_groups(declared: Metric) -> str:
    """Describe the numbers of groups that a metric takes."""
    low, high = declared.groups
    if high is None:
        return f"{low} or more groups"
    return "no groups" if not high else f"{low} groups" if low == high else f"{low} to {high} groups"


def format_for_groups(declared: Metric, level: str, describe: Callable[[Range], str]) -> str:
    """Describe the range of a level for two groups, and for five if it differs."""
    two, max_groups = describe(declared.range(level, 2)), declared.groups[1]
    if (max_groups is not None and 0 < max_groups < 5) or (five := describe(declared.range(level, 5))) == two:
        return two
    return f"{two}, five groups {five}"


def format_bounds(limits: Range) -> str:
    """Describe the bounds of a level."""
    low, high = limits.b_min, limits.b_max
    if low is None and high is None:
        return "unbounded"
    if high is None:
        return f"≥ {format_number(low)}"
    return f"≤ {format_number(high)}" if low is None else f"{format_number(low)} … {format_number(high)}"


def format_b_0(limits: Range) -> str:
    """Describe the value without bias."""
    return "–" if limits.b_0 is None else format_number(limits.b_0)


def format_number(value: float) -> str:
    """Format a number for tables: 0.5, −2, 0.216."""
    return f"{value:.3f}".rstrip("0").rstrip(".").replace("-", "−")
