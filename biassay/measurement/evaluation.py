"""A metric on arrays: its values, checked, with options, groups and labels as it declares them."""

from collections.abc import Sequence
from types import ModuleType

import numpy as np

from biassay.measurement import values
from biassay.measurement.metric import FUNCTIONS, call
from biassay.support import options as declarations


def evaluate(
    module: ModuleType, targets: np.ndarray, groups: Sequence[np.ndarray], labels: np.ndarray | None = None,
    **options: object,
) -> tuple[np.ndarray | None, float | None]:  # fmt: skip
    """Sample and set values of a metric on arrays; None for a level that it lacks or that lacks its labels.

    Raises ValueError for an unknown option or a wrong value of one, for groups or labels that the metric does not take,
    and for a value that is not what the metric declares.
    """
    declared, found = module.METRIC, {"word": None, "set": None}
    check_groups(module, len(groups), "groups")
    check_options(module, options)
    if labels is None and all(level.labels for level in declared.levels.values()):
        raise ValueError(f"{module.__name__}: needs labels, one a target")
    for name, level in declared.levels.items():
        if not level.labels or labels is not None:
            found[name] = evaluate_level(module, name, targets, groups, labels, **options)
    return found["word"], found["set"]


def evaluate_level(
    module: ModuleType, level: str, targets: np.ndarray, groups: Sequence[np.ndarray],
    labels: np.ndarray | None = None, **options: object,
) -> np.ndarray | float:  # fmt: skip
    """The value of one level of a metric on arrays, checked; labels that the level does not take are ignored."""
    arguments = [targets, list(groups)]
    if module.METRIC.levels[level].labels:
        check_labels(module, level, len(targets), len(groups), labels)
        arguments.append(np.asarray(labels))
    function = getattr(module, FUNCTIONS[level])
    chosen = {name: given for name, given in options.items() if name in declarations.inspect_options(function)}
    limits = values.bounds(module, level, count_groups(module, groups, labels), labels, options)
    return values.checked(module, level, call(module, FUNCTIONS[level], *arguments, **chosen), len(targets), limits)


def evaluate_by_case(
    module: ModuleType, targets: np.ndarray, labels: np.ndarray, cases: np.ndarray, **options: object
) -> float:
    """The set's value of a test of labels where targets of one case say nothing of each other, checked."""
    check_labels(module, "set", len(targets), 0, labels)
    chosen = {name: given for name, given in options.items() if name in declarations.inspect_options(module.set_bias)}
    limits = values.bounds(module, "set", count_groups(module, [], labels), labels, options)
    found = call(module, "set_bias_by_case", targets, [], labels, cases, **chosen)
    return float(values.checked(module, "set", found, len(targets), limits))


def count_groups(module: ModuleType, groups: Sequence, labels: np.ndarray | None) -> int:
    """The number that a range depends on: of groups, or of labels for tests of labels only."""
    if module.METRIC.groups == (0, 0) and labels is not None:
        return len(np.unique(labels))
    return len(groups)


def check_groups(module: ModuleType, n: int, what: str) -> None:
    """Raise ValueError for so many groups as a metric does not take."""
    least, most = module.METRIC.groups
    if n < least or (most is not None and n > most):
        raise ValueError(f"{module.__name__}: takes {_count(least, most)} {what}, not {n}")


def check_model(module: ModuleType, kind: str) -> None:
    """Raise ValueError, naming the metric to take, for a kind of language model that a metric does not take."""
    declared = module.METRIC
    if kind not in declared.models:
        instead = f"; take {declared.counterpart}" if declared.counterpart else ", and no metric is its counterpart"
        takes = " or ".join(declared.models)
        raise ValueError(f"{module.__name__}: takes a {takes} language model, not a {kind} one{instead}")


def check_labels(module: ModuleType, level: str, n_targets: int, of_groups: int, labels: np.ndarray) -> None:
    """Raise ValueError unless labels are 0 … k − 1, one a target, each used, as many as the level takes."""
    labels = np.asarray(labels)
    if labels.shape != (n_targets,):
        raise ValueError(f"labels: of shape {labels.shape} for {n_targets} targets; one label a target")
    found = np.unique(labels).tolist()
    if found != list(range(len(found))):
        raise ValueError(f"labels: {found[:6]}; they are the numbers from 0, each used")
    least, most = module.METRIC.classes(level, of_groups)
    if len(found) < least or (most is not None and len(found) > most):
        raise ValueError(f"{module.__name__}: takes {_count(least, most)} different labels, not {len(found)}")


def check_options(module: ModuleType, given: dict) -> None:
    """Raise ValueError for an option that a metric does not have, or a value out of its range."""
    known = _options(module)
    for name in given:
        if name not in known:
            raise ValueError(
                f"{module.__name__}: unknown option {name!r}; expected one of: {', '.join(known) or 'none'}"
            )
    declarations.check(f"{module.__name__}: ", given, known)


def _options(module: ModuleType) -> dict[str, declarations.Option]:
    """The options of a metric's functions."""
    of_model = module.METRIC.takes == "language_model"
    names = ["scores"] if of_model else [FUNCTIONS[name] for name in module.METRIC.levels]
    return {name: option for f in names for name, option in declarations.inspect_options(getattr(module, f)).items()}


def _count(least: int, most: int | None) -> str:
    if most is None:
        return f"{least} or more"
    return str(least) if least == most else f"{least} to {most}"
