"""What a metric is asked: groups and targets put where it takes them, as they are or drawn anew."""

import inspect
from collections.abc import Sequence
from dataclasses import dataclass
from types import ModuleType, SimpleNamespace

import numpy as np

from biassay.auditing.questions import Question
from biassay.measurement import evaluation
from biassay.measurement.metric import Level, Metric, call
from biassay.numerics.growth import Growth
from biassay.studies.silhouette import values
from biassay.support import registry

SIDES = ("groups", "targets")
NEAR = 1e-3  # a fast path that is farther from the metric's own value, of its size, is not taken; some are of float32


class Unfit(ValueError):
    """A metric cannot be asked a question."""


@dataclass(frozen=True)
class BoundMetric:
    """A metric's question about groups and targets, arrays (m_i, t, d) of t rows a word.

    targets, attributes: which of SIDES stands there; attributes None: the metric takes none. labelled: whether the
    lists of targets are told apart.
    """

    module: ModuleType
    groups: list[np.ndarray]
    targets: list[np.ndarray]
    scored: str
    references: str | None
    labelled: bool
    paired: bool

    def lists(self, side: str) -> list[np.ndarray]:
        """The lists of a side."""
        return self.groups if side == "groups" else self.targets

    def value(self, groups: Sequence[np.ndarray] | None = None, targets: Sequence[np.ndarray] | None = None) -> float:
        """The metric's value of the set, with other groups or targets (m_i, t, d) if they are given."""
        lists = {"groups": groups or self.groups, "targets": targets or self.targets}
        scored = [_rows(array) for array in lists[self.scored]]
        references = [_rows(array) for array in lists[self.references]] if self.references else []
        labels = np.repeat(np.arange(len(scored)), list(map(len, scored))) if self.labelled else None
        return float(evaluation.value(self.module, "set", np.concatenate(scored), references, labels))

    def drawn(self, side: str, pools: list[np.ndarray], shuffles: list[np.ndarray]) -> np.ndarray:
        """Values with each list of a side drawn from its pool (m_i, t, d) by rows of orders (n, k_i), in which no word
        stands twice: (n,). By the metric's fast path if it has one that is right here."""
        t, sizes = pools[0].shape[1], list(map(len, pools))
        if side == self.scored and not self.labelled:  # they are one list
            offsets = np.cumsum([0, *sizes[:-1]])
            shuffles = [np.hstack([order + start for order, start in zip(shuffles, offsets, strict=True)])]
        shuffles = [(order[:, :, None] * t + np.arange(t)).reshape(len(order), -1) for order in shuffles]
        growth = Growth(shuffles, np.array([[order.shape[1] for order in shuffles]]))
        question = self.question(side, [_rows(pool) for pool in pools])
        first = growth.alone(0)
        try:
            fast = values.values(self.module, question, first)[0, 0]
            right = abs(fast - values.general(self.module, question, first)[0, 0]) <= NEAR * max(1.0, abs(fast))
        except registry.PluginError:
            raise
        except ValueError:  # as of a fast path for two groups, asked about more
            right = False
        return (values.values if right else values.general)(self.module, question, growth)[:, 0]

    def fast(self, side: str) -> bool:
        """Whether the metric can tell many values for changes of a side at once."""
        grows = "scored" if side == self.scored else "references"
        mean = self.module.METRIC.aggregate and grows == "scored" and not self.labelled
        return bool(mean or hasattr(self.module, values.HOOKS[grows]))

    def question(self, side: str, pools: list[np.ndarray] | None = None) -> values.Question | None:
        """The silhouette study's form of the question, of which a side grows, with pools (m, d) in place of its lists
        if they are given; None if the metric does not take the side."""
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
        return values.Question(np.concatenate(scored), references, labels, grows, sizes, self.paired)


def bind(module: ModuleType, question: Question, groups: list[np.ndarray], targets: list[np.ndarray]) -> BoundMetric:
    """Put groups and targets (m_i, t, d) where a metric takes them.

    The groups are the attributes, or what WEAT and its kin take as targets; tests of labels ask whether the targets
    can be told apart. Raises Unfit, saying why, for a metric that cannot be asked this.
    """
    declared = module.METRIC
    if declared.takes != "vectors":
        raise Unfit(f"it takes {declared.takes.replace('_', ' ')}")
    if declared.set is None:
        module = contrast(module)
    elif declared.set.b_0 is None and declared.groups != (0, 0):
        raise Unfit("it is a p-value itself: the test of the metric that it belongs to")
    if declared.paired and not question.paired:
        raise Unfit("it pairs the groups' i-th words, and these lists are no pairs")
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
    """Raise Unfit if the metric does not take so many lists."""
    declared, scored = bound.module.METRIC, len(bound.lists(bound.scored))
    references = len(bound.lists(bound.references)) if bound.references else 0
    least, most = declared.groups
    if bound.references and not (least <= references <= (most or references)):
        raise Unfit(f"it takes {least if least == most else f'{least} or more'} {bound.references}, not {references}")
    if bound.labelled:
        fewest, largest = declared.classes("set", references or scored)
        if not fewest <= scored <= (largest or scored):
            raise Unfit(f"it tells {largest or fewest} lists of {bound.scored} apart, not {scored}")


def contrast(module: ModuleType) -> SimpleNamespace:
    """A metric of single words as one of two lists of them: the mean of the first list less that of the second."""
    level = module.METRIC.word
    width = None if level.b_max is None or callable(level.b_max) else level.b_max - level.b_min
    low = None if width is None else -width
    of_set = Level(low, width, 0.0, signed=level.signed, labels=True, undefined=level.undefined)
    declared = Metric(
        summary=f"{module.METRIC.summary}: mean of the first list of targets less that of the second",
        source=module.METRIC.source, groups=module.METRIC.groups, set=of_set,
        scale_invariant=module.METRIC.scale_invariant, paired=module.METRIC.paired,
    )  # fmt: skip

    def set_bias(scored: np.ndarray, references: list[np.ndarray], labels: np.ndarray) -> float:
        found = call(module, "word_bias", scored, references)
        return float(found[labels == 0].mean() - found[labels == 1].mean())

    def as_targets_grow(
        scored: np.ndarray, references: list[np.ndarray], labels: np.ndarray, growth: Growth
    ) -> np.ndarray:
        found = call(module, "word_bias", scored, references)
        return np.stack([a - b for a, b in growth.means([found[labels == 0], found[labels == 1]])])

    return SimpleNamespace(
        METRIC=declared, set_bias=set_bias, as_targets_grow=as_targets_grow, __name__=module.__name__, contrast=True
    )


def is_contrast(module: ModuleType) -> bool:
    """Whether a metric's value is the difference of two lists, for it has none of a set itself."""
    return getattr(module, "contrast", False) is True and not inspect.ismodule(module)


def _rows(array: np.ndarray) -> np.ndarray:
    return array.reshape(-1, array.shape[-1])
