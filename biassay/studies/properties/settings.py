"""The settings in which a metric is searched: attribute sets, and a metric's value on target vectors."""

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from biassay.measurement.metric import FUNCTIONS, Range, call
from biassay.numerics.geometry import mean_units

PER_LABEL = 2  # targets a label, in sets
RANDOM_SETS = 3


@dataclass(frozen=True)
class Setting:
    """Attribute sets by name, (m, d) each, the same number of words in every group."""

    name: str
    groups: list[np.ndarray]

    @property
    def dimensions(self) -> int:
        return self.groups[0].shape[1]

    @cached_property
    def means(self) -> np.ndarray:
        """â_i: (groups, d)."""
        return mean_units(self.groups)

    @cached_property
    def width(self) -> float:
        """The largest difference of associations that a word can have, max ‖â_i − â_j‖."""
        means = self.means
        return float(max(np.linalg.norm(a - b) for a in means for b in means))


def settings(groups: int, dimensions: int, seed: int) -> list[Setting]:
    """Attribute sets to search in: hand-made ones that proofs use, then random ones. Group means differ in all."""
    axes = np.eye(dimensions)
    found = [Setting("orthogonal", [axes[[i]] for i in range(min(groups, dimensions))])] if groups <= dimensions else []
    near = [axes[[0]] + 0.5 * axes[[i % dimensions]] * (i > 0) for i in range(groups)]
    if groups == 2:
        found.append(Setting("opposite", [axes[[0]], -axes[[0]]]))
        # Theorem 12: the largest variance of the defining sets is not along the difference of the groups' means
        first = np.vstack([-axes[0] + 2 * axes[1], -axes[0] - 2 * axes[1]])
        found.append(Setting("crossed pairs", [first, -first]))
        found.append(
            Setting("tight and wide", [np.vstack([axes[0]] * 2), np.vstack([axes[1] + axes[0], axes[1] - axes[0]])])
        )
    found.append(Setting("near", near))
    random = np.random.default_rng([seed, groups, dimensions])
    for number in range(RANDOM_SETS):
        found.append(Setting(f"random {number + 1}", list(random.standard_normal((groups, 3, dimensions)))))
    return [setting for setting in found if _distinct(setting)]


def _distinct(setting: Setting) -> bool:
    means = setting.means
    return all(np.linalg.norm(means[i] - means[j]) > 0.05 for i in range(len(means)) for j in range(i))


@dataclass
class Scored:
    """A metric's level as a function of target vectors (n, d), which counts its evaluations; NaN where undefined."""

    module: object
    level: str
    n_groups: int
    labels: np.ndarray = field(init=False)
    n_evaluations: int = 0

    def __post_init__(self):
        classes = self.n_groups if self.module.METRIC.levels[self.level].labels else 2
        self.labels = np.repeat(np.arange(classes), PER_LABEL)

    @property
    def targets(self) -> int:
        """How many targets are searched over: one at the word level."""
        return 1 if self.level == "word" else len(self.labels)

    @cached_property
    def range(self) -> Range:
        """The range that the metric declares."""
        return self.module.METRIC.range(self.level, self.n_groups)

    @cached_property
    def b_0(self) -> float:
        """The value without bias."""
        return self.range.b_0

    def __call__(self, targets: np.ndarray, setting: Setting) -> float:
        self.n_evaluations += 1
        arguments = (self.labels,) if self.module.METRIC.levels[self.level].labels else ()
        with np.errstate(all="ignore"):
            value = call(self.module, FUNCTIONS[self.level], targets, setting.groups, *arguments)
        return float(value[0]) if self.level == "word" else float(value)


def lengths_of(targets: np.ndarray) -> np.ndarray:
    """Lengths (n, 1) of targets (n, d), as np.linalg.norm has them, which takes twice as long over so few."""
    return np.sqrt((targets * targets).sum(axis=1, keepdims=True))


def associations(targets: np.ndarray, setting: Setting) -> np.ndarray:
    """s(w, A_i): (n, groups)."""
    lengths = lengths_of(targets)
    return targets @ setting.means.T / np.where(lengths > 0, lengths, np.nan)


def biased(targets: np.ndarray, setting: Setting) -> float:
    """How biased the most biased target is, max |s(w, A_i) − s(w, A_j)| (Definitions 1 and 2)."""
    return float(np.ptp(associations(targets, setting), axis=1).max())


def skewed(targets: np.ndarray, setting: Setting) -> float:
    """How far the targets are skewed, the range of the mean s(w, A_i) over groups (Definition 3)."""
    return float(np.ptp(associations(targets, setting).mean(axis=0)))


def stereotyped(targets: np.ndarray, setting: Setting) -> float:
    """How far two targets differ in s(w, A_i) − s(w, A_j) (Definition 4)."""
    values = associations(targets, setting)
    differences = values[:, :, None] - values[:, None, :]
    return float(np.ptp(differences, axis=0).max())


def ordered(targets: np.ndarray, setting: Setting) -> float:
    """By how much every target of X is nearer the first group than every target of Y (Theorem 6, eq 27); two groups."""
    values = associations(targets, setting)
    first, second = np.split(values[:, 0] - values[:, 1], 2)
    return float(first.min() - second.max())
