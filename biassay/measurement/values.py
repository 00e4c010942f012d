"""Check the values that a metric returns (shape, type, range), and explain undefined ones."""

from types import ModuleType

import numpy as np

from biassay.measurement.metric import FUNCTIONS, Range, call

TOLERANCE = 1e-5  # relative amount by which a value may exceed a bound: vectors can be float32


def compute_range(module: ModuleType, level: str, n_groups: int, labels: np.ndarray | None, options: dict) -> Range:
    """Return the range of a level for a number of groups, labels and options."""
    declared = module.METRIC.range(level, n_groups)
    if not hasattr(module, "adjust_range"):
        return declared
    return call(module, "adjust_range", declared, level, labels, dict(options))


def check_value(module: ModuleType, level: str, value: object, n_targets: int, limits: Range) -> np.ndarray | float:
    """Check and return the value of a level: an array (n_targets,) at word level, a float at set level.

    NaN is allowed. Raises ValueError, which names the metric's function, for another shape or type, and for a value
    that is infinite or out of range.
    """
    where = f"{module.__name__}.{FUNCTIONS[level]}"
    try:
        array = np.asarray(value)
    except ValueError as error:  # rows of unequal length
        raise ValueError(f"{where}: expected numbers, got {value!r:.80}") from error
    expected = _describe_expected(module, level, n_targets)
    if array.dtype.kind not in "fiu":
        raise ValueError(f"{where}: expected {expected}, got {type(value).__name__} {value!r:.60}")
    if array.shape != ((n_targets,) if level == "word" else ()):
        raise ValueError(f"{where}: expected {expected}, got shape {array.shape}")
    for bound, side in ((limits.b_min, -1), (limits.b_max, 1)):
        slack = TOLERANCE * max(1.0, abs(bound)) if bound is not None else 0
        beyond = np.isinf(array) if bound is None else side * array > side * bound + slack
        if beyond.any():
            low, high = ("unbounded" if end is None else f"{end:g}" for end in (limits.b_min, limits.b_max))
            raise ValueError(f"{where}: expected values from {low} to {high}, got {array[beyond].flat[0]:g}")
    return np.asarray(value) if level == "word" else float(array)


def explain_undefined(module: ModuleType, level: str, value: np.ndarray | float | None) -> str | None:
    """Explain why values of a level are missing; None if all are defined."""
    if value is None:
        return "needs one label per target"
    is_missing = np.isnan(np.atleast_1d(value))
    if not is_missing.any():
        return None
    reason = module.METRIC.levels[level].undefined or "the metric gives no reason"
    return f"{is_missing.sum()} of {is_missing.size} values: {reason}" if level == "word" else reason


def _describe_expected(module: ModuleType, level: str, n_targets: int) -> str:
    unit = "class" if module.METRIC.takes == "predictions" else "target"
    return f"an array of shape ({n_targets},), one number per {unit}" if level == "word" else "one number"
