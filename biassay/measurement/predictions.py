"""Entry point to metrics of a classifier's predictions: names of classes, 0 and 1, or probabilities."""

from collections.abc import Iterable
from dataclasses import replace
from itertools import chain
from numbers import Integral

import numpy as np
import pandas as pd

from biassay.core import arrays, registry
from biassay.core import options as declarations
from biassay.measurement import evaluation
from biassay.measurement import metric as metrics
from biassay.measurement.entry import Measurement, measure_levels
from biassay.measurement.summary import format_items

PANDAS = pd.Series, pd.DataFrame
THRESHOLD = declarations.Option("threshold", 0.5, "float", (0.0, True, 1.0, False))


def measure_predictions(
    metric: str,
    *,
    predictions: object,
    ground_truth: object,
    groups: object,
    classes: object = None,
    order: object = None,
    threshold: float = 0.5,
    **options: object,
) -> Measurement:
    """Measure bias of a classifier from its predictions for n texts.

    Parameters
    ----------
    metric : str
        Name of a metric of predictions, or path of a file with your own.
    predictions : sequence of shape (n,), or table of shape (n, c)
        The name of a class for each text; or a column for each class, of 0 and 1 or of probabilities. Names are texts
        or integers.
    ground_truth : sequence of shape (n,), or table of shape (n, c)
        Names, or 0 and 1.
    groups : sequence of shape (n,)
        The group of each text.
    classes : sequence of str, optional
        Names of the columns, by default those of a data frame. Required if one of predictions and ground_truth has
        names of classes and the other an array of columns.
    order : sequence of str, optional
        All groups, the first group of a signed value first. By default, in order of appearance.
    threshold : float
        Minimum probability of a positive prediction.
    **options
        Options of the metric.

    Returns
    -------
    Measurement
        `word` has one value per class, `words` the names of classes and groups in their order, `n_positives` the number
        of texts of each class in each group; `undefined` names classes without a value.

    Raises
    ------
    ValueError
        If the metric takes other inputs, shapes do not match, or a value is not a name, 0 or 1, or a probability.

    Examples
    --------
    >>> from biassay import measure_predictions
    >>> result = measure_predictions(
    ...     "tpr_gap",
    ...     predictions=["nurse", "pilot", "nurse", "pilot"],
    ...     ground_truth=["nurse", "nurse", "nurse", "pilot"],
    ...     groups=["female", "female", "male", "male"],
    ... )
    >>> result.word
    array([-0.5,  nan])
    """
    THRESHOLD.check(threshold, "threshold")
    module = metrics.load_for("measure_predictions", metric)
    evaluation.check_options(module, options)
    text_groups = _read_names("groups", _read_array("groups", groups))
    names = _order_groups(text_groups, order)
    evaluation.check_groups(module, len(names), "groups of texts")
    given = {"predictions": predictions, "ground_truth": ground_truth}
    tables = {name: _read_array(name, values) for name, values in given.items()}
    for name, array in tables.items():
        if len(array) != len(text_groups):
            raise ValueError(f"{name}: expected {len(text_groups)} texts, as in groups, got {len(array)}")
    indexes = {name: each.index for name, each in (given | {"groups": groups}).items() if isinstance(each, PANDAS)}
    for name, index in indexes.items():
        if not index.equals(next(iter(indexes.values()))):
            raise ValueError(
                f"{name}: expected the index of {next(iter(indexes))}; reset_index(drop=True) if rows match"
            )
    columns = _name_columns(tables, _match_columns(given, classes))
    predicted = _read_columns("predictions", tables["predictions"], columns, threshold)
    true = _read_columns("ground_truth", tables["ground_truth"], columns, None)
    numbers = np.array([names.index(name) for name in text_groups])
    n_positives = {name: true[numbers == number].sum(axis=0).tolist() for number, name in enumerate(names)}
    report = {"words": {"classes": columns, "groups": names}, "n_positives": n_positives}
    measured = measure_levels(module, [predicted, true, numbers], len(columns), len(names), options, report)
    if "word" not in measured.undefined:
        return measured
    undefined = [column for column, value in zip(columns, measured.word, strict=True) if np.isnan(value)]
    reason = f"{measured.undefined['word']}: {format_items(undefined)}"
    return replace(measured, undefined=measured.undefined | {"word": reason})


def _read_array(argument: str, values: object) -> np.ndarray:
    """Read an argument as an array of one or two dimensions that is not empty; values of lists keep their types."""
    arrays.check_unmasked(argument, values)
    try:
        array = np.asarray(values) if hasattr(values, "__array__") else np.array(values, dtype=object)
    except ValueError:  # rows of unequal shapes
        array = np.array(None)
    if array.ndim not in (1, 2) or not array.size:
        shown = f"shape {array.shape}" if array.ndim else f"{' '.join(repr(values).split()):.80}"
        raise ValueError(f"{argument}: expected a list or a table that is not empty, got {shown}")
    return array


def _read_names(argument: str, array: np.ndarray) -> list[str]:
    """Read texts or integers as texts."""
    if array.ndim != 1:
        raise ValueError(f"{argument}: expected a list of names, got shape {array.shape}")
    names = array.tolist()
    for place, name in enumerate(names):
        is_integer = isinstance(name, Integral) and not isinstance(name, bool)
        if not is_integer and not (isinstance(name, str) and name and name == name.strip()):
            raise ValueError(
                f"{argument}: expected a name (integer, or text without outer spaces) at position {place}, "
                f"got {name!r:.40}"
            )
    return [str(name) for name in names]


def _order_groups(text_groups: list[str], order: object) -> list[str]:
    """Return the names of the groups in their order."""
    names = list(dict.fromkeys(text_groups))
    if order is None:
        return names
    ordered = _read_names("order", _read_array("order", order))
    if sorted(ordered) != sorted(names):
        raise ValueError(f"order: expected each group once, {format_items(names)}; got {format_items(ordered)}")
    return ordered


def _match_columns(given: dict[str, object], classes: object) -> object:
    """Return the classes, by default a data frame's columns; raise ValueError for other columns or another order."""
    numbered = [list(table.columns) for table in given.values() if hasattr(table, "columns")]
    if len(numbered) == 2 and numbered[0] != numbered[1] and not any(isinstance(one, str) for one in chain(*numbered)):
        shown = " and ".join(format_items(columns) for columns in numbered)
        raise ValueError(f"predictions, ground_truth: expected equal columns in one order, got {shown}")
    for argument, table in given.items():
        names = list(getattr(table, "columns", []))
        has_text = bool(names) and all(isinstance(name, str) for name in names)
        if not has_text and (classes is not None or names == list(range(len(names)))):  # columns have no names
            continue
        classes = names if classes is None else list(classes)
        if names != classes:
            raise ValueError(
                f"{argument}: expected the columns {format_items(classes)}, in this order, got {format_items(names)}"
            )
    return classes


def _name_columns(tables: dict[str, np.ndarray], classes: object) -> list[str]:
    """Return the names of the classes in the order of the columns."""
    named = {argument: _read_names(argument, array) for argument, array in tables.items() if array.ndim == 1}
    widths = {argument: array.shape[1] for argument, array in tables.items() if array.ndim == 2}
    if classes is not None:
        columns = _read_names("classes", _read_array("classes", classes))
    elif named and widths:
        raise ValueError(
            f"classes: expected the names of the columns, because {next(iter(widths))} has columns and "
            f"{next(iter(named))} has names"
        )
    else:
        columns = [str(n) for n in range(widths["ground_truth"])] if widths else _sort_names(chain(*named.values()))
        if not widths and not set(named["predictions"]) & set(named["ground_truth"]):
            predicted, true = (format_items(_sort_names(names)) for names in named.values())
            raise ValueError(
                f"predictions: expected classes of ground_truth ({true}), got {predicted}; if this is correct, name "
                "all classes under classes"
            )
    if len(set(columns)) < len(columns):
        raise ValueError(f"classes: expected each name once, got {format_items(columns)}")
    for argument, width in widths.items():
        if width != len(columns):
            raise ValueError(f"{argument}: expected {len(columns)} columns, one per class, got {width}")
    for argument, names in named.items():
        if unknown := sorted(set(names) - set(columns)):
            raise ValueError(registry.describe_unknown(f"{argument}: unknown class", unknown[0], columns))
    return columns


def _read_columns(argument: str, array: np.ndarray, columns: list[str], threshold: float | None) -> np.ndarray:
    """Convert names, 0 and 1, or (with a threshold) probabilities to (n, c) of 0 and 1."""
    if array.ndim == 1:
        place = {name: number for number, name in enumerate(columns)}
        return np.eye(len(columns), dtype=np.int64)[[place[name] for name in _read_names(argument, array)]]
    expected = "0 or 1" if threshold is None else "0 or 1, or probabilities"
    array = np.asarray(array.tolist()) if array.dtype == object else array
    if array.dtype.kind not in "biuf":
        raise ValueError(f"{argument}: expected {expected}, got an array of {array.dtype}")
    wrong = ~((array == 0) | (array == 1)) if threshold is None else ~((array >= 0) & (array <= 1))
    if wrong.any():
        row, column = np.argwhere(wrong)[0]
        raise ValueError(
            f"{argument}: expected {expected} in row {row} of {columns[column]!r}, got {array[row, column]:g}"
        )
    return (array >= (threshold or 1)).astype(np.int64)


def _sort_names(names: Iterable[str]) -> list[str]:
    """Sort distinct names; integers by value."""
    distinct = sorted(set(names))
    try:
        return sorted(distinct, key=int)
    except ValueError:
        return distinct
