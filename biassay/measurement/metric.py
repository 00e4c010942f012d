"""What a metric declares about itself, and how it is called."""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from numbers import Real
from types import ModuleType
from typing import NamedTuple

import numpy as np

from biassay.numerics.growth import Growth
from biassay.support import registry

TAKES = {  # and in words
    "vectors": "vectors",
    "associations": "explicit values",
    "language_model": "a language model",
    "predictions": "predictions",
}
ENTRIES = {"language_model": "measure_language_model", "predictions": "measure_predictions"}  # else `measure`
MODELS = ("masked", "causal")
AGGREGATES = ("mean", "mean of absolute values")
SIDES = ("groups", "targets")
CITED = re.compile(r"[a-z]+\d{4}[a-z]?")
FUNCTIONS = {"word": "word_bias", "set": "set_bias"}

Bound = float | None | Callable[[int], float | None]


class Range(NamedTuple):
    """Bounds of a bias value, its value without bias, and whether its sign names a group; None: there is no such."""

    b_min: float | None
    b_max: float | None
    b_0: float | None
    signed: bool


@dataclass(frozen=True)
class Level:
    """One level of a metric: "sample", a value a target, or "set", a value a set of targets.

    b_min, b_max: bounds of the value (None: unbounded). b_0: its value without bias (None: no value says so). Each may
    be a function of the number of groups. signed: whether the two groups exchanged turn the sign (a function too).
    labels: whether the level needs a label a target. classes: least and greatest number of different labels (None: any;
    () in place of the pair: as many as groups). undefined: when a value is NaN, in words.
    """

    b_min: Bound
    b_max: Bound
    b_0: Bound = 0.0
    signed: bool | Callable[[int], bool] = False
    labels: bool = False
    classes: tuple = (2, 2)
    undefined: str = ""

    def __post_init__(self):
        bounds = (self.b_min, self.b_max)
        for bound in bounds:
            if not (bound is None or callable(bound) or isinstance(bound, Real)):
                raise ValueError(f"b_min, b_max: {bound!r} is neither a number nor None nor a function")
        if all(isinstance(bound, Real) for bound in bounds) and not self.b_min < self.b_max:
            raise ValueError(f"b_min, b_max: {self.b_min!r} is not less than {self.b_max!r}")


@dataclass(frozen=True)
class Metric:
    """Declaration of a metric, the constant METRIC of its file.

    summary: what it measures, in a line. source: paper and equation. takes: "vectors" of targets (n, d) and attribute
    words (m_i, d), "associations", lengths ‖e_w‖ (n,) and explicit values e_{w:c} (n, m_i), "language_model", a model
    and groups of aligned sentences, or "predictions" of a classifier. models: kinds of language models that it takes,
    of MODELS; counterpart: the metric to take for the other kind, if there is one. groups: least and greatest number of
    attribute sets, or of such groups (None: any); (0, 0) for tests of labels only. sample, set: its levels; the file
    has `word_bias(targets, groups[, labels], *, options)` and `set_bias(…)` accordingly; of a language model it
    has `scores(model, *sentences, *, options)`, (n, k) for n sentences of each of k groups, and both levels' functions
    take these scores. Of predictions both take (predictions, truth, groups, *, options): (n, c) of 0 and 1 twice, n
    texts and c classes, and (n,) numbers of groups from 0, each used; "sample" is a value a class. scale_invariant:
    whether any one vector may be multiplied by a positive number. paired: whether the i-th words of the groups belong
    together. aggregate: how the set's value follows from the samples', if it does: one of AGGREGATES. scored:
    where social groups stand in a question about groups and targets, "groups" or, as in WEAT, "targets". exempt:
    why the properties of same-2021, which speak of associations s(w, A) with groups, do not apply; "" if they
    do. cite: keys of its papers, author and year, as in resources/references.bib. avoid: when not to use it, and what
    shows that; a metric of your own may leave both out.

    Where a level's range hangs on the labels or on an option, the file has `adjust_range(declared, level, labels,
    options)`, which gives the Range. It may have fast paths for lists that grow (`numerics.growth`),
    `set_bias_growing_targets(targets, groups[, labels], growth, *, options)` and `set_bias_growing_groups(…)`: the set's values
    (n, steps) as `set_bias` has them; a test of labels, `set_bias_by_labels(targets, groups, labels, *, options)`,
    with labels (k, n): the set's value of each labelling (k,). A metric that is paired may have an option `pairings`, a
    number of random pairings of which its values are the means, and `set_bias_by_pairing(targets, groups, *, options)`: the
    set's value of each. A test of labels may have `set_bias_by_case(targets, groups, labels, cases, *, options)`:
    the set's value where targets of one case (n,), as sentences of one word, say nothing of each other.
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
    paired: bool = False
    aggregate: str | None = None
    scored: str = "targets"
    exempt: str = ""
    cite: tuple[str, ...] = ()
    avoid: str = ""

    def __post_init__(self):
        for key in self.cite:
            if not CITED.fullmatch(key):
                raise ValueError(f"METRIC.cite: {key!r:.80} is no key of author and year, such as 'caliskan2017'")
        if self.takes not in TAKES:
            raise ValueError(registry.describe_unknown("METRIC.takes: unknown value", self.takes, list(TAKES)))
        for kind in self.models:
            if kind not in MODELS:
                raise ValueError(registry.describe_unknown("METRIC.models: unknown value", kind, list(MODELS)))
        if self.aggregate not in (None, *AGGREGATES):
            raise ValueError(
                registry.describe_unknown("METRIC.aggregate: unknown value", self.aggregate, list(AGGREGATES))
            )
        if self.scored not in SIDES:
            raise ValueError(registry.describe_unknown("METRIC.scored: unknown value", self.scored, list(SIDES)))
        if not self.levels:
            raise ValueError("METRIC: a metric declares at least one of the levels sample and set")

    @property
    def levels(self) -> dict[str, Level]:
        """The levels that the metric has, by name."""
        return {name: level for name, level in (("word", self.word), ("set", self.set)) if level is not None}

    def range(self, level: str, n_groups: int) -> Range:
        """The range of a level for a number of groups; of labels, where the metric takes no groups."""
        if level not in self.levels:
            raise ValueError(registry.describe_unknown("the metric lacks the level", level, list(self.levels)))
        declared = self.levels[level]
        values = (declared.b_min, declared.b_max, declared.b_0, declared.signed)
        return Range(*(value(n_groups) if callable(value) else value for value in values))

    def classes(self, level: str, n_groups: int) -> tuple[int, int | None]:
        """Least and greatest number of different labels that a level takes for a number of groups."""
        return self.levels[level].classes or (n_groups, n_groups)


def load_for(entry: str, name: str) -> ModuleType:
    """`load` for an entry, `measure` or its like; raises ValueError for a metric that takes what another one gives."""
    module = load(name)
    takes = module.METRIC.takes
    if (right := ENTRIES.get(takes, "measure")) != entry:
        raise ValueError(f"{name}: takes {TAKES[takes]}; call {right}")
    return module


def load(name: str) -> ModuleType:
    """Import a metric by name, or a user's own by its path; raises ValueError if a part of it is missing."""
    module = registry.load("metrics", name)
    if not isinstance(getattr(module, "METRIC", None), Metric):
        raise ValueError(f"{module.__file__}: lacks METRIC, made by biassay.Metric")
    if module.METRIC.takes == "language_model" and not hasattr(module, "scores"):
        raise ValueError(f"{module.__file__}: takes a language model, but lacks scores(…)")
    for level in module.METRIC.levels:
        if not hasattr(module, FUNCTIONS[level]):
            raise ValueError(f"{module.__file__}: declares the level {level}, but lacks {FUNCTIONS[level]}(…)")
    return module


def call(module: ModuleType, function: str, /, *arguments: object, **options: object) -> object:
    """What a function of a metric returns. It gets arrays as read-only views: others are computed from them as well.

    Raises ValueError, naming file and line, for whatever a user's own metric raises.
    """
    views, path = map(_read_only, arguments), getattr(module, "__file__", None)
    if path is None or module.__name__.startswith("biassay."):
        return getattr(module, function)(*views, **options)
    with registry.plugin_errors(path):
        return getattr(module, function)(*views, **options)


def _read_only(argument: object) -> object:
    """An array as a view that cannot be written to; a list, or a Growth, with such views in it."""
    if isinstance(argument, np.ndarray):
        view = argument.view()
        view.setflags(write=False)
        return view
    if isinstance(argument, list):
        return [_read_only(part) for part in argument]
    if isinstance(argument, Growth):
        return replace(argument, shuffles=_read_only(argument.shuffles), sizes=_read_only(argument.sizes))
    return argument
