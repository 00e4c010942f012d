"""Values of a metric on growing subsets of word lists, by the metric's fast path or by a call on each subset."""

import inspect
from dataclasses import dataclass, replace
from types import ModuleType

import numpy as np

from biassay.core import guard
from biassay.core.logs import Progress
from biassay.measurement import evaluation
from biassay.measurement.metric import Metric, Range, call, load
from biassay.statistics.directions import draw_pairings
from biassay.statistics.growth import Growth, grow

TYPES = ("groups", "targets")
STEPS = {"groups": 2, "targets": 6}  # words added at a time, silhouette-2021 §4.1
FAST_PATHS = {"scored": "set_bias_growing_targets", "references": "set_bias_growing_groups"}


@dataclass(frozen=True)
class MetricInputs:
    """Two groups and two target lists in their roles for a metric; the lists of one role grow."""

    scored: np.ndarray  # the words that the metric scores, (n, d)
    references: list[np.ndarray]  # the words that it compares them with, (m_i, d)
    labels: np.ndarray | None  # (n,)
    grows: str  # the role whose lists grow, "scored" or "references"
    sizes: list[int]  # of the growing lists; scored words without labels are one list
    paired: bool = False  # whether the i-th words of the groups belong together


def read_values(path: str) -> dict[str, np.ndarray]:
    """Read the values of a metric by place, such as "gender/groups/biased": (n shuffles, steps)."""
    with guard.reading(path, "file of values"), np.load(path) as file:
        return dict(file)


def assign_inputs(
    metric: Metric, groups: list[np.ndarray], targets: list[np.ndarray], growing: str, *, paired: bool = False
) -> MetricInputs:
    """Assign two groups and two target lists, of which `growing` grow, to the roles of a metric.

    WEAT and gWEAT score the groups' words, other metrics the targets' (`METRIC.scored`). Labels distinguish the scored
    lists if the metric takes labels.
    """
    if metric.set is None:
        raise ValueError("the metric has no set level, which silhouettes need")
    if metric.takes != "vectors":
        raise ValueError(f"silhouettes need a metric that takes vectors; this one takes {metric.takes}")
    if metric.groups == (0, 0) and growing == "groups":
        raise ValueError("the metric takes no groups, so only targets can grow")
    scored, references = (groups, targets) if metric.scored == "groups" else (targets, groups)
    labels = np.repeat([0, 1], list(map(len, scored))) if metric.set.labels else None
    grows = "scored" if (growing == "groups") == (metric.scored == "groups") else "references"
    sizes = list(map(len, scored if grows == "scored" else references))
    if grows == "scored" and labels is None:
        sizes = [sum(sizes)]
    references = [] if metric.groups == (0, 0) else references
    return MetricInputs(np.concatenate(scored), references, labels, grows, sizes, paired)


def variant_range(variant: dict, labels: np.ndarray | None = None) -> Range:
    """Return the range of a metric or variant: its own, or that of the metric with its options and these labels."""
    declared = evaluation.compute_range(load(variant["metric"]), "set", 2, labels, variant["options"])
    return Range(*variant["range"], declared.signed) if variant["range"] else declared


def draw_growth(inputs: MetricInputs, growing: str, step: int, shuffles: int, seed: int) -> Growth:
    """Draw shuffles of the growing lists; paired groups share theirs. Equal sizes and seeds give equal shuffles."""
    aligned = inputs.paired and growing == "groups" and len(inputs.sizes) > 1
    return grow(inputs.sizes, step, shuffles, [seed, TYPES.index(growing)], aligned=aligned)


def measure_subsets(module: ModuleType, inputs: MetricInputs, growth: Growth, **options: object) -> np.ndarray:
    """Measure the set bias of every subset: (n shuffles, steps).

    The function uses the metric's fast path if it accepts the options, the mean of the word biases if the metric is
    such a mean, and a call on each subset otherwise. A metric that pairs the groups' i-th words gets random pairs,
    drawn anew for each shuffle, if the groups are not paired.
    """
    if module.METRIC.paired and not inputs.paired and inputs.grows == "scored":
        pairings = enumerate(draw_pairings(inputs.references, growth.n_shuffles, growth.seed))
        paired = (
            (replace(inputs, references=groups, paired=True), growth.select_shuffle(shuffle))
            for shuffle, groups in pairings
        )
        return np.concatenate([measure_subsets(module, *part, **options) for part in paired])
    name = FAST_PATHS[inputs.grows]
    fast_path = getattr(module, name, None)
    if fast_path and accepts(fast_path, options):
        labels = [] if inputs.labels is None else [inputs.labels]
        return call(module, name, inputs.scored, inputs.references, *labels, growth, **options)
    if module.METRIC.aggregate and inputs.grows == "scored" and inputs.labels is None:
        word_bias = evaluation.evaluate_level(module, "word", inputs.scored, inputs.references, **options)
        if module.METRIC.aggregate == "mean of absolute values":
            word_bias = np.abs(word_bias)
        return growth.means([word_bias])[0]
    return measure_each_subset(module, inputs, growth, **options)


def measure_each_subset(module: ModuleType, inputs: MetricInputs, growth: Growth, **options: object) -> np.ndarray:
    """Measure the set bias of every subset, of shape (n shuffles, steps), with one call per subset."""
    values = np.empty((growth.n_shuffles, len(growth.sizes)))
    progress = Progress(f"{module.__name__.split('.')[-1]}, one call per subset", values.size, "subsets")
    for shuffle, step in np.ndindex(values.shape):
        drawn = inputs if growth.drawn is None else replace(inputs, scored=inputs.scored[growth.drawn[shuffle]])
        values[shuffle, step] = measure_subset(module, drawn, growth.subset(shuffle, step), options)
        progress.add(1)
    return values


def measure_subset(module: ModuleType, inputs: MetricInputs, subset: list[np.ndarray], options: dict) -> float:
    """Measure the set bias of one subset of the growing lists, given by the words' indices in each list."""
    scored, references, labels = inputs.scored, inputs.references, inputs.labels
    if inputs.grows == "references":
        references = [group[rows] for group, rows in zip(references, subset, strict=True)]
    elif labels is None:
        scored = scored[subset[0]]
    else:
        rows = np.concatenate([np.flatnonzero(labels == label)[part] for label, part in enumerate(subset)])
        scored, labels = scored[rows], labels[rows]
    return evaluation.evaluate_level(module, "set", scored, references, labels, **options)


def accepts(function: object, options: dict) -> bool:
    """Whether a function has all these options."""
    parameters = inspect.signature(function).parameters
    return all(option in parameters and parameters[option].kind == inspect.Parameter.KEYWORD_ONLY for option in options)
