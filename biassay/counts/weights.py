"""What a pair of words counts by its distance, as whole numbers, so that sums are exact."""

import math
from bisect import bisect_right

import numpy as np

WEIGHTINGS = ("linear", "harmonic", "flat")
LARGEST = np.iinfo(np.int64).max  # sum of a pair


def window_weights(window: int, weighting: str, most: int = 1) -> tuple[np.ndarray, int]:
    """Whole-number weights by distance (index 0 unused), (window + 1,) int64, and the unit to divide sums by.

    most: how often the most frequent word occurs in the corpus, or more, such as the number of its tokens. Raises
    ValueError if its sums, with itself at the most, could pass 64 bits: harmonic weights need a multiple of 1 … window.
    """
    if weighting not in WEIGHTINGS:
        raise ValueError(f"counts: unknown weighting {weighting!r}; expected one of: {', '.join(WEIGHTINGS)}")
    if window < 1:
        raise ValueError(f"counts: window {window} is below 1")
    if _greatest_sum(window, weighting, most) > LARGEST:
        fits = bisect_right(range(1, window), LARGEST, key=lambda smaller: _greatest_sum(smaller, weighting, most))
        raise ValueError(
            f"counts: window {window} is too wide for exact {weighting} sums in 64 bits if a word occurs {most:,} "
            f"times; choose {fits} or less" + (", or another weighting" if weighting == "harmonic" else "")
        )
    weights, unit = _weights(window, weighting)
    return np.array([0, *weights], dtype=np.int64), unit


def _weights(window: int, weighting: str) -> tuple[list[int], int]:
    distances = range(1, window + 1)
    if weighting == "linear":
        return [window - k + 1 for k in distances], window
    if weighting == "harmonic":
        unit = math.lcm(*distances)
        return [unit // k for k in distances], unit
    return [1] * window, 1


def _greatest_sum(window: int, weighting: str, most: int) -> int:
    """The sum of a word beside itself, everywhere in the window around each of its `most` places."""
    return 2 * most * sum(_weights(window, weighting)[0])
