"""Values of a metric on growing subsets of word lists: what it is asked, and the fast or the general way to answer."""

import inspect
from collections.abc import Iterator
from dataclasses import dataclass, replace
from types import ModuleType

import numpy as np

from biassay.measurement import evaluation
from biassay.measurement.metric import Metric, call
from biassay.numerics.directions import draw_pairings
from biassay.numerics.growth import Growth, grow
from biassay.support.logs import Progress

TYPES = ("groups", "targets")
STEPS = {"groups": 2, "targets": 6}  # words added at a time, silhouette-2021 §4.1
FAST_PATHS = {"scored": "set_bias_growing_targets", "references": "set_bias_growing_groups"}


@dataclass(frozen=True)
class MetricInputs:
    """A metric's question about two groups and two targets, one of the two growing.

    targets (n, d), attributes (m_i, d), labels (n,) or None. grows: "targets" or "attributes". sizes: of the lists that
    grow; targets without labels are one list. paired: the i-th words of the social groups belong together.
    """

    scored: np.ndarray
    references: list[np.ndarray]
    labels: np.ndarray | None
    grows: str
    sizes: list[int]
    paired: bool = False


def assign_inputs(
    metric: Metric, groups: list[np.ndarray], targets: list[np.ndarray], growing: str, *, paired: bool = False
) -> MetricInputs:
    """Put two groups (m_i, d) and two targets (m_i, d) where a metric takes them; `growing` is one of TYPES.

    WEAT and its kin score the groups' words, other metrics the targets' (`METRIC.scored`); labels tell the
    lists of targets where the metric takes labels. Raises ValueError for what it cannot be asked.
    """
    if metric.set is None:
        raise ValueError("it has no value of a set, only one of each target; silhouettes need the level set")
    if metric.takes != "vectors":
        raise ValueError(f"it takes {metric.takes}; silhouettes are of metrics that take vectors")
    if metric.groups == (0, 0) and growing == "groups":
        raise ValueError("it takes no social groups; only targets can grow")
    scored, references = (groups, targets) if metric.scored == "groups" else (targets, groups)
    labels = np.repeat([0, 1], list(map(len, scored))) if metric.set.labels else None
    grows = "scored" if (growing == "groups") == (metric.scored == "groups") else "references"
    sizes = list(map(len, scored if grows == "scored" else references))
    if grows == "scored" and labels is None:
        sizes = [sum(sizes)]
    references = [] if metric.groups == (0, 0) else references
    return MetricInputs(np.concatenate(scored), references, labels, grows, sizes, paired)


def draw_growth(question: MetricInputs, growing: str, step: int, shuffles: int, seed: int) -> Growth:
    """Orders for a question: paired groups side by side, other lists each on their own. Equal sizes and seeds, equal
    orders."""
    aligned = question.paired and growing == "groups" and len(question.sizes) > 1
    return grow(question.sizes, step, shuffles, [seed, TYPES.index(growing)], aligned=aligned)


def measure_subsets(module: ModuleType, question: MetricInputs, growth: Growth, **options: object) -> np.ndarray:
    """The metric's set value on every subset, (n, steps): by its fast path if it has one for the options, or as a mean
    of its samples if it is one, else by calling it on every subset.

    A metric that pairs the groups' i-th words gets random pairs where they do not belong together, others in every
    shuffle: by the orders of the groups if these grow.
    """
    if _lacks_pairs(module, question):
        return np.concatenate([measure_subsets(module, *one, **options) for one in _paired(question, growth)])
    fast = getattr(module, FAST_PATHS[question.grows], None)
    if fast and _takes(fast, options):
        labels = [] if question.labels is None else [question.labels]
        return call(
            module, FAST_PATHS[question.grows], question.scored, question.references, *labels, growth, **options
        )
    if module.METRIC.aggregate and question.grows == "scored" and question.labels is None:
        return _of_samples(module, question, growth, options)
    return measure_each_subset(module, question, growth, **options)


def measure_each_subset(module: ModuleType, question: MetricInputs, growth: Growth, **options: object) -> np.ndarray:
    """The metric's set value on every subset, (n, steps), by calling it on each."""
    if _lacks_pairs(module, question):
        return np.concatenate([measure_each_subset(module, *one, **options) for one in _paired(question, growth)])
    found = np.empty((growth.n_shuffles, len(growth.sizes)))
    progress = Progress(f"{module.__name__.split('.')[-1]}, general path", found.size, "subsets")
    for shuffle, step in np.ndindex(found.shape):
        found[shuffle, step] = measure_subset(module, question, growth.subset(shuffle, step), options)
        progress.add(1)
    return found


def measure_subset(module: ModuleType, question: MetricInputs, subset: list[np.ndarray], options: dict) -> float:
    """The metric's set value with some of the words of the growing lists, given by their numbers in each list."""
    scored, references, labels = question.scored, question.references, question.labels
    if question.grows == "references":
        references = [group[rows] for group, rows in zip(references, subset, strict=True)]
    elif labels is None:
        scored = scored[subset[0]]
    else:
        rows = np.concatenate([np.flatnonzero(labels == label)[part] for label, part in enumerate(subset)])
        scored, labels = scored[rows], labels[rows]
    return evaluation.evaluate_level(module, "set", scored, references, labels, **options)


def _lacks_pairs(module: ModuleType, question: MetricInputs) -> bool:
    """Whether a metric pairs the words of groups that are no pairs and do not grow."""
    return module.METRIC.paired and not question.paired and question.grows == "scored"


def _paired(question: MetricInputs, growth: Growth) -> Iterator[tuple[MetricInputs, Growth]]:
    """Each shuffle alone, its groups paired at random."""
    drawn = draw_pairings(question.references, growth.n_shuffles, growth.seed)
    for shuffle, references in enumerate(drawn):
        yield replace(question, references=references, paired=True), growth.select_shuffle(shuffle)


def _of_samples(module: ModuleType, question: MetricInputs, growth: Growth, options: dict) -> np.ndarray:
    samples = evaluation.evaluate_level(module, "word", question.scored, question.references, **options)
    if module.METRIC.aggregate == "mean of absolute values":
        samples = np.abs(samples)
    return np.stack([mean for (mean,) in growth.means([samples])])


def _takes(function: object, options: dict) -> bool:
    parameters = inspect.signature(function).parameters
    return all(option in parameters and parameters[option].kind == inspect.Parameter.KEYWORD_ONLY for option in options)
