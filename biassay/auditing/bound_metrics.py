"""A metric with its groups and targets: values with the lists as they are, or with other words in their place."""

from dataclasses import dataclass, field, replace
from types import ModuleType, SimpleNamespace

import numpy as np

from biassay.auditing.questions import SIDES, Question
from biassay.core import registry
from biassay.measurement import evaluation
from biassay.measurement.metric import Level, Range, call
from biassay.statistics.growth import Growth
from biassay.studies.silhouette import values

TOLERANCE = 1e-3  # of a fast path, relative above 1, and at most 1 % of the largest value (some are float32)
SET, DIFFERENCE = "set", "difference of lists"  # levels


class NotApplicable(ValueError):
    """A metric does not apply to a test."""


@dataclass(frozen=True)
class BoundMetric:
    """A metric with its lists by side, arrays (m_i, t, d) with t rows per word.

    scored, references: one of SIDES each; references is None if the metric takes no groups. level: SET, or DIFFERENCE
    for a metric of single words, whose value is the mean of the first list minus that of the second.
    """

    module: ModuleType
    lists: dict[str, list[np.ndarray]]
    scored: str
    references: str | None
    level: str
    paired: bool
    samples: dict = field(default_factory=dict)  # by purpose, shared by the metrics of a test

    @property
    def is_labelled(self) -> bool:
        """Whether the metric distinguishes the scored lists."""
        return self.module.METRIC.set.labels

    @property
    def takes_means(self) -> bool:
        """Whether a word counts once, as its mean over sentences."""
        return self.references is None or self.module.METRIC.learns

    @property
    def range(self) -> Range:
        """Range of the metric for its number of references, or of labels, and for the sizes of labelled lists."""
        sizes = list(map(len, self.lists[self.scored]))
        labels = np.repeat(np.arange(len(sizes)), sizes) if self.is_labelled else None
        n_groups = len(self.lists[self.references or self.scored])
        return evaluation.compute_range(self.module, "set", n_groups, labels, {})

    @property
    def n_words(self) -> int:
        """Number of words that the value depends on."""
        return sum(len(rows) for side in {self.scored, self.references} - {None} for rows in self.lists[side])

    def inputs(self, growing: str | None = None, **replaced: list[np.ndarray]) -> values.MetricInputs:
        """Return the input of the silhouette study, with other lists of groups or targets if they are given."""
        lists = {side: [_rows(array) for array in arrays] for side, arrays in (self.lists | replaced).items()}
        scored, references = lists[self.scored], lists.get(self.references, [])
        labels = np.repeat(np.arange(len(scored)), list(map(len, scored))) if self.is_labelled else None
        grows = "scored" if growing in (None, self.scored) else "references"
        sizes = list(map(len, references if grows == "references" else scored))
        if grows == "scored" and not self.is_labelled:  # the metric takes these lists as one
            sizes = [sum(sizes)]
        return values.MetricInputs(np.concatenate(scored), references, labels, grows, sizes, self.paired)

    def value(self, **replaced: list[np.ndarray]) -> float:
        """Compute the metric's value of the set, with other lists of groups or targets if they are given."""
        if self.takes_means:
            replaced = {side: mean_over_sentences(lists) for side, lists in replaced.items()}
        inputs = self.inputs(**replaced)
        return float(evaluation.evaluate_level(self.module, "set", inputs.scored, inputs.references, inputs.labels))

    def values_from_pools(
        self, purpose: str, side: str, pools: list[np.ndarray], shuffles: list[np.ndarray]
    ) -> np.ndarray:
        """Compute values (n,) with the lists of a side replaced by words of pools.

        pools are arrays (m_i, t, d), and shuffles row numbers (n, k_i) in them, all different within a row. Metrics of
        a test share what they compute from equal shuffles for the same purpose.
        """
        if self.takes_means:
            pools = mean_over_sentences(pools)
        t, inputs = pools[0].shape[1], self.inputs(side, **{side: pools})
        is_joint = len(inputs.sizes) < len(pools)  # the metric takes them as one list
        key = purpose, side, is_joint, t, len(shuffles[0])
        if key not in self.samples:
            orders = [row_numbers(order, t) for order in ([_join(shuffles, pools)] if is_joint else shuffles)]
            self.samples[key] = Growth(orders, np.array([[order.shape[1] for order in orders]]))
        return self._measure(inputs, self.samples[key], 2)

    def resampled_values(self, draws: dict[str, list[np.ndarray]]) -> np.ndarray:
        """Compute values (n,) with the words of the lists of both sides drawn again, by number (n, m_i)."""
        lists = self.lists[self.scored]
        t = lists[0].shape[1]
        key = "resampled", self.references, t
        if key not in self.samples:
            orders = [row_numbers(order, t) for order in draws[self.references]]
            sizes, drawn = [[order.shape[1] for order in orders]], row_numbers(_join(draws[self.scored], lists), t)
            self.samples[key] = Growth(orders, np.array(sizes), drawn=drawn)
        return self._measure(self.inputs(self.references), self.samples[key], 3)

    def _measure(self, inputs: values.MetricInputs, growth: Growth, n_checked: int) -> np.ndarray:
        """Measure each shuffle (n,): by the metric's fast path, if its first values agree with the general path."""
        try:
            found = values.measure_subsets(self.module, inputs, growth)[:, 0]
            first = [growth.select_shuffle(number) for number in range(min(n_checked, growth.n_shuffles))]
            expected = np.array([values.measure_each_subset(self.module, inputs, one)[0, 0] for one in first])
            difference = np.abs(found[: len(first)] - expected)
            largest = np.fmax.reduce(np.abs([*found, *expected]), initial=0)  # all values may be small
            limits = np.minimum(TOLERANCE * np.maximum(1.0, np.abs(expected)), 0.01 * largest)
            is_right = (difference <= limits + 1e-9).all()
        except registry.PluginError:
            raise
        except ValueError:  # for example a fast path for two groups, called with more
            is_right = False
        return found if is_right else values.measure_each_subset(self.module, inputs, growth)[:, 0]

    def has_fast_path(self, side: str) -> bool:
        """Whether the metric computes values for many changes of a side at once."""
        grows = "scored" if side == self.scored else "references"
        is_mean = self.module.METRIC.aggregate and grows == "scored" and not self.is_labelled
        return bool(is_mean or hasattr(self.module, values.FAST_PATHS[grows]))


def bind(module: ModuleType, question: Question, lists: dict[str, list[np.ndarray]]) -> BoundMetric:
    """Assign lists (m_i, t, d) of groups and targets to the roles that a metric defines.

    A metric scores the targets with the groups as references, or the other way round (WEAT). Label-based metrics
    score how well the lists of targets can be distinguished. Raises NotApplicable with the reason.
    """
    declared, level = module.METRIC, SET
    if declared.takes != "vectors":
        raise NotApplicable(f"it takes {declared.takes.replace('_', ' ')}")
    if declared.set is None:
        module, level = difference_of_lists(module), DIFFERENCE
    elif declared.set.b_0 is None and declared.groups != (0, 0):
        raise NotApplicable("it has no value without bias")
    if declared.paired and not question.paired:
        raise NotApplicable("it needs paired groups, and the words of these groups are not paired")
    sides = SIDES if declared.scored == question.scored == "groups" else SIDES[::-1]
    if declared.groups == (0, 0):
        sides = "targets", None
    bound = BoundMetric(module, lists, *sides, level, question.paired)
    if bound.takes_means:
        bound = replace(bound, lists={side: mean_over_sentences(arrays) for side, arrays in lists.items()})
    if question.noun_genders and not bound.is_labelled:
        raise NotApplicable("it takes all targets as one list, and their grammatical gender changes its value")
    _check(bound)
    return bound


def mean_over_sentences(lists: list[np.ndarray]) -> list[np.ndarray]:
    """Return the mean vector of each word, (m_i, 1, d): its sentences would give its label away, or weigh more."""
    return [rows.mean(axis=1, keepdims=True) for rows in lists]


def _check(bound: BoundMetric) -> None:
    """Raise NotApplicable if the metric does not take this number of lists."""
    declared, n_scored = bound.module.METRIC, len(bound.lists[bound.scored])
    n_references = len(bound.lists.get(bound.references, []))
    low, high = declared.groups
    if bound.references and not (low <= n_references <= (high or n_references)):
        expected = low if low == high else f"{low} or more"
        raise NotApplicable(f"it takes {expected} lists of {bound.references}, not {n_references}")
    if bound.is_labelled:
        low, high = declared.n_labels("set", n_references or n_scored)
        if not low <= n_scored <= (high or n_scored):
            raise NotApplicable(f"it takes {high or low} lists of {bound.scored}, not {n_scored}")


def difference_of_lists(module: ModuleType) -> SimpleNamespace:
    """Turn a metric of single words into one of two lists: the mean of the first list minus that of the second."""
    metric, level = module.METRIC, module.METRIC.word
    width = None if level.b_max is None or callable(level.b_max) else level.b_max - level.b_min
    low = None if width is None else -width
    of_lists = Level(low, width, 0.0, signed=level.signed, labels=True, undefined=level.undefined)
    declared = replace(metric, word=None, set=of_lists, aggregate=None)

    def set_bias(scored: np.ndarray, references: list[np.ndarray], labels: np.ndarray) -> float:
        scores = call(module, "word_bias", scored, references)
        return float(scores[labels == 0].mean() - scores[labels == 1].mean())

    def set_bias_growing_targets(
        scored: np.ndarray, references: list[np.ndarray], labels: np.ndarray, growth: Growth
    ) -> np.ndarray:
        scores = call(module, "word_bias", scored, references)
        first, second = growth.means([scores[labels == 0], scores[labels == 1]])
        return first - second

    def set_bias_growing_groups(
        scored: np.ndarray, references: list[np.ndarray], labels: np.ndarray, growth: Growth
    ) -> np.ndarray:
        blocks = module.word_bias_growing_groups(scored, references, growth)
        return np.concatenate([part[..., labels == 0].mean(-1) - part[..., labels == 1].mean(-1) for part in blocks])

    functions = {"set_bias": set_bias, "set_bias_growing_targets": set_bias_growing_targets}
    if hasattr(module, "word_bias_growing_groups"):
        functions["set_bias_growing_groups"] = set_bias_growing_groups
    return SimpleNamespace(METRIC=declared, __name__=module.__name__, **functions)


def _rows(array: np.ndarray) -> np.ndarray:
    return array.reshape(-1, array.shape[-1])


def row_numbers(words: np.ndarray, t: int) -> np.ndarray:
    """Return the numbers of the t rows of each word, by number (n, m): (n, m · t)."""
    return (words[:, :, None] * t + np.arange(t)).reshape(len(words), -1)


def _join(numbers: list[np.ndarray], lists: list[np.ndarray]) -> np.ndarray:
    """Number the words of lists (n, m_i) as words of all lists: (n, Σ m_i)."""
    offsets = np.cumsum([0, *map(len, lists[:-1])])
    return np.hstack([order + start for order, start in zip(numbers, offsets, strict=True)])
