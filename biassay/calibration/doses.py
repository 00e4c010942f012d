"""Vectors without association, and with a dose of association of known size.

The unit of a dose is the standard deviation of random words along the direction of the dose, on vectors of length one.
A dose of 1 moves the words of the two lists by half of it, in opposite directions; with a skew, by all of it.
"""

from collections.abc import Callable
from copy import copy
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from biassay.statistics.geometry import unit

RANK_TOLERANCE = 1e-6  # of the largest singular value


@dataclass(frozen=True)
class Material:
    """Vectors of a test: two groups (m_i, d), two lists of targets (n_j, d), and random words (k, d).

    paired: whether the i-th words of the groups belong together. scored: the side that WEAT and gWEAT take as X and Y.
    """

    groups: list[np.ndarray]
    targets: list[np.ndarray]
    pool: np.ndarray
    paired: bool = False
    scored: str = "groups"

    @cached_property
    def direction(self) -> np.ndarray:
        """The difference of the groups: the direction (d,) from the second group's mean to the first's, of length 1."""
        first, second = (unit(rows).mean(axis=0) for rows in self.groups)
        return unit((first - second)[None])[0]

    @cached_property
    def span(self) -> np.ndarray:
        """An orthonormal basis (k, d) of the differences between the words of the groups."""
        rows = unit(np.concatenate(self.groups))
        _, sizes, basis = np.linalg.svd(rows - rows.mean(axis=0), full_matrices=False)
        return basis[sizes > RANK_TOLERANCE * sizes[0]]

    @cached_property
    def covariance(self) -> np.ndarray:
        """The covariances (d, d) of the random words."""
        return np.cov(unit(self.pool), rowvar=False)

    def spread(self, directions: np.ndarray) -> np.ndarray:
        """Compute the standard deviation of the random words along directions (k, d): (k,)."""
        return np.sqrt(np.maximum(((directions @ self.covariance) * directions).sum(axis=1), 0))

    def with_targets(self, targets: list[np.ndarray]) -> "Material":
        """Return a copy with other targets, which keeps what depends on the groups and random words alone."""
        other = copy(self)
        object.__setattr__(other, "targets", targets)
        return other

    def effects(self) -> tuple[float, float]:
        """Compute the source's own effects along the difference of the groups, in the unit of doses.

        The first is the difference between the lists of targets (stereotype), the second the mean of all targets
        compared with the middle between the groups (skew).
        """
        direction = self.direction
        first, second = (unit(rows) @ direction for rows in self.targets)
        middle = np.mean([(unit(rows) @ direction).mean() for rows in self.groups])
        spread = self.spread(direction[None])[0]
        return (first.mean() - second.mean()) / spread, (np.concatenate([first, second]).mean() - middle) / spread


def reassign_targets(material: Material, random: np.random.Generator) -> Material:
    """Reassign the targets to the lists at random."""
    return material.with_targets(_deal(material.targets, random))


def reassign_groups(material: Material, random: np.random.Generator) -> Material:
    """Reassign the words of the groups to the groups at random."""
    return replace(material, groups=_deal(material.groups, random))


def exchange_pairs(material: Material, random: np.random.Generator) -> Material:
    """Exchange the words of random pairs of the groups' paired words."""
    first, second = material.groups
    is_exchanged = random.random(len(first))[:, None] < 0.5
    return replace(material, groups=[np.where(is_exchanged, second, first), np.where(is_exchanged, first, second)])


def replace_association(material: Material, random: np.random.Generator) -> Material:
    """Give each target the component of a random word in the span of the groups, in proportion to its length."""
    basis = material.span
    words = _draw_words(material, random)
    targets = [
        rows + np.linalg.norm(rows, axis=1, keepdims=True) * (unit(others) - unit(rows)) @ basis.T @ basis
        for rows, others in zip(material.targets, words, strict=True)
    ]
    return reassign_targets(material.with_targets(targets), random)


def draw_random_words(material: Material, random: np.random.Generator) -> Material:
    """Put random words in the place of the targets."""
    return material.with_targets(_draw_words(material, random))


NULLS: dict[str, Callable[[Material, np.random.Generator], Material]] = {
    "targets reassigned": reassign_targets,
    "groups reassigned": reassign_groups,
    "pairs exchanged": exchange_pairs,
    "association replaced": replace_association,
    "random words": draw_random_words,
}


def along_difference(material: Material, random: np.random.Generator) -> np.ndarray:
    """The difference of the groups, for all words: (1, d)."""
    return material.direction[None]


def along_random_direction(material: Material, random: np.random.Generator) -> np.ndarray:
    """One random direction in the span of the groups, the same for all words: (1, d)."""
    return _draw_directions(material, 1, random)


def along_own_directions(material: Material, random: np.random.Generator) -> np.ndarray:
    """A random direction in the span of the groups for each word: (n, d)."""
    return _draw_directions(material, sum(map(len, material.targets)), random)


@dataclass(frozen=True)
class Form:
    """A form of dose: its directions; whether both lists move the same way (skew); the share of the words that move."""

    directions: Callable[[Material, np.random.Generator], np.ndarray]
    is_skew: bool = False
    share: float = 1.0


FORMS = {
    "difference": Form(along_difference),
    "random direction": Form(along_random_direction),
    "own directions": Form(along_own_directions),
    "half of the words": Form(along_difference, share=0.5),
    "skew": Form(along_difference, is_skew=True),
}


@dataclass(frozen=True)
class Shift:
    """What a dose of 1 adds to the targets (n, d), of vectors of length one; one draw serves all doses."""

    material: Material
    rows: np.ndarray

    def give(self, dose: float) -> Material:
        """Add a dose; each vector moves in proportion to its length."""
        targets = np.concatenate(self.material.targets)
        moved = targets + dose * np.linalg.norm(targets, axis=1, keepdims=True) * self.rows
        return self.material.with_targets(np.split(moved, [len(self.material.targets[0])]))


def draw_shift(base: Material, form: Form, random: np.random.Generator) -> Shift:
    """Draw what a dose of a form adds to a sample without association.

    For skew, the mean of the targets along the difference of the groups is first moved to the middle between the
    groups.
    """
    sizes = list(map(len, base.targets))
    signs = np.ones(sum(sizes)) if form.is_skew else np.repeat([0.5, -0.5], sizes)
    if form.is_skew:
        skew = base.effects()[1]
        centre = Shift(base, np.tile(base.direction * base.spread(base.direction[None]), (sum(sizes), 1)))
        base = centre.give(-skew)
    for start, size in zip([0, sizes[0]], sizes, strict=True):
        still = random.permutation(size)[round(form.share * size) :]
        signs[start + still] = 0
    directions = form.directions(base, random)
    return Shift(base, signs[:, None] * base.spread(directions)[:, None] * directions)


def _draw_directions(material: Material, n: int, random: np.random.Generator) -> np.ndarray:
    """Draw directions (n, d) of length one in the span of the groups, at an acute angle to their difference."""
    directions = unit(random.standard_normal((n, len(material.span))) @ material.span)
    return np.where((directions @ material.direction < 0)[:, None], -directions, directions)


def _draw_words(material: Material, random: np.random.Generator) -> list[np.ndarray]:
    """Draw a different random word for each target."""
    sizes = list(map(len, material.targets))
    rows = random.choice(len(material.pool), sum(sizes), replace=False)
    return np.split(material.pool[rows], np.cumsum(sizes)[:-1])


def _deal(lists: list[np.ndarray], random: np.random.Generator) -> list[np.ndarray]:
    """Reassign the rows of lists to the lists at random, with their sizes kept."""
    return np.split(random.permutation(np.concatenate(lists)), np.cumsum(list(map(len, lists)))[:-1])
