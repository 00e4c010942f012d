"""Values of a metric on growing subsets of word lists: what it is asked, and the fast or the general way to answer."""

import inspect
from collections.abc import Iterator
from dataclasses import dataclass, replace
from types import ModuleType

import numpy as np

from biassay.measurement import evaluation
from biassay.measurement.metric import Metric, call
from biassay.numerics.directions import paired_at_random
from biassay.numerics.growth import Growth, grow
from biassay.support.logs import Progress

TYPES = ("groups", "concepts")
STEPS = {"groups": 2, "concepts": 6}  # words added at a time, silhouette-2021 §4.1
HOOKS = {"targets": "as_targets_grow", "attributes": "as_attributes_grow"}


@dataclass(frozen=True)
class Question:
    """A metric's question about two groups and two concepts, one of the two growing.

    targets (n, d), attributes (m_i, d), labels (n,) or None. grows: "targets" or "attributes". sizes: of the lists that
    grow; targets without labels are one list. paired: the i-th words of the social groups belong together.
    """

    targets: np.ndarray
    attributes: list[np.ndarray]
    labels: np.ndarray | None
    grows: str
    sizes: list[int]
    paired: bool = False


def ask(
    metric: Metric, groups: list[np.ndarray], concepts: list[np.ndarray], growing: str, *, paired: bool = False
) -> Question:
    """Put two groups (m_i, d) and two concepts (m_i, d) where a metric takes them; `growing` is one of TYPES.

    The groups are the targets of WEAT and its kin, the attributes of others (`METRIC.social_groups`); labels tell the
    lists of targets where the metric takes labels. Raises ValueError for what it cannot be asked.
    """
    if metric.set is None:
        raise ValueError("it has no value of a set, only one of each target; silhouettes need the level set")
    if metric.takes != "vectors":
        raise ValueError(f"it takes {metric.takes}; silhouettes are of metrics that take vectors")
    if metric.groups == (0, 0) and growing == "groups":
        raise ValueError("it takes no social groups; only concepts can grow")
    targets, attributes = (groups, concepts) if metric.social_groups == "targets" else (concepts, groups)
    labels = np.repeat([0, 1], list(map(len, targets))) if metric.set.labels else None
    grows = "targets" if (growing == "groups") == (metric.social_groups == "targets") else "attributes"
    sizes = list(map(len, targets if grows == "targets" else attributes))
    if grows == "targets" and labels is None:
        sizes = [sum(sizes)]
    attributes = [] if metric.groups == (0, 0) else attributes
    return Question(np.concatenate(targets), attributes, labels, grows, sizes, paired)


def growth(question: Question, growing: str, step: int, shuffles: int, seed: int) -> Growth:
    """Orders for a question: paired groups side by side, other lists each on their own. Equal sizes and seeds, equal
    orders."""
    aligned = question.paired and growing == "groups" and len(question.sizes) > 1
    return grow(question.sizes, step, shuffles, [seed, TYPES.index(growing)], aligned=aligned)


def values(module: ModuleType, question: Question, growth: Growth, **options: object) -> np.ndarray:
    """The metric's set value on every subset, (n, steps): by its fast path if it has one for the options, or as a mean
    of its samples if it is one, else by calling it on every subset.

    A metric that pairs the groups' i-th words gets random pairs where they do not belong together, others in every
    shuffle: by the orders of the groups if these grow.
    """
    if _lacks_pairs(module, question):
        return np.concatenate([values(module, *one, **options) for one in _paired(question, growth)])
    fast = getattr(module, HOOKS[question.grows], None)
    if fast and _takes(fast, options):
        labels = [] if question.labels is None else [question.labels]
        return call(module, HOOKS[question.grows], question.targets, question.attributes, *labels, growth, **options)
    if module.METRIC.aggregate and question.grows == "targets" and question.labels is None:
        return _of_samples(module, question, growth, options)
    return general(module, question, growth, **options)


def general(module: ModuleType, question: Question, growth: Growth, **options: object) -> np.ndarray:
    """The metric's set value on every subset, (n, steps), by calling it on each."""
    if _lacks_pairs(module, question):
        return np.concatenate([general(module, *one, **options) for one in _paired(question, growth)])
    found = np.empty((growth.shuffles, len(growth.sizes)))
    progress = Progress(f"{module.__name__.split('.')[-1]}, general path", found.size, "subsets")
    for shuffle, step in np.ndindex(found.shape):
        found[shuffle, step] = of_subset(module, question, growth.subset(shuffle, step), options)
        progress.add(1)
    return found


def of_subset(module: ModuleType, question: Question, subset: list[np.ndarray], options: dict) -> float:
    """The metric's set value with some of the words of the growing lists, given by their numbers in each list."""
    targets, attributes, labels = question.targets, question.attributes, question.labels
    if question.grows == "attributes":
        attributes = [group[rows] for group, rows in zip(attributes, subset, strict=True)]
    elif labels is None:
        targets = targets[subset[0]]
    else:
        rows = np.concatenate([np.flatnonzero(labels == label)[part] for label, part in enumerate(subset)])
        targets, labels = targets[rows], labels[rows]
    return evaluation.value(module, "set", targets, attributes, labels, **options)


def _lacks_pairs(module: ModuleType, question: Question) -> bool:
    """Whether a metric pairs the words of groups that are no pairs and do not grow."""
    return module.METRIC.paired and not question.paired and question.grows == "targets"


def _paired(question: Question, growth: Growth) -> Iterator[tuple[Question, Growth]]:
    """Each shuffle alone, its groups paired at random."""
    drawn = paired_at_random(question.attributes, growth.shuffles, growth.seed)
    for shuffle, attributes in enumerate(drawn):
        yield replace(question, attributes=attributes, paired=True), growth.alone(shuffle)


def _of_samples(module: ModuleType, question: Question, growth: Growth, options: dict) -> np.ndarray:
    samples = evaluation.value(module, "sample", question.targets, question.attributes, **options)
    if module.METRIC.aggregate == "mean of absolute values":
        samples = np.abs(samples)
    return np.stack([mean for (mean,) in growth.means([samples])])


def _takes(function: object, options: dict) -> bool:
    parameters = inspect.signature(function).parameters
    return all(option in parameters and parameters[option].kind == inspect.Parameter.KEYWORD_ONLY for option in options)
