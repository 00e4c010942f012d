"""A measurement in words, for people who print it."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

import numpy as np

from biassay.measurement.metric import Range

if TYPE_CHECKING:
    from biassay.measurement.entry import Measurement

SHOWN = 5  # words of a list, and values that are shown each


def format_text(measured: "Measurement") -> str:
    """The metric, its values with their ranges, and the words used and missing, a line each."""
    return "\n".join([measured.metric, *(f"  {line}" for line in _lines(measured))])


def _lines(measured: "Measurement") -> Iterator[str]:
    for level in measured.ranges:
        value = getattr(measured, level)
        if value is None:
            continue
        spread = f" ± {measured.spread:.3g} over pairings" if level == "set" and measured.spread is not None else ""
        yield f"{level}: {_value(value)}{spread} ({_range(measured.ranges[level])})"
    for level, reason in measured.undefined.items():
        yield f"{level} undefined: {reason}"
    if measured.words:
        yield f"words: {', '.join(f'{name} {len(words)}' for name, words in measured.words.items())}"
    for what in ("missing", "unpaired", "duplicates"):
        yield from _named(what, getattr(measured, what))
    if measured.shared:
        yield f"words of two groups: {_some(measured.shared)}"
    if measured.overlap:
        yield f"targets that are also group words: {_some(measured.overlap)}"
    for group, texts in measured.positives.items():
        yield f"texts a class, {group}: {_some(texts)}"


def _value(value: np.ndarray | float) -> str:
    if not isinstance(value, np.ndarray):
        return f"{value:.3g}"
    if len(value) <= SHOWN:
        return ", ".join(f"{one:.3g}" for one in value)
    known = value[np.isfinite(value)]
    if not len(known):
        return f"{len(value)} values, none defined"
    return f"{len(value)} values from {known.min():.3g} to {known.max():.3g}, mean {known.mean():.3g}"


def _range(limits: Range) -> str:
    low, high = ("unbounded" if bound is None else f"{bound:.3g}" for bound in (limits.b_min, limits.b_max))
    ends = "unbounded" if low == high == "unbounded" else f"{low} to {high}"
    without = "no value says that there is no bias" if limits.b_0 is None else f"{limits.b_0:.3g} without bias"
    return f"{ends}, {without}" + (", signed" if limits.signed else "")


def _named(what: str, lists: Mapping[str, list[str]]) -> Iterator[str]:
    for name, words in lists.items():
        yield f"{what} of {name}: {_some(words)}"


def _some(words: list) -> str:
    return ", ".join(map(str, words[:SHOWN])) + (f", … ({len(words)} in all)" if len(words) > SHOWN else "")
