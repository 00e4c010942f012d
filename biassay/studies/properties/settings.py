"""Settings of the search: groups of word vectors, and a metric as a function of target vectors."""

from dataclasses import dataclass, field
from functools import cached_property, partial
from itertools import combinations

import numpy as np

from biassay.measurement.metric import FUNCTIONS, Range, call
from biassay.statistics.geometry import mean_units

PER_LABEL = 2  # targets per label, in sets
RANDOM_SETS = 3


@dataclass(frozen=True)
class Setting:
    """A named setting: groups of word vectors (m, d), all of the same size."""

    name: str
    groups: list[np.ndarray]

    @property
    def dimensions(self) -> int:
        return self.groups[0].shape[1]

    @cached_property
    def means(self) -> np.ndarray:
        """The mean unit vectors â_i of the groups: (n_groups, d)."""
        return mean_units(self.groups)

    @cached_property
    def width(self) -> float:
        """The largest possible difference of a word's associations, max ‖â_i − â_j‖."""
        means = self.means
        return float(max(np.linalg.norm(a - b) for a in means for b in means))


def make_settings(n_groups: int, dimensions: int, seed: int) -> list[Setting]:
    """Make the settings to search in: hand-made ones from proofs, then random ones. Their group means differ.

    There are at least as many dimensions as groups.
    """
    axes = np.eye(dimensions)
    settings = [Setting("orthogonal", [axes[[i]] for i in range(n_groups)])]
    if n_groups == 2:
        settings.append(Setting("opposite", [axes[[0]], -axes[[0]]]))
        # Theorem 12: the direction of the largest variance is not the difference of the group means
        first = np.vstack([-axes[0] + 2 * axes[1], -axes[0] - 2 * axes[1]])
        settings.append(Setting("crossed pairs", [first, -first]))
        settings.append(
            Setting("tight and wide", [np.vstack([axes[0]] * 2), np.vstack([axes[1] + axes[0], axes[1] - axes[0]])])
        )
    settings.append(Setting("near", [axes[[0]] + 0.5 * axes[[i]] * (i > 0) for i in range(n_groups)]))
    random = np.random.default_rng([seed, n_groups, dimensions])
    for number in range(RANDOM_SETS):
        settings.append(Setting(f"random {number + 1}", list(random.standard_normal((n_groups, 3, dimensions)))))
    return [setting for setting in settings if _is_distinct(setting)]


def _is_distinct(setting: Setting) -> bool:
    means = setting.means
    return all(np.linalg.norm(means[i] - means[j]) > 0.05 for i in range(len(means)) for j in range(i))


@dataclass
class ScoredMetric:
    """A metric's level as a function of target vectors (n, d), NaN if undefined, which counts its evaluations."""

    module: object
    level: str
    n_groups: int
    labels: np.ndarray = field(init=False)
    n_evaluations: int = 0

    def __post_init__(self):
        has_labels = self.module.METRIC.levels[self.level].labels
        self.labels = np.repeat(np.arange(self.n_groups if has_labels else 2), PER_LABEL)
        self._labels = (self.labels,) if has_labels else ()
        # ASSUME: the library's metrics do not change their arguments, so they need no read-only views, which take time
        is_own = not self.module.__name__.startswith("biassay.")
        name = FUNCTIONS[self.level]
        self._function = partial(call, self.module, name) if is_own else getattr(self.module, name)

    @property
    def n_targets(self) -> int:
        """The number of targets in the search: one at the word level."""
        return 1 if self.level == "word" else len(self.labels)

    @cached_property
    def range(self) -> Range:
        """The declared range of the metric."""
        return self.module.METRIC.range(self.level, self.n_groups)

    @cached_property
    def b_0(self) -> float:
        """The value without bias."""
        return self.range.b_0

    def __call__(self, targets: np.ndarray, setting: Setting) -> float:
        self.n_evaluations += 1
        value = self._function(targets, setting.groups, *self._labels)
        return float(value[0]) if self.level == "word" else float(value)


def measure_lengths(targets: np.ndarray) -> np.ndarray:
    """Measure the lengths (n, 1) of targets (n, d), faster than np.linalg.norm for few targets."""
    return np.sqrt((targets * targets).sum(axis=1, keepdims=True))


def measure_associations(targets: np.ndarray, setting: Setting) -> np.ndarray:
    """Measure the associations s(w, A_i): (n, n_groups)."""
    lengths = measure_lengths(targets)
    return targets @ setting.means.T / np.where(lengths > 0, lengths, np.nan)


def measure_bias(targets: np.ndarray, setting: Setting) -> float:
    """Measure the bias of the most biased target, max |s(w, A_i) − s(w, A_j)| (Definitions 1 and 2)."""
    return float(np.ptp(measure_associations(targets, setting), axis=1).max())


def measure_skew(targets: np.ndarray, setting: Setting) -> float:
    """Measure the skew of the targets: the range over groups of the mean s(w, A_i) (Definition 3)."""
    return float(np.ptp(measure_associations(targets, setting).mean(axis=0)))


def measure_stereotype(targets: np.ndarray, setting: Setting) -> float:
    """Measure the largest difference between two targets in s(w, A_i) − s(w, A_j) (Definition 4)."""
    values = measure_associations(targets, setting)
    differences = values[:, :, None] - values[:, None, :]
    return float(np.ptp(differences, axis=0).max())


def measure_order(targets: np.ndarray, setting: Setting) -> float:
    """Measure how much nearer all targets of each list are to its group than those of the other lists are.

    It is the minimum over pairs of lists X_i and X_j of min s(w, A_i) − s(w, A_j) over X_i minus its maximum over X_j;
    for two lists, Theorem 6's eq 27. The targets are in the order of the lists, which are equally long.
    """
    lists = enumerate(np.split(measure_associations(targets, setting), len(setting.groups)))
    return min(
        float((first[:, i] - first[:, j]).min() - (second[:, i] - second[:, j]).max())
        for (i, first), (j, second) in combinations(lists, 2)
    )
