"""The entries to every metric: `measure`, on arrays or words with any source of vectors, and its control for models."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from html import escape
from types import ModuleType

import numpy as np

from biassay.measurement import evaluation, summary, values
from biassay.measurement import metric as metrics
from biassay.measurement import query as queries
from biassay.measurement.metric import FUNCTIONS, Range
from biassay.support import options as declarations

MIN_SHARE = declarations.Option("min_share", 0.5, "float", (0.0, False, 1.0, False))


@dataclass(frozen=True)
class Measurement:
    """What a metric says of targets.

    sample: (n,), a value a target that was used (of predictions, a class), or None if there is no such level. set: one
    value of all targets, or None. spread: standard deviation of the set's values over random pairings, of which it
    is the mean, or None where it is of none. ranges: bounds, value without bias and sign of each level. By list,
    empty for arrays: words used; missing, without a vector; unpaired, left out since a partner in another group is
    missing; duplicates, group words listed more than once, which count as often. shared: group words of two
    groups or more, which count for each. overlap: targets that are groups too. undefined: by
    level, why a value is NaN or None. positives: of predictions, by group, the number of texts of each class.
    """

    metric: str
    word: np.ndarray | None
    set: float | None
    ranges: dict[str, Range]
    words: dict[str, list[str]] = field(default_factory=dict)
    missing: dict[str, list[str]] = field(default_factory=dict)
    unpaired: dict[str, list[str]] = field(default_factory=dict)
    duplicates: dict[str, list[str]] = field(default_factory=dict)
    shared: list[str] = field(default_factory=list)
    overlap: list[str] = field(default_factory=list)
    undefined: dict[str, str] = field(default_factory=dict)
    spread: float | None = None
    positives: dict[str, list[int]] = field(default_factory=dict)

    def __str__(self) -> str:
        return summary.format_text(self)

    def _repr_html_(self) -> str:
        return f"<pre>{escape(str(self))}</pre>"


def measure(
    metric: str, *, targets: object, groups: object = (), labels: object = None, vectors: object = None,
    min_share: float = 0.5, **options: object,
) -> Measurement:  # fmt: skip
    """Measure with a metric by name, or one of your own by the path of its file.

    With `vectors` (an Embedding, a mapping, gensim KeyedVectors, the path of a store or vector file, (words, array), or
    an encoder of texts), targets are words and groups a mapping group → words; without, targets (n, d)
    and groups (m_i, d) are arrays. Targets may be a mapping too, such as {"X": …, "Y": …}: its lists are labelled
    0, 1, …, in the groups' order if they have the same names; else labels are given by target or by word. Levels
    that need labels are left out (None) if there are none, and metrics without labels ignore them.

    Metrics that pair the groups' i-th words, as Direct Bias, need groups of equal length, or `pairings`: so many random
    pairings, of which they give the mean and the spread.

    Words without a vector, or with a zero one, are dropped and reported; ValueError if less than `min_share` of a list
    is left, or nothing. ValueError, too, for vectors that are not finite, zero rows in arrays, a target listed twice.
    Options are those of the metric's functions, checked against the types and ranges declared there; so is what the
    metric returns: ValueError for a value of another shape or out of its range. An undefined value is NaN, never b_0.
    """
    MIN_SHARE.check(min_share, "min_share")
    module = metrics.load_for("measure", metric)
    declared, drawn = module.METRIC, hasattr(module, "set_bias_by_pairing") and options.get("n_pairings")
    if drawn:
        declared = replace(declared, paired=False)  # whatever pairs there are, others are drawn
    if vectors is None:
        query = queries.from_arrays(declared, targets, groups, labels)
    else:
        query = queries.from_words(declared, targets, groups, labels, vectors, min_share)
    if declared.paired:
        queries.check_pairs(metric, query.groups)
    word, of_set = evaluation.evaluate(module, query.targets, query.groups, query.labels, **options)
    n = evaluation.count_groups(module, query.groups, query.labels)
    spread = None
    if drawn:
        spread = float(metrics.call(module, "set_bias_by_pairing", query.targets, query.groups, **options).std())
    return replace(result(module, word, of_set, n, query.labels, options, query.report), spread=spread)


def measure_language_model(
    metric: str, *, model: object, stereotypical: Sequence[str] | None = None,
    antistereotypical: Sequence[str] | None = None, groups: Mapping[str, Sequence[str]] | None = None,
    **options: object,
) -> Measurement:  # fmt: skip
    """Measure a language model, masked or causal, with a metric that takes it, on aligned sentences of groups.

    model: a folder, a hub id or a `language_models.LanguageModel`. groups: name → sentences, whose i-th belong
    together; or else, for two, `stereotypical` (or the first group) and `antistereotypical`. sample has a value for
    each i; of a metric of pairs it is positive where the first group's sentence is the likelier. Options are those of
    the metric's `scores`. Raises ValueError for a metric of vectors or of the other kind of models, for more groups
    than it takes, and for lists that are empty or of unequal length.
    """
    from biassay.language_models import loading

    module = metrics.load_for("measure_language_model", metric)
    lists = _sentences(stereotypical, antistereotypical, groups)
    shape = len(lists[0]), len(lists)
    evaluation.check_groups(module, len(lists), "groups of sentences")
    evaluation.check_options(module, options)
    if not isinstance(model, loading.LanguageModel):
        model = loading.load(model)
    evaluation.check_model(module, model.kind)
    scores = np.asarray(metrics.call(module, "scores", model, *lists, **options))
    if scores.shape != shape:
        raise ValueError(f"{module.__name__}.scores: gave an array {scores.shape}, not {shape}, one a sentence")
    found = {}
    for name in module.METRIC.levels:
        limits = values.bounds(module, name, len(lists), None, options)
        found[name] = values.checked(module, name, metrics.call(module, FUNCTIONS[name], scores), shape[0], limits)
    return result(module, found.get("word"), found.get("set"), len(lists), None, options, {})


def _sentences(stereotypical: object, antistereotypical: object, groups: object) -> list[list[str]]:
    """The sentences of each group, given in one of two ways."""
    if (groups is None) == (stereotypical is None and antistereotypical is None):
        raise ValueError(
            "give the sentences either as groups, name → sentences, or as stereotypical and antistereotypical"
        )
    if groups is not None and (not isinstance(groups, Mapping) or not groups):
        raise ValueError(f"groups: {groups!r:.80} is no mapping name → sentences")
    given = {"stereotypical": stereotypical, "antistereotypical": antistereotypical} if groups is None else groups
    found: dict[object, list[str]] = {}
    for name, sentences in given.items():
        texts = list(sentences) if isinstance(sentences, Iterable) and not isinstance(sentences, str) else []
        if not texts or not all(isinstance(text, str) and text.strip() for text in texts):
            raise ValueError(f"{name}: {sentences!r:.80} is no list of sentences")
        found[name] = texts
    first = next(iter(found))
    for name, texts in found.items():
        if len(texts) != len(found[first]):
            raise ValueError(f"{name}: {len(texts)} sentences, but {first} has {len(found[first])}; they are aligned")
    return list(found.values())


def result(
    module: ModuleType, word: np.ndarray | None, of_set: float | None, n: int, labels: np.ndarray | None,
    options: dict, report: dict,
) -> Measurement:  # fmt: skip
    """What an entry returns, with the ranges of `n` groups and why values are undefined."""
    levels, found = module.METRIC.levels, {"word": word, "set": of_set}
    ranges = {level: values.bounds(module, level, n, labels, options) for level in levels}
    reasons = {level: values.undefined(module, level, found[level]) for level in levels}
    told = {level: reason for level, reason in reasons.items() if reason}
    return Measurement(module.__name__.split(".")[-1], word, of_set, ranges, **report, undefined=told)
