"""Scores of the stored vectors of a model: of classes of texts, all texts, titles, and pairs of sentences."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import ModuleType

import numpy as np

from biassay.measurement import evaluation
from biassay.studies.downstream.texts import Texts
from biassay.vectors.debias import hard_debias

SET, CLASS, TITLES = "set", "class", "titles"
RAW, DEBIASED = GROUP_WORDS = ("raw", "debiased")
COUNT, SHARE = "count", "share"


@dataclass(frozen=True)
class Vectors:
    """Vectors of texts or titles, and of the words of each group.

    Attributes
    ----------
    targets : ndarray, shape (n, d)
    groups : list of ndarray, shape (m, d)
        The i-th rows of all groups belong together.
    """

    targets: np.ndarray
    groups: list[np.ndarray]

    def debias(self, n_directions: int, *, with_groups: bool) -> "Vectors":
        """Remove the first bias directions from the targets (hard debiasing, Bolukbasi et al. 2016).

        Parameters
        ----------
        n_directions : int
            0 returns the vectors unchanged; otherwise they have unit length before and after.
        with_groups : bool
            Whether to debias the group words too.
        """
        if not n_directions:
            return self
        groups = self.groups
        if with_groups:
            groups = [hard_debias(group, self.groups, n_directions=n_directions) for group in self.groups]
        return Vectors(hard_debias(self.targets, self.groups, n_directions=n_directions), groups)


def assign_classes(labels: np.ndarray, groups: np.ndarray, n_groups: int, grouping: str) -> list[tuple[int, int]]:
    """Assign classes to groups, for metrics whose targets represent groups, such as WEAT.

    Parameters
    ----------
    labels : ndarray, shape (texts, classes)
    groups : ndarray, shape (texts,)
    n_groups : int
    grouping : {"count", "share"}
        count: a class represents the group with most of its texts. share: the group in which it has the largest share.

    Returns
    -------
    list of (class, group)
        A group without a class gets the class with the largest share in it, so a class can represent several groups.
    """
    members = np.eye(n_groups)[groups]
    counts = members.T @ labels
    shares = counts / np.maximum(1, members.sum(axis=0))[:, None]
    by_class = (counts if grouping == COUNT else shares).argmax(axis=0)
    assignment = [(number, int(group)) for number, group in enumerate(by_class)]
    empty = sorted(set(range(n_groups)) - set(by_class.tolist()))
    return assignment + [(int(shares[group].argmax()), group) for group in empty]


def select_targets(labels: np.ndarray, assignment: list[tuple[int, int]]) -> tuple[np.ndarray, np.ndarray]:
    """Return the rows of the texts of all assigned classes and the group of each; a text is repeated per class."""
    rows = [np.flatnonzero(labels[:, number]) for number, _ in assignment]
    groups = np.repeat([group for _, group in assignment], [len(part) for part in rows])
    return np.concatenate(rows), groups


def takes_groups(module: ModuleType, n_groups: int) -> bool:
    """Return whether a metric takes this number of groups."""
    minimum, maximum = module.METRIC.groups
    return minimum <= n_groups and (maximum is None or n_groups <= maximum)


def score_texts(
    module: ModuleType, vectors: Vectors, labels: np.ndarray, assignment: list[tuple[int, int]],
    options: Mapping[str, object],
) -> float:  # fmt: skip
    """Return a metric's set-level score of all texts with labels (n, classes); NaN if a group has no texts."""
    if not module.METRIC.levels[SET].labels:
        return float(evaluation.evaluate_level(module, SET, vectors.targets, vectors.groups, None, **options))
    rows, groups = select_targets(labels, assignment)
    if len(np.unique(groups)) < len(vectors.groups):
        return np.nan
    return float(evaluation.evaluate_level(module, SET, vectors.targets[rows], vectors.groups, groups, **options))


def score_classes(
    module: ModuleType, vectors: Vectors, labels: np.ndarray, options: Mapping[str, object]
) -> np.ndarray | None:
    """Return the mean score of each class's texts, with its sign (classes,).

    NaN for a class without texts; None if the metric has no word level without labels.
    """
    if "word" not in module.METRIC.levels or module.METRIC.levels["word"].labels:
        return None
    values = evaluation.evaluate_level(module, "word", vectors.targets, vectors.groups, None, **options)
    return np.array([values[members == 1].mean() if members.any() else np.nan for members in labels.T])


def score_subsets(
    module: ModuleType, vectors: Vectors, texts: Texts, grouping: str, options: Mapping[str, object],
    shares: list[float], permutations: int, *, seed: int,
) -> Iterator[tuple[float, int, bool, float]]:  # fmt: skip
    """Yield (share, permutation, regrouped, score) of nested random subsets of texts.

    Classes represent groups as in all texts; if the metric needs labels, a second row (regrouped) assigns them again
    by the texts of the subset.
    """
    n, random = len(texts.names), np.random.default_rng(seed)
    fixed = assign_classes(texts.labels, texts.groups, n, grouping)
    for permutation in range(permutations):
        order = random.permutation(len(texts))
        for share in shares:
            rows = order[: max(1, round(share * len(order)))]
            part = Vectors(vectors.targets[rows], vectors.groups)
            yield share, permutation, False, score_texts(module, part, texts.labels[rows], fixed, options)
            if module.METRIC.levels[SET].labels:
                own = assign_classes(texts.labels[rows], texts.groups[rows], n, grouping)
                yield share, permutation, True, score_texts(module, part, texts.labels[rows], own, options)


def score_pairs(
    module: ModuleType, vectors: np.ndarray, groups: Mapping[str, np.ndarray], first_groups: np.ndarray,
    second_groups: np.ndarray, options: Mapping[str, object],
) -> np.ndarray | None:  # fmt: skip
    """Return a metric's score of each of n pairs (n,), by the two groups of the pair.

    first_groups holds the group of each stereotypical sentence. None if the metric has no word level without labels.
    """
    if "word" not in module.METRIC.levels or module.METRIC.levels["word"].labels or not takes_groups(module, 2):
        return None
    values = np.empty(len(vectors))
    for first, second in sorted(set(zip(first_groups, second_groups, strict=True))):
        rows = (first_groups == first) & (second_groups == second)
        two_groups = [groups[first], groups[second]]
        values[rows] = evaluation.evaluate_level(module, "word", vectors[rows], two_groups, None, **options)
    return values


def score_pair_set(
    module: ModuleType, vectors: np.ndarray, groups: Mapping[str, np.ndarray], first_groups: np.ndarray,
    options: Mapping[str, object],
) -> float | None:  # fmt: skip
    """Return a metric's set-level score of all pairs, by all groups, or, with labels, by the groups of the first
    sentences; None if the metric does not take as many groups."""
    if SET not in module.METRIC.levels:
        return None
    has_labels = module.METRIC.levels[SET].labels
    names = [name for name in groups if name in first_groups] if has_labels else list(groups)
    if len(names) < 2 or not takes_groups(module, len(names)):
        return None
    labels = np.array([names.index(name) for name in first_groups]) if has_labels else None
    chosen = [groups[name] for name in names]
    return float(evaluation.evaluate_level(module, SET, vectors, chosen, labels, **options))
