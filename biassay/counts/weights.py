"""Weights of word pairs by distance, as integers, so that sums are exact."""

import math
from bisect import bisect_right

import numpy as np

WEIGHTINGS = ("linear", "harmonic", "flat")
MAX_SUM = np.iinfo(np.int64).max  # of a pair


def window_weights(window: int, weighting: str, max_count: int = 1) -> tuple[np.ndarray, int]:
    """Compute the integer weights of a window by distance, (window + 1,), and the unit by which sums must be divided.

    `weighting` is "linear", "harmonic" or "flat" (see `cooccurrence.count`). Raises ValueError if a sum could exceed 64
    bits when a word occurs `max_count` times. Harmonic weights need a common multiple of 1 … window.
    """
    if weighting not in WEIGHTINGS:
        raise ValueError(f"unknown weighting {weighting!r}; expected one of: {', '.join(WEIGHTINGS)}")
    if window < 1:
        raise ValueError(f"window: expected an integer ≥ 1, got {window}")
    if _max_sum(window, weighting, max_count) > MAX_SUM:
        max_window = bisect_right(range(1, window), MAX_SUM, key=lambda size: _max_sum(size, weighting, max_count))
        remedy = ", or another weighting" if weighting == "harmonic" else ""
        raise ValueError(
            f"window {window}: {weighting} sums can exceed 64 bits if a word occurs {max_count:,} times; "
            f"expected at most {max_window}{remedy}"
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


def _max_sum(window: int, weighting: str, max_count: int) -> int:
    """Return the largest possible sum: a word that fills the windows around all of its `max_count` positions."""
    return 2 * max_count * sum(_weights(window, weighting)[0])
