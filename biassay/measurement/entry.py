"""The entries to every metric: `measure`, on arrays or words with any source of vectors, and its twin for models."""

import inspect
from collections.abc import Sequence
from dataclasses import dataclass, field
from types import ModuleType

import numpy as np

from biassay.measurement import metric as metrics
from biassay.measurement import query as queries
from biassay.measurement.metric import FUNCTIONS, Range


@dataclass(frozen=True)
class Measurement:
    """What a metric says of targets.

    sample: (n,), a value a target that was used, or None if the metric has no such level. set: one value of all
    targets, or None. ranges: bounds, value without bias and sign of each level. By list, empty for arrays: words used;
    missing, without a vector; unpaired, left out since a partner in another group is missing; duplicates, attribute
    words listed more than once, which count as often. overlap: targets that are attributes too.
    """

    metric: str
    sample: np.ndarray | None
    set: float | None
    ranges: dict[str, Range]
    words: dict[str, list[str]] = field(default_factory=dict)
    missing: dict[str, list[str]] = field(default_factory=dict)
    unpaired: dict[str, list[str]] = field(default_factory=dict)
    duplicates: dict[str, list[str]] = field(default_factory=dict)
    overlap: list[str] = field(default_factory=list)


def measure(
    metric: str, *, targets: object, attributes: object = (), labels: object = None, vectors: object = None,
    min_share: float = 0.5, **options: object,
) -> Measurement:  # fmt: skip
    """Measure with a metric by name, or one of your own by the path of its file.

    With `vectors` (an Embedding, a mapping, gensim KeyedVectors, the path of a store or vector file, (words, array), or
    an encoder of texts), targets are words and attributes a mapping group → words; without, targets (n, d)
    and attributes (m_i, d) are arrays. Targets may be a mapping too, such as {"X": …, "Y": …}: its lists are labelled
    0, 1, …, in the attributes' order if they have the same names; else labels are given by target or by word. Levels
    that need labels are left out (None) if there are none, and metrics without labels ignore them.

    Words without a vector, or with a zero one, are dropped and reported; ValueError if less than `min_share` of a list
    is left, or nothing. ValueError, too, for vectors that are not finite, zero rows in arrays, a target listed twice.
    Options are those of the metric's functions. An undefined value is NaN, never b_0.
    """
    module = metrics.load(metric)
    if module.METRIC.takes == "language_model":
        raise ValueError(f"{metric}: takes a language model; call measure_language_model")
    if vectors is None:
        query = queries.from_arrays(targets, attributes, labels)
    else:
        query = queries.from_words(module.METRIC, targets, attributes, labels, vectors, min_share)
    sample, of_set = evaluate(module, query.targets, query.attributes, query.labels, **options)
    n = groups(module, query.attributes, query.labels)
    ranges = {level: module.METRIC.range(level, n) for level in module.METRIC.levels}
    return Measurement(module.__name__.split(".")[-1], sample, of_set, ranges, **query.report)


def measure_language_model(
    metric: str, *, model: object, more: Sequence[str], less: Sequence[str], **options: object
) -> Measurement:
    """Measure a masked language model, with a metric that takes one, on pairs of sentences.

    model: a folder, a hub id or a `language_models.LanguageModel`. The i-th sentences of `more` (the stereotypical one,
    or the first group's) and `less` are a pair; sample has a value a pair, positive where `more` is the likelier.
    Options are those of the metric's `scores`. Raises ValueError for a metric of vectors, or for lists that are empty
    or of unequal length.
    """
    from biassay.language_models import loading

    module = metrics.load(metric)
    if module.METRIC.takes != "language_model":
        raise ValueError(f"{metric}: takes {module.METRIC.takes}, not a language model; call measure")
    pairs = {"more": more, "less": less}
    for name, sentences in pairs.items():
        if isinstance(sentences, str) or not all(isinstance(text, str) and text.strip() for text in sentences):
            raise ValueError(f"{name}: {sentences!r:.80} is no list of sentences")
    if not len(more) or len(more) != len(less):
        raise ValueError(f"more, less: {len(more)} and {len(less)} sentences; give pairs, one or more")
    _check_options(module, options)
    if not isinstance(model, loading.LanguageModel):
        model = loading.load(model)
    scores = module.scores(model, list(more), list(less), **options)
    levels = module.METRIC.levels
    values = {name: getattr(module, FUNCTIONS[name])(scores) for name in levels}
    ranges = {name: module.METRIC.range(name, len(pairs)) for name in levels}
    return Measurement(module.__name__.split(".")[-1], values.get("sample"), values.get("set"), ranges)


def evaluate(
    module: ModuleType, targets: np.ndarray, attributes: Sequence[np.ndarray], labels: np.ndarray | None = None,
    **options: object,
) -> tuple[np.ndarray | None, float | None]:  # fmt: skip
    """Sample and set values of a metric on arrays; None for a level that it lacks or that lacks its labels.

    Raises ValueError for an unknown option, or for groups or labels that the metric does not take.
    """
    declared, values = module.METRIC, {"sample": None, "set": None}
    least, most = declared.groups
    if len(attributes) < least or (most is not None and len(attributes) > most):
        raise ValueError(f"{module.__name__}: takes {_count(least, most)} attribute groups, not {len(attributes)}")
    _check_options(module, options)
    if labels is None and all(level.labels for level in declared.levels.values()):
        raise ValueError(f"{module.__name__}: needs labels, one a target")
    for name, level in declared.levels.items():
        function = getattr(module, FUNCTIONS[name])
        chosen = {key: value for key, value in options.items() if key in inspect.signature(function).parameters}
        if not level.labels:
            values[name] = function(targets, list(attributes), **chosen)
        elif labels is not None:
            check_labels(module, name, len(targets), len(attributes), labels)
            values[name] = function(targets, list(attributes), np.asarray(labels), **chosen)
    return values["sample"], values["set"]


def groups(module: ModuleType, attributes: Sequence, labels: np.ndarray | None) -> int:
    """The number that a range depends on: of groups, or of labels for tests of labels only."""
    if module.METRIC.groups == (0, 0) and labels is not None:
        return len(np.unique(labels))
    return len(attributes)


def check_labels(module: ModuleType, level: str, n_targets: int, n_groups: int, labels: np.ndarray) -> None:
    """Raise ValueError unless labels are 0 … k − 1, one a target, each used, as many as the level takes."""
    labels = np.asarray(labels)
    if labels.shape != (n_targets,):
        raise ValueError(f"labels: of shape {labels.shape} for {n_targets} targets; one label a target")
    found = np.unique(labels).tolist()
    if found != list(range(len(found))):
        raise ValueError(f"labels: {found[:6]}; they are the numbers from 0, each used")
    least, most = module.METRIC.classes(level, n_groups)
    if len(found) < least or (most is not None and len(found) > most):
        raise ValueError(f"{module.__name__}: takes {_count(least, most)} different labels, not {len(found)}")


def _check_options(module: ModuleType, options: dict) -> None:
    for option in options:
        if option not in (known := _options(module)):
            raise ValueError(f"{module.__name__}: unknown option {option!r}; choices: {', '.join(known) or 'none'}")


def _options(module: ModuleType) -> list[str]:
    """Names of the options of a metric's functions."""
    names = (
        ["scores"] if module.METRIC.takes == "language_model" else [FUNCTIONS[name] for name in module.METRIC.levels]
    )
    functions = [getattr(module, name) for name in names]
    parameters = [parameter for function in functions for parameter in inspect.signature(function).parameters.values()]
    return list(dict.fromkeys(item.name for item in parameters if item.kind == item.KEYWORD_ONLY))


def _count(least: int, most: int | None) -> str:
    if most is None:
        return f"{least} or more"
    return str(least) if least == most else f"{least} to {most}"
