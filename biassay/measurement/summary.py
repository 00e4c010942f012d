"""Text summary of a measurement, as it is printed."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

import numpy as np

from biassay.measurement.metric import Range

if TYPE_CHECKING:
    from biassay.measurement.entry import Measurement

MAX_ITEMS = 5  # words or values that are listed


def format_text(measured: "Measurement") -> str:
    """Format the metric, its values with their ranges, and the words used and missing, one per line."""
    return "\n".join([measured.metric, *(f"  {line}" for line in _lines(measured))])


def _lines(measured: "Measurement") -> Iterator[str]:
    for level in measured.ranges:
        value = getattr(measured, level)
        if value is None:
            continue
        std = measured.pairing_std
        spread = f" ± {std:.3g} (standard deviation over pairings)" if level == "set" and std is not None else ""
        yield f"{level} level: {_format_value(value)}{spread} [{_format_range(measured.ranges[level])}]"
    for level, reason in measured.undefined.items():
        yield f"{level} level undefined: {reason}"
    if measured.words:
        yield f"words used: {', '.join(f'{name} {len(words)}' for name, words in measured.words.items())}"
    for name, lists in {
        "missing": measured.missing, "unpaired": measured.unpaired, "listed more than once": measured.duplicates,
    }.items():  # fmt: skip
        yield from _format_lists(name, lists)
    if measured.shared:
        yield f"words in two groups: {_format_list(measured.shared)}"
    if measured.overlap:
        yield f"words in both targets and groups: {_format_list(measured.overlap)}"
    for group, counts in measured.n_positives.items():
        yield f"texts per class in {group}: {_format_list(counts)}"


def _format_value(value: np.ndarray | float) -> str:
    if not isinstance(value, np.ndarray):
        return f"{value:.3g}"
    if len(value) <= MAX_ITEMS:
        return ", ".join(f"{score:.3g}" for score in value)
    defined = value[np.isfinite(value)]
    if not len(defined):
        return f"{len(value)} values, all undefined"
    return f"{len(value)} values from {defined.min():.3g} to {defined.max():.3g}, mean {defined.mean():.3g}"


def _format_range(limits: Range) -> str:
    low, high = ("unbounded" if bound is None else f"{bound:.3g}" for bound in (limits.b_min, limits.b_max))
    bounds = "unbounded" if low == high == "unbounded" else f"{low} to {high}"
    b_0 = "no value means no bias" if limits.b_0 is None else f"{limits.b_0:.3g} means no bias"
    return f"{bounds}; {b_0}" + ("; signed" if limits.signed else "")


def _format_lists(name: str, lists: Mapping[str, list[str]]) -> Iterator[str]:
    for list_name, words in lists.items():
        yield f"{name} in {list_name}: {_format_list(words)}"


def _format_list(items: list) -> str:
    listed = ", ".join(map(str, items[:MAX_ITEMS]))
    return listed + (f", … ({len(items)} in all)" if len(items) > MAX_ITEMS else "")
