"""Values of a metric on growing subsets of word lists: what it is asked, and the fast or the general way to answer."""

import inspect
from dataclasses import dataclass
from types import ModuleType

import numpy as np

from biassay.measurement import evaluation
from biassay.measurement.metric import Metric
from biassay.numerics.growth import Growth, grow
from biassay.support.logs import Progress

TYPES = ("groups", "concepts")
STEPS = {"groups": 2, "concepts": 6}  # words added at a time, silhouette-2021 §4.1
HOOKS = {"targets": "as_targets_grow", "attributes": "as_attributes_grow"}


@dataclass(frozen=True)
class Question:
    """A metric's question about two groups and two concepts, one of the two growing.

    targets (n, d), attributes (m_i, d), labels (n,) or None. grows: "targets" or "attributes". sizes: of the lists that
    grow; targets without labels are one list.
    """

    targets: np.ndarray
    attributes: list[np.ndarray]
    labels: np.ndarray | None
    grows: str
    sizes: list[int]


def ask(metric: Metric, groups: list[np.ndarray], concepts: list[np.ndarray], growing: str) -> Question:
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
    return Question(np.concatenate(targets), attributes, labels, grows, sizes)


def growth(question: Question, growing: str, step: int, shuffles: int, seed: int) -> Growth:
    """Orders for a question: groups side by side, concepts each on their own. Equal sizes and seeds, equal orders."""
    return grow(
        question.sizes, step, shuffles, [seed, TYPES.index(growing)],
        aligned=growing == "groups" and len(question.sizes) > 1,
    )  # fmt: skip


def values(module: ModuleType, question: Question, growth: Growth, **options: object) -> np.ndarray:
    """The metric's set value on every subset, (n, steps): by its fast path if it has one for the options, or as a mean
    of its samples if it is one, else by calling it on every subset."""
    fast = getattr(module, HOOKS[question.grows], None)
    if fast and _takes(fast, options):
        labels = [] if question.labels is None else [question.labels]
        return fast(question.targets, question.attributes, *labels, growth, **options)
    if module.METRIC.aggregate and question.grows == "targets" and question.labels is None:
        return _of_samples(module, question, growth, options)
    return general(module, question, growth, **options)


def general(module: ModuleType, question: Question, growth: Growth, **options: object) -> np.ndarray:
    """The metric's set value on every subset, (n, steps), by calling it on each."""
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


def _of_samples(module: ModuleType, question: Question, growth: Growth, options: dict) -> np.ndarray:
    samples = evaluation.value(module, "sample", question.targets, question.attributes, **options)
    if module.METRIC.aggregate == "mean of absolute values":
        samples = np.abs(samples)
    return np.stack([mean for (mean,) in growth.means([samples])])


def _takes(function: object, options: dict) -> bool:
    parameters = inspect.signature(function).parameters
    return all(option in parameters and parameters[option].kind == inspect.Parameter.KEYWORD_ONLY for option in options)
