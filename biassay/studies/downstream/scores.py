"""Scores of the stored vectors of a model: of classes of texts, all texts, titles, and pairs of sentences."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from types import ModuleType

import numpy as np

from biassay.core import arrays
from biassay.measurement import evaluation
from biassay.statistics.seeds import seed_of
from biassay.studies.downstream.texts import VERSIONS, Texts
from biassay.vectors.debias import hard_debias

SET, CLASS, TITLES = "set", "class", "titles"
RAW, DEBIASED = "raw", "debiased"  # group words with which debiased vectors are scored
COUNT = "count"  # see `assign_classes`
WORDS = "words"  # see `choose_sets`
DIRECTIONS = 43  # purpose of seeds
Options = Mapping[str, object]  # of a metric
GroupVectors = list[np.ndarray]  # of the words of each group (m, d); the i-th rows belong together


def read_vectors(path: Path, n: int | None = None) -> np.ndarray:
    """Read stored vectors (n, d), in float64."""
    return np.asarray(arrays.open_array(path, "f", (n, None), finite=True), np.float64)


def read_groups(folder: Path, attribute: str, n_groups: int) -> GroupVectors:
    """Read the vectors of each group's words; the file stores one group after another."""
    path = folder / "group_words" / f"{attribute}.npy"
    return list(arrays.split_rows(path, read_vectors(path), n_groups))


def choose_sets(
    directions_from: str, groups: GroupVectors, vectors: np.ndarray, texts: Texts, *, seed: int
) -> GroupVectors:
    """Return the vectors by group whose i-th rows, together, give the bias directions: group words, or all texts.

    As in the published code, texts are paired at random, and those of smaller groups are drawn again until the groups
    have equally many.
    """
    if directions_from == WORDS:
        return groups
    random = np.random.default_rng(seed)
    rows = [np.flatnonzero(texts.groups == number) for number in range(len(groups))]
    largest = max(map(len, rows))
    drawn = (np.append(part, random.choice(part, largest - len(part))) for part in rows)
    return [vectors[random.permutation(part)] for part in drawn]


def assign_classes(labels: np.ndarray, groups: np.ndarray, n_groups: int, grouping: str) -> list[tuple[int, int]]:
    """Assign classes to groups, (class, group), for metrics whose targets represent groups, such as WEAT.

    By COUNT, a class represents the group with most of its texts; else the one in which it has the largest share. A
    group without a class gets the class with the largest share in it, so a class can represent several groups.
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
    module: ModuleType, targets: np.ndarray, groups: GroupVectors, labels: np.ndarray,
    assignment: list[tuple[int, int]], options: Options,
) -> float:  # fmt: skip
    """Return a metric's set-level score of all texts (n, d) with labels (n, classes); NaN if a group has no texts.

    If the metric needs groups of targets, the texts of a class are of the group to which it is assigned, so a text is
    repeated for each of its classes.
    """
    group_of_target = None
    if module.METRIC.levels[SET].labels:
        rows = [np.flatnonzero(labels[:, number]) for number, _ in assignment]
        group_of_target = np.repeat([group for _, group in assignment], [len(part) for part in rows])
        if len(np.unique(group_of_target)) < len(groups):
            return np.nan
        targets = targets[np.concatenate(rows)]
    return float(evaluation.evaluate_level(module, SET, targets, groups, group_of_target, **options))


def score_classes(
    module: ModuleType, targets: np.ndarray, groups: GroupVectors, labels: np.ndarray, options: Options
) -> np.ndarray:
    """Return the mean score of each class's texts, with its sign (classes,); NaN for a class without texts."""
    values = evaluation.evaluate_level(module, "word", targets, groups, None, **options)
    return np.array([values[members == 1].mean() if members.any() else np.nan for members in labels.T])


def score_text_set(
    module: ModuleType, options: Options, folder: Path, texts: Texts, groups: GroupVectors, grouping: str,
    n_directions: list[int], directions_from: str, *, seed: int,
) -> Iterator[tuple]:  # fmt: skip
    """Yield rows of a set of texts, stored in `folder`: version, n_directions, group_words, level, class, value."""
    has_set, titles = SET in module.METRIC.levels, read_vectors(folder / "titles.npy", len(texts.classes))
    assignment = assign_classes(texts.labels, texts.groups, len(groups), grouping)
    for version in VERSIONS:
        targets = read_vectors(folder / f"{version}.npy", len(texts))
        variants = [(0, RAW, targets, groups)]
        sets = choose_sets(directions_from, groups, targets, texts, seed=seed_of(seed, DIRECTIONS))
        for n in n_directions:
            debiased, *debiased_groups = (hard_debias(part, sets, n_directions=n) for part in (targets, *groups))
            variants += [(n, RAW, debiased, groups), (n, DEBIASED, debiased, debiased_groups)]
        for n, kind, *vectors in variants:
            if has_set:
                yield version, n, kind, SET, "", score_texts(module, *vectors, texts.labels, assignment, options)
            if has_words(module):
                values = score_classes(module, *vectors, texts.labels, options)
                yield from ((version, n, kind, CLASS, *row) for row in zip(texts.classes, values, strict=True))
        if has_set:
            each = np.eye(len(titles), dtype=int)
            value = score_texts(module, titles, groups, each, assignment, options)
            yield version, 0, RAW, TITLES, "", value


def score_subsets(
    module: ModuleType, targets: np.ndarray, groups: GroupVectors, texts: Texts, grouping: str, options: Options,
    shares: list[float], permutations: int, *, seed: int,
) -> Iterator[tuple[float, int, bool, float]]:  # fmt: skip
    """Yield (share, permutation, regrouped, score) of nested random subsets of texts.

    Classes represent groups as in all texts; if the metric needs labels, a second row (regrouped) assigns them again
    by the texts of the subset.
    """
    random = np.random.default_rng(seed)
    fixed = assign_classes(texts.labels, texts.groups, len(groups), grouping)
    for permutation in range(permutations):
        order = random.permutation(len(texts))
        for share in shares:
            rows = order[: max(1, round(share * len(order)))]
            part, labels = targets[rows], texts.labels[rows]
            yield share, permutation, False, score_texts(module, part, groups, labels, fixed, options)
            if module.METRIC.levels[SET].labels:
                own = assign_classes(labels, texts.groups[rows], len(groups), grouping)
                yield share, permutation, True, score_texts(module, part, groups, labels, own, options)


def score_pairs(
    module: ModuleType, vectors: np.ndarray, groups: Mapping[str, np.ndarray], first: np.ndarray, second: np.ndarray,
    options: Options,
) -> tuple[float | None, np.ndarray | None]:  # fmt: skip
    """Return a metric's set-level score of all pairs (n, d), and its score of each pair (n,), or None.

    The set is scored by all groups, or, with labels, by the groups of the first sentences; each pair by its two groups,
    that of the stereotypical sentence (first) first. None if the metric does not take as many groups, or lacks a level.
    """
    names, of_set, of_pairs = list(groups), None, None
    level = module.METRIC.levels.get(SET)
    if level and level.labels:
        names = [name for name in groups if name in first]
    if level and len(names) > 1 and takes_groups(module, len(names)):
        labels = np.array([names.index(name) for name in first]) if level.labels else None
        chosen = [groups[name] for name in names]
        of_set = float(evaluation.evaluate_level(module, SET, vectors, chosen, labels, **options))
    if has_words(module) and takes_groups(module, 2):
        of_pairs = np.empty(len(vectors))
        for one, other in sorted(set(zip(first, second, strict=True))):
            rows, two_groups = (first == one) & (second == other), [groups[one], groups[other]]
            of_pairs[rows] = evaluation.evaluate_level(module, "word", vectors[rows], two_groups, None, **options)
    return of_set, of_pairs
