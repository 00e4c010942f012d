"""The entries to every metric: `measure`, on arrays or words with any source of vectors, and its twin for models."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from types import ModuleType

import numpy as np

from biassay.measurement import metric as metrics
from biassay.measurement import query as queries
from biassay.measurement import values
from biassay.measurement.metric import FUNCTIONS, Range
from biassay.support import options as declarations

MIN_SHARE = declarations.Option("min_share", 0.5, "float", (0.0, False, 1.0, False))


@dataclass(frozen=True)
class Measurement:
    """What a metric says of targets.

    sample: (n,), a value a target that was used, or None if the metric has no such level. set: one value of all
    targets, or None. ranges: bounds, value without bias and sign of each level. By list, empty for arrays: words used;
    missing, without a vector; unpaired, left out since a partner in another group is missing; duplicates, attribute
    words listed more than once, which count as often. overlap: targets that are attributes too. undefined: by level,
    why a value is NaN or None.
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
    undefined: dict[str, str] = field(default_factory=dict)


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
    Options are those of the metric's functions, checked against the types and ranges declared there; so is what the
    metric returns: ValueError for a value of another shape or out of its range. An undefined value is NaN, never b_0.
    """
    MIN_SHARE.check(min_share, "min_share")
    module = metrics.load(metric)
    if module.METRIC.takes == "language_model":
        raise ValueError(f"{metric}: takes a language model; call measure_language_model")
    if vectors is None:
        query = queries.from_arrays(targets, attributes, labels)
    else:
        query = queries.from_words(module.METRIC, targets, attributes, labels, vectors, min_share)
    sample, of_set = evaluate(module, query.targets, query.attributes, query.labels, **options)
    n = groups(module, query.attributes, query.labels)
    return _result(module, sample, of_set, n, query.labels, options, query.report)


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
    scores = np.asarray(module.scores(model, list(more), list(less), **options))
    if scores.shape != (len(more), 2):
        raise ValueError(f"{module.__name__}.scores: gave an array {scores.shape}, not {(len(more), 2)}, two a pair")
    found = {}
    for name in module.METRIC.levels:
        limits = values.bounds(module, name, len(pairs), None, options)
        found[name] = values.checked(module, name, getattr(module, FUNCTIONS[name])(scores), len(more), limits)
    return _result(module, found.get("sample"), found.get("set"), len(pairs), None, options, {})


def _result(
    module: ModuleType, sample: np.ndarray | None, of_set: float | None, n: int, labels: np.ndarray | None,
    options: dict, report: dict,
) -> Measurement:  # fmt: skip
    """What `measure` returns, with the ranges of `n` groups and why values are undefined."""
    levels, found = module.METRIC.levels, {"sample": sample, "set": of_set}
    ranges = {level: values.bounds(module, level, n, labels, options) for level in levels}
    reasons = {level: values.undefined(module, level, found[level]) for level in levels}
    told = {level: reason for level, reason in reasons.items() if reason}
    return Measurement(module.__name__.split(".")[-1], sample, of_set, ranges, **report, undefined=told)


def evaluate(
    module: ModuleType, targets: np.ndarray, attributes: Sequence[np.ndarray], labels: np.ndarray | None = None,
    **options: object,
) -> tuple[np.ndarray | None, float | None]:  # fmt: skip
    """Sample and set values of a metric on arrays; None for a level that it lacks or that lacks its labels.

    Raises ValueError for an unknown option or a wrong value of one, for groups or labels that the metric does not take,
    and for a value that is not what the metric declares.
    """
    declared, found = module.METRIC, {"sample": None, "set": None}
    least, most = declared.groups
    if len(attributes) < least or (most is not None and len(attributes) > most):
        raise ValueError(f"{module.__name__}: takes {_count(least, most)} attribute groups, not {len(attributes)}")
    _check_options(module, options)
    if labels is None and all(level.labels for level in declared.levels.values()):
        raise ValueError(f"{module.__name__}: needs labels, one a target")
    for name, level in declared.levels.items():
        if not level.labels or labels is not None:
            found[name] = value(module, name, targets, attributes, labels, **options)
    return found["sample"], found["set"]


def value(
    module: ModuleType, level: str, targets: np.ndarray, attributes: Sequence[np.ndarray],
    labels: np.ndarray | None = None, **options: object,
) -> np.ndarray | float:  # fmt: skip
    """The value of one level of a metric on arrays, checked; labels that the level does not take are ignored."""
    function, arguments = getattr(module, FUNCTIONS[level]), [targets, list(attributes)]
    if module.METRIC.levels[level].labels:
        check_labels(module, level, len(targets), len(attributes), labels)
        arguments.append(np.asarray(labels))
    chosen = {name: given for name, given in options.items() if name in declarations.of_function(function)}
    limits = values.bounds(module, level, groups(module, attributes, labels), labels, options)
    return values.checked(module, level, function(*arguments, **chosen), len(targets), limits)


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


def _check_options(module: ModuleType, given: dict) -> None:
    known = _options(module)
    for name in given:
        if name not in known:
            raise ValueError(f"{module.__name__}: unknown option {name!r}; choices: {', '.join(known) or 'none'}")
    declarations.check(f"{module.__name__}: ", given, known)


def _options(module: ModuleType) -> dict[str, declarations.Option]:
    """The options of a metric's functions."""
    of_model = module.METRIC.takes == "language_model"
    names = ["scores"] if of_model else [FUNCTIONS[name] for name in module.METRIC.levels]
    return {name: option for f in names for name, option in declarations.of_function(getattr(module, f)).items()}


def _count(least: int, most: int | None) -> str:
    if most is None:
        return f"{least} or more"
    return str(least) if least == most else f"{least} to {most}"
