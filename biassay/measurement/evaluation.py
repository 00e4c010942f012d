"""Evaluate a metric on arrays, and check its options, groups, labels and values against its declaration."""

from collections.abc import Iterable, Sequence
from types import ModuleType

import numpy as np

from biassay.core import options as declarations
from biassay.measurement.metric import FUNCTIONS, Range, call

TOLERANCE = 1e-5  # relative amount by which a value may exceed a bound: vectors can be float32


def evaluate(
    module: ModuleType,
    targets: np.ndarray,
    groups: Sequence[np.ndarray],
    labels: np.ndarray | None = None,
    **options: object,
) -> tuple[np.ndarray | None, float | None]:
    """Compute the word-level values (n,) and the set-level value of a metric, as `metric.load` returns it.

    Targets are (n, d), or (n,) norms for associations, groups (m_i, d), labels (n,). A value is None for a level that
    the metric lacks or whose labels are missing. ValueError if an option, the groups, the labels or a value contradict
    the metric's declaration.
    """
    levels = module.METRIC.levels
    check_groups(module, len(groups), "groups")
    check_options(module, options)
    usable = [name for name, level in levels.items() if not level.labels or labels is not None]
    if not usable:
        raise ValueError(f"{module.__name__}: labels: expected one label per target, got none")
    scores = {name: evaluate_level(module, name, targets, groups, labels, **options) for name in usable}
    return scores.get("word"), scores.get("set")


def evaluate_level(
    module: ModuleType,
    level: str,
    targets: np.ndarray,
    groups: Sequence[np.ndarray],
    labels: np.ndarray | None = None,
    **options: object,
) -> np.ndarray | float:
    """Compute and check the value of one level; labels are ignored if the level does not need them."""
    arguments = [targets, list(groups)]
    if module.METRIC.levels[level].labels:
        check_labels(module, level, len(targets), len(groups), labels)
        arguments.append(np.asarray(labels))
    return compute(module, level, arguments, len(targets), count_groups(module, groups, labels), options, labels)


def evaluate_by_case(
    module: ModuleType, targets: np.ndarray, labels: np.ndarray, cases: np.ndarray, **options: object
) -> float:
    """Compute and check `set_bias_by_case` of a label-based metric; cases: shape (n,)."""
    check_labels(module, "set", len(targets), 0, labels)
    value = call(module, "set_bias_by_case", targets, [], labels, cases, **options)
    limits = compute_range(module, "set", count_groups(module, [], labels), labels, options)
    return check_value(module, "set", value, len(targets), limits)


def compute(
    module: ModuleType,
    level: str,
    arguments: Sequence,
    n_targets: int,
    n_groups: int,
    options: dict,
    labels: np.ndarray | None = None,
) -> np.ndarray | float:
    """Compute and check a level's value by its function, with those of the options that it has."""
    declared = declarations.read(getattr(module, FUNCTIONS[level]))
    chosen = {name: value for name, value in options.items() if name in declared}
    limits = compute_range(module, level, n_groups, labels, options)
    return check_value(module, level, call(module, FUNCTIONS[level], *arguments, **chosen), n_targets, limits)


def compute_range(module: ModuleType, level: str, n_groups: int, labels: np.ndarray | None, options: dict) -> Range:
    """Return the range of a level for a number of groups, labels and options, as plain numbers."""
    limits = module.METRIC.range(level, n_groups)
    if hasattr(module, "adjust_range"):
        limits = call(module, "adjust_range", limits, level, labels, dict(options))
    return Range(*(limit.item() if isinstance(limit, np.generic) else limit for limit in limits))


def count_groups(module: ModuleType, groups: Sequence, labels: np.ndarray | None) -> int:
    """Return the number of groups, or of different labels for label-based metrics; ranges depend on it."""
    is_label_based = module.METRIC.groups == (0, 0) and labels is not None
    return len(np.unique(labels)) if is_label_based else len(groups)


def check_groups(module: ModuleType, n: int, name: str) -> None:
    """Raise ValueError if the metric does not take n groups."""
    _check_count(module, n, module.METRIC.groups, name)


def check_model(module: ModuleType, kind: str) -> None:
    """Raise ValueError, which names the metric to use, if the metric does not take this kind of language model."""
    declared = module.METRIC
    if kind not in declared.models:
        advice = f"; use {declared.counterpart}" if declared.counterpart else "; no metric measures the same for it"
        raise ValueError(
            f"{module.__name__}: expected a {' or '.join(declared.models)} model, got a {kind} one{advice}"
        )


def check_labels(module: ModuleType, level: str, n_targets: int, n_groups: int, labels: np.ndarray) -> None:
    """Raise ValueError unless there is one label per target, numbered from 0, and as many as the level takes."""
    labels = np.asarray(labels)
    if labels.shape != (n_targets,):
        raise ValueError(f"labels: expected one per target, shape ({n_targets},), got shape {labels.shape}")
    names = np.unique(labels).tolist()
    if names != list(range(len(names))):
        raise ValueError(f"labels: expected the numbers from 0, each used, got {names[:6]}")
    _check_count(module, len(names), module.METRIC.n_labels(level, n_groups), "different labels")


def check_options(module: ModuleType, options: dict) -> None:
    """Raise ValueError for an unknown option of a metric, or a value that is not allowed."""
    declared = read_options(module)
    for name in options:
        if name not in declared:
            names = ", ".join(declared) or "none"
            raise ValueError(f"{module.__name__}: unknown option {name!r}; expected one of: {names}")
    declarations.check(f"{module.__name__}: ", options, declared)


def read_options(module: ModuleType, levels: Iterable[str] = tuple(FUNCTIONS)) -> dict[str, declarations.Option]:
    """Read the options of a metric at some of its levels; those of a metric of language models are of its `scores`."""
    is_of_model = module.METRIC.takes == "language_model"
    functions = ["scores"] if is_of_model else [FUNCTIONS[name] for name in levels if name in module.METRIC.levels]
    options = {}
    for function in functions:
        options |= declarations.read(getattr(module, function))
    return options


def check_value(module: ModuleType, level: str, value: object, n_targets: int, limits: Range) -> np.ndarray | float:
    """Check and return the value of a level: an array (n_targets,) at word level, a float at set level.

    NaN is allowed. Raises ValueError, which names the metric's function, for another shape or type, and for a value
    that is infinite or out of range.
    """
    where = f"{module.__name__}.{FUNCTIONS[level]}"
    unit = "class" if module.METRIC.takes == "predictions" else "target"
    expected = f"an array of shape ({n_targets},), one number per {unit}" if level == "word" else "one number"
    try:
        array = np.asarray(value)
    except ValueError as error:  # rows of unequal length
        raise ValueError(f"{where}: expected numbers, got {value!r:.80}") from error
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
    return array if level == "word" else float(array)


def explain_undefined(module: ModuleType, level: str, value: np.ndarray | float | None) -> str | None:
    """Explain why values of a level are missing; None if all are defined."""
    if value is None:
        return "needs one label per target"
    is_missing = np.isnan(np.atleast_1d(value))
    if not is_missing.any():
        return None
    reason = module.METRIC.levels[level].undefined or "the metric gives no reason"
    return f"{is_missing.sum()} of {is_missing.size} values: {reason}" if level == "word" else reason


def _check_count(module: ModuleType, n: int, limits: tuple[int, int | None], name: str) -> None:
    low, high = limits
    if n < low or (high is not None and n > high):
        expected = f"{low} or more" if high is None else low if low == high else f"{low} to {high}"
        raise ValueError(f"{module.__name__}: expected {expected} {name}, got {n}")
