"""What a metric returns, checked against what it declares: shape, type, range; and why a value is undefined."""

from types import ModuleType

import numpy as np

from biassay.measurement.metric import FUNCTIONS, Range, call

ROUNDING = 1e-5  # by which a value may pass a bound, of its size; vectors may be float32


def bounds(module: ModuleType, level: str, n: int, labels: np.ndarray | None, options: dict) -> Range:
    """The range of a level for a number of groups, and for the labels and options where it hangs on them."""
    declared = module.METRIC.range(level, n)
    if not hasattr(module, "adjust_range"):
        return declared
    return call(module, "adjust_range", declared, level, labels, dict(options))


def checked(module: ModuleType, level: str, value: object, n_targets: int, limits: Range) -> np.ndarray | float:
    """The value of a level, as it is; (n_targets,) at word level, a float at set level; NaN is allowed.

    Raises ValueError, naming the metric's function, for another shape, what is no number, and a value out of range or
    infinite.
    """
    where = f"{module.__name__}.{FUNCTIONS[level]}"
    try:
        array = np.asarray(value)
    except ValueError as error:  # rows of unequal length
        raise ValueError(f"{where}: gave {value!r:.80}, not numbers") from error
    shape = (n_targets,) if level == "word" else ()
    if array.dtype.kind not in "fiu":
        raise ValueError(f"{where}: gave {type(value).__name__} {value!r:.60}, not {_wanted(module, level, n_targets)}")
    if array.shape != shape:
        raise ValueError(f"{where}: gave numbers of shape {array.shape}, not {_wanted(module, level, n_targets)}")
    for bound, side in ((limits.b_min, -1), (limits.b_max, 1)):
        slack = ROUNDING * max(1.0, abs(bound)) if bound is not None else 0
        beyond = np.isinf(array) if bound is None else side * array > side * bound + slack
        if beyond.any():
            low, high = ("unbounded" if end is None else f"{end:g}" for end in (limits.b_min, limits.b_max))
            raise ValueError(f"{where}: gave {array[beyond].flat[0]:g}, out of the range it declares, {low} to {high}")
    return np.asarray(value) if level == "word" else float(array)


def undefined(module: ModuleType, level: str, value: np.ndarray | float | None) -> str | None:
    """Why a level has no value, or not all of them; None where it has."""
    if value is None:
        return "needs labels, one a target"
    missing = np.isnan(np.atleast_1d(value))
    if not missing.any():
        return None
    reason = module.METRIC.levels[level].undefined or "the metric does not say why"
    return f"{missing.sum()} of {missing.size} values: {reason}" if level == "word" else reason


def _wanted(module: ModuleType, level: str, n_targets: int) -> str:
    each = "class" if module.METRIC.takes == "predictions" else "target"
    return f"an array ({n_targets},), a number a {each}" if level == "word" else "one number"
