"""Evaluate a metric on arrays, and check its options, groups, labels and values against its declaration."""

from collections.abc import Sequence
from types import ModuleType

import numpy as np

from biassay.core import options as declarations
from biassay.measurement import values
from biassay.measurement.metric import FUNCTIONS, call


def evaluate(
    module: ModuleType, targets: np.ndarray, groups: Sequence[np.ndarray], labels: np.ndarray | None = None,
    **options: object,
) -> tuple[np.ndarray | None, float | None]:  # fmt: skip
    """Compute the word-level and set-level values of a metric.

    Parameters
    ----------
    module
        A metric, as `metric.load` returns it.
    targets : ndarray of shape (n, d), or (n,) norms for associations
    groups : sequence of ndarray of shape (m_i, d)
    labels : ndarray of shape (n,), optional

    Returns
    -------
    word, set : ndarray of shape (n,), float
        None for a level that the metric lacks or whose labels are missing.

    Raises
    ------
    ValueError
        If an option, the groups, the labels or a value contradict the metric's declaration.
    """
    declared, scores = module.METRIC, {"word": None, "set": None}
    check_groups(module, len(groups), "groups")
    check_options(module, options)
    if labels is None and all(level.labels for level in declared.levels.values()):
        raise ValueError(f"{module.__name__}: labels: expected one label per target, got none")
    for name, level in declared.levels.items():
        if not level.labels or labels is not None:
            scores[name] = evaluate_level(module, name, targets, groups, labels, **options)
    return scores["word"], scores["set"]


def evaluate_level(
    module: ModuleType, level: str, targets: np.ndarray, groups: Sequence[np.ndarray],
    labels: np.ndarray | None = None, **options: object,
) -> np.ndarray | float:  # fmt: skip
    """Compute and check the value of one level; labels are ignored if the level does not need them."""
    arguments = [targets, list(groups)]
    if module.METRIC.levels[level].labels:
        check_labels(module, level, len(targets), len(groups), labels)
        arguments.append(np.asarray(labels))
    chosen = _options_of(module, FUNCTIONS[level], options)
    limits = values.compute_range(module, level, count_groups(module, groups, labels), labels, options)
    value = call(module, FUNCTIONS[level], *arguments, **chosen)
    return values.check_value(module, level, value, len(targets), limits)


def evaluate_by_case(
    module: ModuleType, targets: np.ndarray, labels: np.ndarray, cases: np.ndarray, **options: object
) -> float:
    """Compute and check `set_bias_by_case` of a label-based metric; cases: shape (n,)."""
    check_labels(module, "set", len(targets), 0, labels)
    chosen = _options_of(module, "set_bias", options)
    limits = values.compute_range(module, "set", count_groups(module, [], labels), labels, options)
    value = call(module, "set_bias_by_case", targets, [], labels, cases, **chosen)
    return float(values.check_value(module, "set", value, len(targets), limits))


def count_groups(module: ModuleType, groups: Sequence, labels: np.ndarray | None) -> int:
    """Return the number of groups, or of different labels for label-based metrics; ranges depend on it."""
    if module.METRIC.groups == (0, 0) and labels is not None:
        return len(np.unique(labels))
    return len(groups)


def check_groups(module: ModuleType, n: int, name: str) -> None:
    """Raise ValueError if the metric does not take n groups."""
    min_groups, max_groups = module.METRIC.groups
    if n < min_groups or (max_groups is not None and n > max_groups):
        raise ValueError(f"{module.__name__}: expected {_format_limits(min_groups, max_groups)} {name}, got {n}")


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
    min_labels, max_labels = module.METRIC.n_labels(level, n_groups)
    if len(names) < min_labels or (max_labels is not None and len(names) > max_labels):
        limits = _format_limits(min_labels, max_labels)
        raise ValueError(f"{module.__name__}: expected {limits} different labels, got {len(names)}")


def check_options(module: ModuleType, options: dict) -> None:
    """Raise ValueError for an unknown option of a metric, or a value that is not allowed."""
    declared = _options(module)
    for name in options:
        if name not in declared:
            names = ", ".join(declared) or "none"
            raise ValueError(f"{module.__name__}: unknown option {name!r}; expected one of: {names}")
    declarations.check(f"{module.__name__}: ", options, declared)


def _options_of(module: ModuleType, function: str, options: dict) -> dict:
    """Select the options of one function of a metric."""
    function = getattr(module, function)
    return {name: value for name, value in options.items() if name in declarations.inspect_options(function)}


def _options(module: ModuleType) -> dict[str, declarations.Option]:
    """Return the options of all functions of a metric."""
    is_of_model = module.METRIC.takes == "language_model"
    names = ["scores"] if is_of_model else [FUNCTIONS[name] for name in module.METRIC.levels]
    return {name: option for f in names for name, option in declarations.inspect_options(getattr(module, f)).items()}


def _format_limits(minimum: int, maximum: int | None) -> str:
    if maximum is None:
        return f"{minimum} or more"
    return str(minimum) if minimum == maximum else f"{minimum} to {maximum}"
