"""A metric with its groups and targets: values with the lists as they are, or with other words in their place."""

import inspect
from collections.abc import Sequence
from dataclasses import dataclass
from types import ModuleType, SimpleNamespace

import numpy as np

from biassay.auditing.questions import SIDES, Question
from biassay.core import registry
from biassay.measurement import evaluation
from biassay.measurement.metric import Level, Metric, call
from biassay.statistics.growth import Growth
from biassay.studies.silhouette import values

TOLERANCE = 1e-3  # relative; a fast path that differs more from the metric's own value is not used (some are float32)


class NotApplicable(ValueError):
    """A metric does not apply to a test."""


@dataclass(frozen=True)
class BoundMetric:
    """A metric with its lists, arrays (m_i, t, d) with t rows per word.

    scored, references: one of SIDES each; references is None if the metric takes no groups. labelled: whether the
    metric distinguishes the scored lists. paired: whether the i-th words of the groups belong together.
    """

    module: ModuleType
    groups: list[np.ndarray]
    targets: list[np.ndarray]
    scored: str
    references: str | None
    labelled: bool
    paired: bool

    def lists(self, side: str) -> list[np.ndarray]:
        """Return the lists of a side."""
        return self.groups if side == "groups" else self.targets

    def value(self, groups: Sequence[np.ndarray] | None = None, targets: Sequence[np.ndarray] | None = None) -> float:
        """Compute the metric's value of the set, with other groups or targets (m_i, t, d) if they are given."""
        lists = {"groups": groups or self.groups, "targets": targets or self.targets}
        scored = [_rows(array) for array in lists[self.scored]]
        references = [_rows(array) for array in lists[self.references]] if self.references else []
        labels = np.repeat(np.arange(len(scored)), list(map(len, scored))) if self.labelled else None
        return float(evaluation.evaluate_level(self.module, "set", np.concatenate(scored), references, labels))

    def values_from_pools(self, side: str, pools: list[np.ndarray], shuffles: list[np.ndarray]) -> np.ndarray:
        """Compute values (n,) with the lists of a side replaced by words of pools.

        pools are arrays (m_i, t, d), and shuffles row numbers (n, k_i) in them, all different within a row. The
        metric's fast path is used if it agrees with its general path here.
        """
        t, sizes = pools[0].shape[1], list(map(len, pools))
        if side == self.scored and not self.labelled:  # the metric takes these lists as one
            offsets = np.cumsum([0, *sizes[:-1]])
            shuffles = [np.hstack([order + start for order, start in zip(shuffles, offsets, strict=True)])]
        shuffles = [(order[:, :, None] * t + np.arange(t)).reshape(len(order), -1) for order in shuffles]
        growth = Growth(shuffles, np.array([[order.shape[1] for order in shuffles]]))
        question = self.question(side, [_rows(pool) for pool in pools])
        first = growth.select_shuffle(0)
        try:
            fast = values.measure_subsets(self.module, question, first)[0, 0]
            slow = values.measure_each_subset(self.module, question, first)[0, 0]
            is_right = abs(fast - slow) <= TOLERANCE * max(1.0, abs(fast))
        except registry.PluginError:
            raise
        except ValueError:  # for example a fast path for two groups, called with more
            is_right = False
        return (values.measure_subsets if is_right else values.measure_each_subset)(self.module, question, growth)[:, 0]

    def has_fast_path(self, side: str) -> bool:
        """Whether the metric computes values for many changes of a side at once."""
        grows = "scored" if side == self.scored else "references"
        is_mean = self.module.METRIC.aggregate and grows == "scored" and not self.labelled
        return bool(is_mean or hasattr(self.module, values.FAST_PATHS[grows]))

    def question(self, side: str, pools: list[np.ndarray] | None = None) -> values.MetricInputs | None:
        """Return the input of the silhouette study in which a side grows, with pools (m, d) in place of its lists.

        None if the metric does not take the side.
        """
        if side not in (self.scored, self.references):
            return None
        lists = {key: [_rows(array) for array in self.lists(key)] for key in SIDES} | ({side: pools} if pools else {})
        scored = lists[self.scored]
        labels = np.repeat(np.arange(len(scored)), list(map(len, scored))) if self.labelled else None
        references = lists[self.references] if self.references else []
        grows = "scored" if side == self.scored else "references"
        sizes = list(map(len, lists[side]))
        if grows == "scored" and labels is None:
            sizes = [sum(sizes)]
        return values.MetricInputs(np.concatenate(scored), references, labels, grows, sizes, self.paired)


def bind(module: ModuleType, question: Question, groups: list[np.ndarray], targets: list[np.ndarray]) -> BoundMetric:
    """Assign groups and targets (m_i, t, d) to the roles that a metric defines.

    A metric scores the targets with the groups as references, or the other way round (WEAT). Label-based metrics
    score how well the lists of targets can be distinguished. Raises NotApplicable with the reason.
    """
    declared = module.METRIC
    if declared.takes != "vectors":
        raise NotApplicable(f"it takes {declared.takes.replace('_', ' ')}")
    if declared.set is None:
        module = difference_of_lists(module)
    elif declared.set.b_0 is None and declared.groups != (0, 0):
        raise NotApplicable("it is itself a p-value, of another metric's test")
    if declared.paired and not question.paired:
        raise NotApplicable("it needs paired groups, and the words of these groups are not paired")
    if declared.groups == (0, 0):
        sides = "targets", None
    elif declared.scored == "groups" and question.scored == "groups":
        sides = "groups", "targets"
    else:
        sides = "targets", "groups"
    bound = BoundMetric(module, groups, targets, *sides, module.METRIC.set.labels, question.paired)
    _check(bound)
    return bound


def _check(bound: BoundMetric) -> None:
    """Raise NotApplicable if the metric does not take this number of lists."""
    declared, n_scored = bound.module.METRIC, len(bound.lists(bound.scored))
    n_references = len(bound.lists(bound.references)) if bound.references else 0
    low, high = declared.groups
    if bound.references and not (low <= n_references <= (high or n_references)):
        expected = low if low == high else f"{low} or more"
        raise NotApplicable(f"it takes {expected} lists of {bound.references}, not {n_references}")
    if bound.labelled:
        low, high = declared.n_labels("set", n_references or n_scored)
        if not low <= n_scored <= (high or n_scored):
            raise NotApplicable(f"it takes {high or low} lists of {bound.scored}, not {n_scored}")


def difference_of_lists(module: ModuleType) -> SimpleNamespace:
    """Turn a metric of single words into one of two lists: the mean of the first list minus that of the second."""
    level = module.METRIC.word
    width = None if level.b_max is None or callable(level.b_max) else level.b_max - level.b_min
    low = None if width is None else -width
    set_level = Level(low, width, 0.0, signed=level.signed, labels=True, undefined=level.undefined)
    declared = Metric(
        summary=f"{module.METRIC.summary}: mean of the first list of targets minus that of the second",
        source=module.METRIC.source, groups=module.METRIC.groups, set=set_level,
        scale_invariant=module.METRIC.scale_invariant, paired=module.METRIC.paired,
    )  # fmt: skip

    def set_bias(scored: np.ndarray, references: list[np.ndarray], labels: np.ndarray) -> float:
        scores = call(module, "word_bias", scored, references)
        return float(scores[labels == 0].mean() - scores[labels == 1].mean())

    def set_bias_growing_targets(
        scored: np.ndarray, references: list[np.ndarray], labels: np.ndarray, growth: Growth
    ) -> np.ndarray:
        scores = call(module, "word_bias", scored, references)
        return np.stack([a - b for a, b in growth.means([scores[labels == 0], scores[labels == 1]])])

    return SimpleNamespace(
        METRIC=declared, set_bias=set_bias, set_bias_growing_targets=set_bias_growing_targets, __name__=module.__name__,
        is_difference_of_lists=True,
    )  # fmt: skip


def is_difference_of_lists(module: ModuleType) -> bool:
    """Whether a metric's value is the difference of two lists, because it has no value of a set."""
    return getattr(module, "is_difference_of_lists", False) is True and not inspect.ismodule(module)


def _rows(array: np.ndarray) -> np.ndarray:
    return array.reshape(-1, array.shape[-1])
