"""Text summary of a measurement, as it is printed."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from biassay.measurement.metric import Range

if TYPE_CHECKING:
    from biassay.measurement.entry import Measurement

MAX_ITEMS = 5  # words or values that are listed


def format_text(measured: "Measurement") -> str:
    """Format the metric, its values with their ranges, and the words used and missing, one per line."""
    return "\n  ".join([measured.metric, *_lines(measured)])


def _lines(measured: "Measurement") -> Iterator[str]:
    std = measured.pairing_std
    for level, limits in measured.ranges.items():
        value = getattr(measured, level)
        if value is not None:
            spread = f" ± {std:.3g} (standard deviation over pairings)" if level == "set" and std is not None else ""
            yield f"{level} level: {_format_value(value)}{spread} [{_format_range(limits)}]"
    for level, reason in measured.undefined.items():
        yield f"{level} level undefined: {reason}"
    if measured.words:
        yield f"words used: {', '.join(f'{name} {len(words)}' for name, words in measured.words.items())}"
    lists = {f"missing in {name}": words for name, words in measured.missing.items()}
    lists |= {f"unpaired in {name}": words for name, words in measured.unpaired.items()}
    lists |= {f"listed more than once in {name}": words for name, words in measured.duplicates.items()}
    lists |= {"words in two groups": measured.shared, "words in both targets and groups": measured.overlap}
    lists |= {f"texts per class in {name}": counts for name, counts in measured.n_positives.items()}
    for name, items in lists.items():
        if items:
            yield f"{name}: {format_items(items)}"


def format_items(items: Sequence[object]) -> str:
    """List the first MAX_ITEMS items, and the number of all if there are more."""
    listed = ", ".join(map(str, items[:MAX_ITEMS]))
    return listed + (f", … ({len(items)} in all)" if len(items) > MAX_ITEMS else "")


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
