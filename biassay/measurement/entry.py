"""Entry points to metrics of vectors (`measure`) and of language models (`measure_language_model`)."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from html import escape
from itertools import chain, islice, repeat
from types import ModuleType

import numpy as np
import pandas as pd

from biassay.core import options as declarations
from biassay.measurement import evaluation, summary
from biassay.measurement import metric as metrics
from biassay.measurement import query as queries
from biassay.measurement.metric import Range

MIN_SHARE = declarations.Option("min_share", 0.5, "float", (0.0, False, 1.0, False))


@dataclass(frozen=True)
class Measurement:
    """Result of a metric.

    Fields by list are empty if the inputs are arrays.

    Parameters
    ----------
    metric : str
    word : ndarray of shape (n,) or None
        One value per target that was used, in their order (for predictions, per class). None if there is no such level.
    set : float or None
        One value for all targets.
    ranges : dict of str to Range
        Bounds, value without bias and sign of each level.
    words : dict of str to list
        Words used, by list.
    missing : dict of str to list
        Words without a vector, by list.
    unpaired : dict of str to list
        Words dropped because a partner in another group is missing, by list.
    duplicates : dict of str to list
        Group words listed more than once, by list. They count as often as they are listed.
    shared : list of str
        Words of two or more groups. They count for each.
    overlap : list of str
        Words of both targets and groups.
    undefined : dict of str to str
        Why values are NaN or None, by level.
    pairing_std : float or None
        Standard deviation of the set-level value over random pairings, of which `set` is the mean.
    n_positives : dict of str to list
        For predictions: number of texts of each class, by group.

    Examples
    --------
    >>> from biassay import measure
    >>> print(measure("mac", targets=[[1.0, 0.0]], groups=[[[0.0, 1.0]]]))
    mac
      word level: 1 [0 to 2; 1 means no bias]
      set level: 1 [0 to 2; 1 means no bias]

    >>> vectors = {"she": [1.0, 0.0], "he": [0.0, 1.0], "nurse": [0.8, 0.6]}
    >>> groups = {"female": ["she"], "male": ["he"]}
    >>> measure("mac", targets={"jobs": ["nurse"]}, groups=groups, vectors=vectors).to_frame()
      metric level  list   word  value
    0    mac  word  jobs  nurse    0.3
    1    mac   set                 0.3
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
    pairing_std: float | None = None
    n_positives: dict[str, list[int]] = field(default_factory=dict)

    def __str__(self) -> str:
        return summary.format_text(self)

    def to_frame(self) -> pd.DataFrame:
        """Return one row per value: metric, level, list and word (empty if the inputs are arrays), and value."""
        n_targets = 0 if self.word is None else len(self.word)
        named = ((name, word) for name, words in self.words.items() for word in words)  # targets come first
        targets = islice(chain(named, repeat(("", ""))), n_targets)
        rows = [("word", *target, value) for target, value in zip(targets, self.word, strict=True)] if n_targets else []
        rows += [] if self.set is None else [("set", "", "", self.set)]
        frame = pd.DataFrame(rows, columns=["level", "list", "word", "value"])
        frame.insert(0, "metric", self.metric)
        return frame

    def _repr_html_(self) -> str:
        table = self.to_frame().to_html(index=False, max_rows=20, float_format="{:.3g}".format)
        return f"{table}<pre>{escape(str(self))}</pre>"


def measure(
    metric: str,
    *,
    targets: object,
    groups: object = (),
    labels: object = None,
    vectors: object = None,
    min_share: float = 0.5,
    **options: object,
) -> Measurement:
    """Measure bias with a metric.

    Parameters
    ----------
    metric : str
        Name of a metric, or path of a file with your own.
    targets : list of str, ndarray of shape (n, d), or mapping of names to one of these
        The lists of a mapping, such as {"X": …, "Y": …}, get the labels 0, 1, … in their order. If the mapping has the
        same names as `groups`, label i means group i.
    groups : mapping of names to lists of str, or list of ndarray of shape (m_i, d)
    labels : sequence or mapping of words to int, optional
        Label of each target. Without labels, word-level or set-level values that need them are None.
    vectors : optional
        Source of the words' vectors: an Embedding, a mapping, gensim KeyedVectors, the path of a vector file or of an
        embedding that biassay wrote, (words, array), or an encoder of texts. Without it, targets and groups are arrays.
    min_share : float
        Smallest share of each list that must have a vector. Words without a vector, or with a zero vector, are dropped
        and reported.
    **options
        Options of the metric. Metrics that pair the i-th words of the groups, such as Direct Bias, need groups of equal
        length, or `n_pairings`: they then average over this number of random pairings.

    Returns
    -------
    Measurement
        Undefined values are NaN, never the value without bias.

    Raises
    ------
    ValueError
        If too few words have a vector, a target is listed twice, vectors are not finite, an array has a zero row, an
        option is invalid, or the metric returns a value of another shape or outside its declared range.

    Examples
    --------
    >>> from biassay import measure
    >>> vectors = {"she": [1.0, 0.0], "he": [0.0, 1.0], "nurse": [0.8, 0.6], "pilot": [0.6, 0.8]}
    >>> groups = {"female": ["she"], "male": ["he"]}
    >>> result = measure("weat", targets={"X": ["nurse"], "Y": ["pilot"]}, groups=groups, vectors=vectors)
    >>> result.word.round(2)
    array([ 0.2, -0.2])
    >>> round(result.set, 2)
    2.0
    """
    MIN_SHARE.check(min_share, "min_share")
    module = metrics.load_for("measure", metric)
    declared = module.METRIC
    has_pairings = hasattr(module, "set_bias_by_pairing") and options.get("n_pairings") is not None
    if has_pairings:
        declared = replace(declared, paired=False)  # the given pairs are not used
    if vectors is None:
        query = queries.from_arrays(declared, targets, groups, labels)
    else:
        query = queries.from_words(declared, targets, groups, labels, vectors, min_share)
    scores = evaluation.evaluate(module, query.targets, query.groups, query.labels, **options)
    results, report = dict(zip(metrics.FUNCTIONS, scores, strict=True)), query.report
    if has_pairings:
        by_pairing = metrics.call(module, "set_bias_by_pairing", query.targets, query.groups, **options)
        report = report | {"pairing_std": float(by_pairing.std())}
    n_groups = evaluation.count_groups(module, query.groups, query.labels)
    return _build_measurement(module, results, n_groups, query.labels, options, report)


def measure_language_model(
    metric: str,
    *,
    model: object,
    stereotypical: Sequence[str] | None = None,
    antistereotypical: Sequence[str] | None = None,
    groups: Mapping[str, Sequence[str]] | None = None,
    **options: object,
) -> Measurement:
    """Measure bias of a masked or causal language model on aligned sentences.

    Parameters
    ----------
    metric : str
        Name of a metric of language models, or path of a file with your own.
    model : str, path or LanguageModel
        A folder, a hub id, or what `load_language_model` returns.
    stereotypical, antistereotypical : sequence of str
        Sentence pairs; the i-th sentences belong together.
    groups : mapping of names to sequences of str
        Instead of pairs: sentences of each group; the i-th sentences of all groups belong together.
    **options
        Options of the metric's `scores`.

    Returns
    -------
    Measurement
        `word` has one value per pair; it is positive if the stereotypical (first group's) sentence is more likely.

    Examples
    --------
    >>> from biassay import measure_language_model
    >>> result = measure_language_model(
    ...     "pll",
    ...     model="resources/models/bert-tiny-enwiki",
    ...     stereotypical=["She is a nurse.", "He repairs the engine."],
    ...     antistereotypical=["He is a nurse.", "She repairs the engine."],
    ... )
    >>> result.word.shape, 0 <= result.set <= 1
    ((2,), True)
    """
    from biassay.language_models import loading

    module = metrics.load_for("measure_language_model", metric)
    lists = _align_sentences(stereotypical, antistereotypical, groups)
    shape = len(lists[0]), len(lists)
    evaluation.check_groups(module, len(lists), "groups of sentences")
    evaluation.check_options(module, options)
    if not isinstance(model, loading.LanguageModel):
        model = loading.load(model)
    evaluation.check_model(module, model.kind)
    scores = np.asarray(metrics.call(module, "scores", model, *lists, **options))
    if scores.shape != shape:
        raise ValueError(
            f"{module.__name__}.scores: expected shape {shape}, one score per sentence, got shape {scores.shape}"
        )
    return measure_levels(module, [scores], *shape, options, {})


def measure_levels(
    module: ModuleType, arguments: Sequence, n_targets: int, n_groups: int, options: dict, report: dict
) -> Measurement:
    """Compute all levels of a metric, which take the same arguments, and build the Measurement."""
    levels = module.METRIC.levels
    results = {level: evaluation.compute(module, level, arguments, n_targets, n_groups, options) for level in levels}
    return _build_measurement(module, results, n_groups, None, options, report)


def _align_sentences(stereotypical: object, antistereotypical: object, groups: object) -> list[list[str]]:
    """Return the sentences of each group from one of the two forms of input."""
    if (groups is None) == (stereotypical is None and antistereotypical is None):
        raise ValueError("expected either groups, or stereotypical and antistereotypical")
    if groups is not None and (not isinstance(groups, Mapping) or not groups):
        raise ValueError(f"groups: expected a mapping of names to sentences, got {groups!r:.80}")
    pair = {"stereotypical": stereotypical, "antistereotypical": antistereotypical}
    lists = []
    for name, sentences in (pair if groups is None else groups).items():
        has_order = isinstance(sentences, Iterable) and not isinstance(sentences, str | set | frozenset)
        texts = list(sentences) if has_order else []
        if not texts or not all(isinstance(text, str) and text.strip() for text in texts):
            raise ValueError(f"{name}: expected a list of sentences, got {sentences!r:.80}")
        lists.append(texts)
        if len(texts) != len(lists[0]):
            raise ValueError(f"{name}: expected {len(lists[0])} sentences, as in the first list, got {len(texts)}")
    return lists


def _build_measurement(
    module: ModuleType,
    results: Mapping[str, np.ndarray | float | None],
    n_groups: int,
    labels: np.ndarray | None,
    options: dict,
    report: dict,
) -> Measurement:
    """Build a Measurement from the values of both levels, with their ranges and the reasons for undefined values."""
    levels = module.METRIC.levels
    ranges = {level: evaluation.compute_range(module, level, n_groups, labels, options) for level in levels}
    reasons = {level: evaluation.explain_undefined(module, level, results[level]) for level in levels}
    undefined = {level: reason for level, reason in reasons.items() if reason}
    name = module.__name__.split(".")[-1]
    return Measurement(name, results.get("word"), results.get("set"), ranges, **report, undefined=undefined)
