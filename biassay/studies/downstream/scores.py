"""Scores of the stored vectors of a model: of classes of texts, all texts, titles, and pairs of sentences."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

import numpy as np

from biassay.core import arrays
from biassay.measurement import evaluation
from biassay.studies.downstream.texts import VERSIONS, Texts
from biassay.vectors.debias import hard_debias

SET, CLASS, TITLES = "set", "class", "titles"
RAW, DEBIASED = "raw", "debiased"  # group words with which debiased vectors are scored
COUNT, SHARE = "count", "share"


@dataclass(frozen=True)
class Vectors:
    """Vectors of texts or titles (n, d), and of the words of each group (m, d), whose i-th rows belong together."""

    targets: np.ndarray
    groups: list[np.ndarray]

    def debias(self, n_directions: int, *, with_groups: bool) -> "Vectors":
        """Remove the first bias directions from the targets, and the group words too (hard debiasing, Bolukbasi 2016).

        0 directions leave the vectors unchanged; otherwise they have unit length before and after.
        """
        if not n_directions:
            return self
        groups = self.groups
        if with_groups:
            groups = [hard_debias(group, self.groups, n_directions=n_directions) for group in self.groups]
        return Vectors(hard_debias(self.targets, self.groups, n_directions=n_directions), groups)


def read_vectors(path: Path, n: int | None = None) -> np.ndarray:
    """Read stored vectors (n, d), in float64."""
    return np.asarray(arrays.open_array(path, "f", (n, None), finite=True), np.float64)


def read_groups(folder: Path, attribute: str, n_groups: int) -> list[np.ndarray]:
    """Read the vectors of each group's words; the file stores one group after another."""
    path = folder / "group_words" / f"{attribute}.npy"
    return list(arrays.split_rows(path, read_vectors(path), n_groups))


def assign_classes(labels: np.ndarray, groups: np.ndarray, n_groups: int, grouping: str) -> list[tuple[int, int]]:
    """Assign classes to groups, (class, group), for metrics whose targets represent groups, such as WEAT.

    By COUNT, a class represents the group with most of its texts; by SHARE, the one in which it has the largest share.
    A group without a class gets the class with the largest share in it, so a class can represent several groups.
    """
    members = np.eye(n_groups)[groups]
    counts = members.T @ labels
    shares = counts / np.maximum(1, members.sum(axis=0))[:, None]
    by_class = (counts if grouping == COUNT else shares).argmax(axis=0)
    assignment = [(number, int(group)) for number, group in enumerate(by_class)]
    empty = sorted(set(range(n_groups)) - set(by_class.tolist()))
    return assignment + [(int(shares[group].argmax()), group) for group in empty]


def takes_groups(module: ModuleType, n_groups: int) -> bool:
    """Return whether a metric takes this number of groups."""
    minimum, maximum = module.METRIC.groups
    return minimum <= n_groups and (maximum is None or n_groups <= maximum)


def has_words(module: ModuleType) -> bool:
    """Return whether a metric scores single targets, without labels."""
    return "word" in module.METRIC.levels and not module.METRIC.levels["word"].labels


def score_texts(
    module: ModuleType, vectors: Vectors, labels: np.ndarray, assignment: list[tuple[int, int]],
    options: Mapping[str, object],
) -> float:  # fmt: skip
    """Return a metric's set-level score of all texts with labels (n, classes); NaN if a group has no texts.

    If the metric needs groups of targets, the texts of a class are of the group to which it is assigned, so a text is
    repeated for each of its classes.
    """
    if not module.METRIC.levels[SET].labels:
        return float(evaluation.evaluate_level(module, SET, vectors.targets, vectors.groups, None, **options))
    rows = [np.flatnonzero(labels[:, number]) for number, _ in assignment]
    groups = np.repeat([group for _, group in assignment], [len(part) for part in rows])
    if len(np.unique(groups)) < len(vectors.groups):
        return np.nan
    targets = vectors.targets[np.concatenate(rows)]
    return float(evaluation.evaluate_level(module, SET, targets, vectors.groups, groups, **options))


def score_classes(
    module: ModuleType, vectors: Vectors, labels: np.ndarray, options: Mapping[str, object]
) -> np.ndarray:
    """Return the mean score of each class's texts, with its sign (classes,); NaN for a class without texts."""
    values = evaluation.evaluate_level(module, "word", vectors.targets, vectors.groups, None, **options)
    return np.array([values[members == 1].mean() if members.any() else np.nan for members in labels.T])


def score_text_set(
    module: ModuleType, options: Mapping[str, object], folder: Path, texts: Texts, groups: list[np.ndarray],
    assignment: list[tuple[int, int]], n_directions: list[int],
) -> Iterator[tuple]:  # fmt: skip
    """Yield rows of a set of texts, stored in `folder`: version, n_directions, group_words, level, class, value."""
    has_set, titles = SET in module.METRIC.levels, read_vectors(folder / "titles.npy", len(texts.classes))
    for version in VERSIONS:
        targets = read_vectors(folder / f"{version}.npy", len(texts))
        for n in [0, *n_directions]:
            for kind in (RAW, DEBIASED) if n else (RAW,):
                key = version, n, kind
                vectors = Vectors(targets, groups).debias(n, with_groups=kind == DEBIASED)
                if has_set:
                    yield *key, SET, "", score_texts(module, vectors, texts.labels, assignment, options)
                if has_words(module):
                    values = score_classes(module, vectors, texts.labels, options)
                    yield from ((*key, CLASS, *row) for row in zip(texts.classes, values, strict=True))
        if has_set:
            each = np.eye(len(titles), dtype=int)
            value = score_texts(module, Vectors(titles, groups), each, assignment, options)
            yield version, 0, RAW, TITLES, "", value


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
            part, labels = Vectors(vectors.targets[rows], vectors.groups), texts.labels[rows]
            yield share, permutation, False, score_texts(module, part, labels, fixed, options)
            if module.METRIC.levels[SET].labels:
                own = assign_classes(labels, texts.groups[rows], n, grouping)
                yield share, permutation, True, score_texts(module, part, labels, own, options)


def score_pairs(
    module: ModuleType, vectors: np.ndarray, groups: Mapping[str, np.ndarray], first_groups: np.ndarray,
    second_groups: np.ndarray, options: Mapping[str, object],
) -> np.ndarray | None:  # fmt: skip
    """Return a metric's score of each of n pairs (n,), by the two groups of the pair, that of the stereotypical
    sentence first. None if the metric has no word level without labels."""
    if not has_words(module) or not takes_groups(module, 2):
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
