"""Declarations of metrics, and how to load and call them."""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from numbers import Real
from types import ModuleType, NoneType
from typing import NamedTuple

import numpy as np

from biassay.core import registry
from biassay.statistics.growth import Growth

TAKES = {  # with their description
    "vectors": "vectors",
    "associations": "explicit values",
    "language_model": "a language model",
    "predictions": "predictions",
}
ENTRIES = {"language_model": "measure_language_model", "predictions": "measure_predictions"}  # else `measure`
CHOICES = {
    "takes": TAKES,
    "models": ("masked", "causal"),
    "aggregate": (None, "mean", "mean of absolute values"),
    "scored": ("groups", "targets"),
}
CITED = re.compile(r"[a-z]+\d{4}[a-z]?")
FUNCTIONS = {"word": "word_bias", "set": "set_bias"}

Bound = float | None | Callable[[int], float | None]


class Range(NamedTuple):
    """Bounds of a bias value, its value without bias (None if there is none), and whether its sign names a group."""

    b_min: float | None
    b_max: float | None
    b_0: float | None
    signed: bool

    @property
    def width(self) -> float:
        """The distance between the bounds; NaN if there are not both."""
        return np.nan if self.b_min is None or self.b_max is None else float(self.b_max - self.b_min)


@dataclass(frozen=True)
class Level:
    """Declaration of one level of a metric: "word" (one value per target) or "set" (one value for all targets).

    A sentence or a class can take the place of a word.

    Parameters
    ----------
    b_min, b_max : float, None or function of the number of groups
        Bounds of the value; None if unbounded.
    b_0 : float, None or function of the number of groups
        Value without bias; None if no value means that there is no bias.
    signed : bool or function of the number of groups
        Whether swapping the two groups changes the sign of the value.
    labels : bool
        Whether the level needs one label per target.
    n_labels : tuple of (int, int or None)
        Minimum and maximum number of different labels (None: any number); () for as many labels as groups.
    undefined : str
        When a value is NaN.

    Examples
    --------
    >>> from biassay import Level
    >>> Level(-2.0, 2.0, signed=True, undefined="a vector is zero").b_0
    0.0
    """

    b_min: Bound
    b_max: Bound
    b_0: Bound = 0.0
    signed: bool | Callable[[int], bool] = False
    labels: bool = False
    n_labels: tuple = (2, 2)
    undefined: str = ""

    def __post_init__(self):
        bounds = [bound for bound in (self.b_min, self.b_max) if bound is not None and not callable(bound)]
        if not all(isinstance(bound, Real) for bound in bounds):
            raise ValueError(f"b_min, b_max: expected a number, None or a function, got {bounds}")
        if not (self.b_0 is None or callable(self.b_0) or isinstance(self.b_0, Real)):
            raise ValueError(f"b_0: expected a number, None or a function, got {self.b_0!r:.80}")
        if not isinstance(self.labels, bool) or not (callable(self.signed) or isinstance(self.signed, bool)):
            raise ValueError(f"labels, signed: expected True or False, got {self.labels!r:.80} and {self.signed!r:.80}")
        if len(bounds) == 2 and not bounds[0] < bounds[1]:
            raise ValueError(f"b_min, b_max: expected b_min < b_max, got {self.b_min!r} and {self.b_max!r}")


@dataclass(frozen=True)
class Metric:
    """Declaration of a metric, the constant METRIC of its file.

    The file also has the functions of the declared levels, `word_bias(targets, groups[, labels], *, options)` and
    `set_bias(…)`. For a metric of language models, `scores(model, *sentences, *, options)` returns (n, n_groups) scores
    for n sentences of each group, and the functions of the levels take these scores. For a metric of predictions, they
    take (predictions, ground_truth, groups, *, options): two (n, c) arrays of 0 and 1 for n texts and c classes, and
    (n,) numbers of groups from 0; the word level has one value per class.

    Parameters
    ----------
    summary : str
        What the metric measures, in one line.
    source : str
        Paper and equation.
    takes : {"vectors", "associations", "language_model", "predictions"}
        "vectors" of targets (n, d) and groups (m_i, d); "associations", the norms ‖e_w‖ (n,) and explicit values
        e_{w:c} (n, m_i); a language model and groups of aligned sentences; or predictions of a classifier.
    models : tuple of {"masked", "causal"}
        Kinds of language models that the metric takes.
    counterpart : str
        Metric for the other kind of language model, if there is one.
    groups : tuple of (int, int or None)
        Minimum and maximum number of groups (None: any number); (0, 0) for label-based metrics.
    word, set : Level
        The levels of the metric, at least one.
    scale_invariant : bool
        Whether every vector can be multiplied by a positive number without effect.
    towards_second : bool
        Whether a positive value of a level with a sign points to the second of two groups, and not to the first.
    paired : bool
        Whether the i-th words of the groups belong together.
    aggregate : {"mean", "mean of absolute values"}, optional
        How the set-level value follows from the word-level values.
    scored : {"targets", "groups"}
        Which of the two the metric scores in its published form. WEAT scores groups.
    learns : bool
        Whether the metric fits a classifier to the targets. An audit then takes the mean of the sentences of a word,
        because more rows would weaken the regularisation.
    exempt : str
        Why the properties of same-2021, defined for associations s(w, A) with groups, do not apply; "" if they do.
    cite : tuple of str
        Papers, as keys of author and year in resources/references.bib. Optional in your own metrics.
    avoid : str
        When not to use the metric, with evidence. Optional in your own metrics.

    Notes
    -----
    A file can have further functions:

    - `adjust_range(declared, level, labels, options)` returns the Range if it depends on labels or options; labels
      is None where they are unknown.
    - `set_bias_growing_targets(targets, groups[, labels], growth, *, options)` and `set_bias_growing_groups(…)` compute
      the (n_shuffles, steps) values of `set_bias` for growing lists (`statistics.growth`) faster. An audit resamples
      with `set_bias_growing_groups` if it takes `growth.drawn` into account.
    - `signed_word_bias(targets, groups, *, options)` returns scores of words with a sign, positive towards the first of
      two groups, if those of `word_bias` have none.
    - `set_bias_by_labels(targets, groups, labels, *, options)` of a metric with labels takes labels (m, n) and returns
      the value for each row, (m,).
    - `set_bias_by_pairing(targets, groups, *, options)` of a paired metric returns the value for each of `n_pairings`
      random pairings, over which the other functions average if this option is set.
    - `set_bias_by_case(targets, groups, labels, cases, *, options)` of a label-based metric treats the targets of a
      case (n,), such as sentences of one word, as one unit.

    Examples
    --------
    >>> from biassay import Level, Metric
    >>> metric = Metric(summary="mean of s(w, A) − s(w, B)", source="mine", set=Level(-2.0, 2.0, signed=True))
    >>> metric.range("set", n_groups=2)
    Range(b_min=-2.0, b_max=2.0, b_0=0.0, signed=True)
    """

    summary: str
    source: str
    takes: str = "vectors"
    models: tuple[str, ...] = ("masked",)
    counterpart: str = ""
    groups: tuple[int, int | None] = (2, 2)
    word: Level | None = None
    set: Level | None = None
    scale_invariant: bool = True
    towards_second: bool = False
    paired: bool = False
    aggregate: str | None = None
    scored: str = "targets"
    learns: bool = False
    exempt: str = ""
    cite: tuple[str, ...] = ()
    avoid: str = ""

    def __post_init__(self):
        for key in self.cite:
            if not CITED.fullmatch(key):
                raise ValueError(f"METRIC.cite: expected author and year, such as 'caliskan2017', got {key!r:.80}")
        for name, choices in CHOICES.items():
            values = self.models if name == "models" else [getattr(self, name)]
            registry.check_names(f"METRIC.{name}", values, choices, "value")
        if not isinstance(self.groups, tuple) or tuple(map(type, self.groups)) not in ((int, int), (int, NoneType)):
            raise ValueError(f"METRIC.groups: expected a pair such as (2, 2) or (1, None), got {self.groups!r:.80}")
        if not self.levels:
            raise ValueError("METRIC: declare at least one of the levels word and set")
        for name, level in self.levels.items():
            if not isinstance(level, Level):
                raise ValueError(f"METRIC.{name}: expected a Level, got {level!r:.80}")

    @property
    def levels(self) -> dict[str, Level]:
        """Levels of the metric by name."""
        return {name: level for name, level in (("word", self.word), ("set", self.set)) if level is not None}

    def range(self, level: str, n_groups: int) -> Range:
        """Return the range of a level for a number of groups, or of labels for label-based metrics."""
        registry.check_names("METRIC", [level], self.levels, "level")
        declared = self.levels[level]
        values = (declared.b_min, declared.b_max, declared.b_0, declared.signed)
        return Range(*(value(n_groups) if callable(value) else value for value in values))

    def towards_first(self, values: np.ndarray) -> np.ndarray:
        """Return values with a sign such that positive ones point to the first group."""
        return -values if self.towards_second else values

    def n_labels(self, level: str, n_groups: int) -> tuple[int, int | None]:
        """Return the minimum and maximum number of different labels of a level for a number of groups."""
        return self.levels[level].n_labels or (n_groups, n_groups)


def load_for(entry: str, name: str) -> ModuleType:
    """Load a metric for an entry point, such as `measure`; raise ValueError if the metric needs another one."""
    module = load(name)
    takes = module.METRIC.takes
    if (needed := ENTRIES.get(takes, "measure")) != entry:
        raise ValueError(f"{name}: takes {TAKES[takes]}; call {needed}")
    return module


def load(name: str) -> ModuleType:
    """Import a metric by name, or a user's own by path; raise ValueError if a part of it is missing."""
    module = registry.load("metrics", name)
    if not isinstance(getattr(module, "METRIC", None), Metric):
        raise ValueError(f"{module.__file__}: expected a constant METRIC of type biassay.Metric")
    needed = {FUNCTIONS[level]: f"level {level}" for level in module.METRIC.levels}
    if module.METRIC.takes == "language_model":
        needed["scores"] = "input language_model"
    for function, reason in needed.items():
        if not registry.has_function(module, function):
            raise ValueError(f"{module.__file__}: METRIC declares the {reason}, but there is no function {function}")
    return module


def call(module: ModuleType, function: str, /, *arguments: object, **options: object) -> object:
    """Call a function of a metric with read-only views of the arrays, which other metrics use as well.

    Any exception in a user's own metric becomes a ValueError that names file and line.
    """
    path = None if module.__name__.startswith("biassay.") else getattr(module, "__file__", None)
    with registry.plugin_errors(path):
        return getattr(module, function)(*map(_read_only, arguments), **options)


def _read_only(argument: object) -> object:
    """Return a read-only view of an array, or a list or Growth of such views."""
    if isinstance(argument, np.ndarray):
        view = argument.view()
        view.setflags(write=False)
        return view
    if isinstance(argument, list):
        return [_read_only(part) for part in argument]
    if isinstance(argument, Growth):
        parts = {name: _read_only(getattr(argument, name)) for name in ("shuffles", "sizes", "drawn")}
        return replace(argument, **parts)
    return argument
