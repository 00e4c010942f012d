"""The entry to metrics of a classifier's predictions: names of classes, 0 and 1, or probabilities, checked."""

from collections.abc import Iterable
from dataclasses import replace
from itertools import chain
from numbers import Integral
from types import ModuleType

import numpy as np

from biassay.measurement import evaluation, values
from biassay.measurement import metric as metrics
from biassay.measurement.entry import Measurement, result
from biassay.measurement.metric import FUNCTIONS
from biassay.support import arrays, registry
from biassay.support import options as declarations

THRESHOLD = declarations.Option("threshold", 0.5, "float", (0.0, True, 1.0, False))
TOLD = 5  # names in a message


def measure_predictions(
    metric: str, *, predictions: object, ground_truth: object, groups: object, classes: object = None,
    order: object = None,
    threshold: float = 0.5, **options: object,
) -> Measurement:  # fmt: skip
    """Measure a classifier by its predictions of n texts, with a metric that takes them.

    predictions: a class's name a text (n,), or a column a class (n, c) of 0 and 1 or of probabilities, which say yes
    from `threshold` on. truth: names or 0 and 1. Names are texts or whole numbers. groups: a name a text. classes:
    names of the columns; needed where one of predictions and ground_truth has names and the other columns, else in
    alphabetical (or numerical) order, or numbers from 0. order: all groups, the one that a sign speaks of first;
    else as they appear.

    The sample has a value a class; `words` has the names of classes and groups in their order, `positives` the number
    of texts of each class in each group, `undefined` names classes without a value. Options are those of the
    metric. Raises ValueError for a metric that takes something else, shapes that do not fit, values that are no
    names, not 0 or 1, or no probabilities, NaN too, unknown classes, and groups that are one only or more than the
    metric takes.
    """
    THRESHOLD.check(threshold, "threshold")
    module = metrics.load_for("measure_predictions", metric)
    evaluation.check_options(module, options)
    of_texts = _names("groups", _array("groups", groups))
    names = _order(of_texts, order)
    evaluation.check_groups(module, len(names), "groups of texts")
    given = {"predictions": _array("predictions", predictions), "ground_truth": _array("ground_truth", ground_truth)}
    for what, array in given.items():
        if len(array) != len(of_texts):
            raise ValueError(f"{what}: of {len(array)} texts, but groups of {len(of_texts)}")
    columns = _classes(given, classes)
    predicted = _columns("predictions", given["predictions"], columns, threshold)
    true = _columns("ground_truth", given["ground_truth"], columns, None)
    numbers = np.array([names.index(name) for name in of_texts])
    found = {level: _value(module, level, predicted, true, numbers, options) for level in module.METRIC.levels}
    positives = {name: true[numbers == number].sum(axis=0).tolist() for number, name in enumerate(names)}
    report = {"words": {"classes": columns, "groups": names}, "positives": positives}
    return _with_names(result(module, found.get("word"), found.get("set"), len(names), None, options, report))


def _value(
    module: ModuleType, level: str, predicted: np.ndarray, true: np.ndarray, numbers: np.ndarray, options: dict
) -> np.ndarray | float:
    """The value of one level, checked."""
    function = getattr(module, FUNCTIONS[level])
    chosen = {name: value for name, value in options.items() if name in declarations.inspect_options(function)}
    limits = values.bounds(module, level, int(numbers.max()) + 1, None, options)
    found = metrics.call(module, FUNCTIONS[level], predicted, true, numbers, **chosen)
    return values.checked(module, level, found, true.shape[1], limits)


def _array(what: str, given: object) -> np.ndarray:
    """One or two dimensions of what is given, with something in it; a list's values keep their types."""
    arrays.check_unmasked(what, given)
    try:
        array = np.asarray(given) if hasattr(given, "__array__") else np.array(given, dtype=object)
    except ValueError:  # rows of unequal shapes
        array = np.array(None)
    if array.ndim not in (1, 2) or not array.size:
        shown = f"of shape {array.shape}" if array.ndim else f"{' '.join(repr(given).split()):.80}"
        raise ValueError(f"{what}: {shown}; neither a list nor a table with values in it")
    return array


def _names(what: str, array: np.ndarray) -> list[str]:
    """Texts or whole numbers, as texts."""
    if array.ndim != 1:
        raise ValueError(f"{what}: of shape {array.shape}; a list of names")
    found = array.tolist()
    for place, name in enumerate(found):
        whole = isinstance(name, Integral) and not isinstance(name, bool)
        if not whole and not (isinstance(name, str) and name.strip()):
            raise ValueError(f"{what}: {name!r:.40} at place {place} is no name; names are texts or whole numbers")
    return [str(name) for name in found]


def _order(of_texts: list[str], order: object) -> list[str]:
    """The groups' names in their order."""
    found = list(dict.fromkeys(of_texts))
    if order is None:
        return found
    asked = _names("order", _array("order", order))
    if sorted(asked) != sorted(found):
        raise ValueError(f"order: {_some(asked)}; name each group of the texts once: {_some(found)}")
    return asked


def _classes(given: dict[str, np.ndarray], classes: object) -> list[str]:
    """The classes' names in the order of the columns."""
    named = {what: _names(what, array) for what, array in given.items() if array.ndim == 1}
    wide = {what: array.shape[1] for what, array in given.items() if array.ndim == 2}
    if classes is not None:
        columns = _names("classes", _array("classes", classes))
    elif named and wide:
        raise ValueError(f"classes: needed, for {next(iter(wide))} has columns and {next(iter(named))} has names")
    else:
        columns = [str(number) for number in range(wide["ground_truth"])] if wide else _sorted(chain(*named.values()))
        if not wide and not set(named["predictions"]) & set(named["ground_truth"]):
            found, right = (_some(_sorted(names)) for names in named.values())
            raise ValueError(f"predictions: {found}; none is a class of truth, {right}; if so, name all under classes")
    if len(set(columns)) < len(columns):
        raise ValueError(f"classes: {_some(columns)}; each is named once")
    for what, width in wide.items():
        if width != len(columns):
            raise ValueError(f"{what}: of {width} columns, but there are {len(columns)} classes")
    for what, names in named.items():
        if unknown := sorted(set(names) - set(columns)):
            raise ValueError(registry.describe_unknown(f"{what}: unknown class", unknown[0], columns))
    return columns


def _columns(what: str, array: np.ndarray, columns: list[str], threshold: float | None) -> np.ndarray:
    """A column a class, (n, c) of 0 and 1; with a threshold, probabilities are taken too."""
    if array.ndim == 1:
        place = {name: number for number, name in enumerate(columns)}
        return np.eye(len(columns), dtype=np.int64)[[place[name] for name in _names(what, array)]]
    kinds = "0 and 1" if threshold is None else "0 and 1, or probabilities"
    array = np.asarray(array.tolist()) if array.dtype == object else array
    if array.dtype.kind not in "biuf":
        raise ValueError(f"{what}: an array of {array.dtype}; columns are of {kinds}")
    wrong = ~((array == 0) | (array == 1)) if threshold is None else ~((array >= 0) & (array <= 1))
    if wrong.any():
        row, column = np.argwhere(wrong)[0]
        raise ValueError(f"{what}: {array[row, column]:g} at row {row} of {columns[column]!r}; columns are of {kinds}")
    return (array >= (threshold or 1)).astype(np.int64)


def _with_names(found: Measurement) -> Measurement:
    """With the classes without a value named."""
    if "word" not in found.undefined:
        return found
    lost = [name for name, value in zip(found.words["classes"], found.word, strict=True) if np.isnan(value)]
    return replace(found, undefined=found.undefined | {"word": f"{found.undefined['word']}: {_some(lost)}"})


def _sorted(names: Iterable[str]) -> list[str]:
    """Different names, whole numbers by size."""
    found = sorted(set(names))
    try:
        return sorted(found, key=int)
    except ValueError:
        return found


def _some(names: list[str]) -> str:
    return ", ".join(names[:TOLD]) + (f", … ({len(names)} in all)" if len(names) > TOLD else "")
