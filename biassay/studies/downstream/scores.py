"""Metrics on the stored vectors of a model: of classes of texts, of all texts, of titles, of pairs of sentences."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import ModuleType

import numpy as np

from biassay.measurement import evaluation
from biassay.studies.downstream.texts import Texts
from biassay.vectors.debias import hard_debias

SET, CLASS, TITLES = "set", "class", "titles"
RAW, DEBIASED = TERMS = ("raw", "debiased")
COUNT, SHARE = "count", "share"


@dataclass(frozen=True)
class Vectors:
    """Vectors (n, d) of texts or titles, terms of each group (m, d), whose i-th rows belong together."""

    targets: np.ndarray
    terms: list[np.ndarray]

    def debiased(self, k: int, of_terms: bool) -> "Vectors":
        """With the first k components of the terms taken out of the targets (Bolukbasi et al.), of unit length before
        and after; of_terms: out of the terms, too. k = 0: as they are."""
        if not k:
            return self
        terms = [hard_debias(group, self.terms, n_directions=k) for group in self.terms] if of_terms else self.terms
        return Vectors(hard_debias(self.targets, self.terms, n_directions=k), terms)


def sides(labels: np.ndarray, groups: np.ndarray, n: int, grouping: str) -> list[tuple[int, int]]:
    """Which classes stand for which of n groups as WEAT's targets: (class, group), by number.

    labels (texts, classes), groups (texts,). count: a class goes with the group that has most of its texts. share: with
    the group in which it makes up the largest share. A group without a class takes the one that is its largest share,
    so that a class may serve several.
    """
    members = np.eye(n)[groups]
    counts = members.T @ labels
    shares = counts / np.maximum(1, members.sum(axis=0))[:, None]
    of_class = (counts if grouping == COUNT else shares).argmax(axis=0)
    found = [(number, int(group)) for number, group in enumerate(of_class)]
    empty = sorted(set(range(n)) - set(of_class.tolist()))
    return found + [(int(shares[group].argmax()), group) for group in empty]


def targets_of(labels: np.ndarray, chosen: list[tuple[int, int]]) -> tuple[np.ndarray, np.ndarray]:
    """Rows of all texts of the classes, and the group that each stands for; a text of several classes comes again."""
    rows = [np.flatnonzero(labels[:, number]) for number, _ in chosen]
    groups = np.repeat([group for _, group in chosen], [len(part) for part in rows])
    return np.concatenate(rows), groups


def takes(module: ModuleType, groups: int) -> bool:
    """Whether a metric takes so many groups."""
    least, most = module.METRIC.groups
    return least <= groups and (most is None or groups <= most)


def of_set(
    module: ModuleType, vectors: Vectors, labels: np.ndarray, chosen: list[tuple[int, int]],
    options: Mapping[str, object],
) -> float:  # fmt: skip
    """A metric's value of all texts with labels (n, classes); NaN without texts on some side."""
    if not module.METRIC.levels[SET].labels:
        return float(evaluation.evaluate_level(module, SET, vectors.targets, vectors.terms, None, **options))
    rows, groups = targets_of(labels, chosen)
    if len(np.unique(groups)) < len(vectors.terms):
        return np.nan
    return float(evaluation.evaluate_level(module, SET, vectors.targets[rows], vectors.terms, groups, **options))


def of_classes(
    module: ModuleType, vectors: Vectors, labels: np.ndarray, options: Mapping[str, object]
) -> np.ndarray | None:
    """The mean of a metric's values of each class's texts, with their sign: (classes,), NaN for a class without texts;
    None if it has none."""
    if "word" not in module.METRIC.levels or module.METRIC.levels["word"].labels:
        return None
    values = evaluation.evaluate_level(module, "word", vectors.targets, vectors.terms, None, **options)
    return np.array([values[of_class == 1].mean() if of_class.any() else np.nan for of_class in labels.T])


def subsets(
    module: ModuleType, vectors: Vectors, texts: Texts, grouping: str, options: Mapping[str, object],
    shares: list[float], permutations: int, *, seed: int,
) -> Iterator[tuple[float, int, bool, float]]:  # fmt: skip
    """Values of nested random subsets: (share, permutation, regrouped, value); with its targets' groups as in all
    texts, and, of a metric that has some, by the texts of the subset too."""
    n, random = len(texts.names), np.random.default_rng(seed)
    fixed = sides(texts.labels, texts.groups, n, grouping)
    for permutation in range(permutations):
        order = random.permutation(len(texts))
        for share in shares:
            rows = order[: max(1, round(share * len(order)))]
            part = Vectors(vectors.targets[rows], vectors.terms)
            yield share, permutation, False, of_set(module, part, texts.labels[rows], fixed, options)
            if module.METRIC.levels[SET].labels:
                again = sides(texts.labels[rows], texts.groups[rows], n, grouping)
                yield share, permutation, True, of_set(module, part, texts.labels[rows], again, options)


def of_pairs(
    module: ModuleType, vectors: np.ndarray, terms: Mapping[str, np.ndarray], first_groups: np.ndarray,
    second_groups: np.ndarray, options: Mapping[str, object],
) -> np.ndarray | None:  # fmt: skip
    """A metric's value of each of n pairs, by the two groups of the pair, the one that the first sentence names first:
    (n,); None if it has no values of single words."""
    if "word" not in module.METRIC.levels or module.METRIC.levels["word"].labels or not takes(module, 2):
        return None
    found = np.empty(len(vectors))
    for first, second in sorted(set(zip(first_groups, second_groups, strict=True))):
        rows = (first_groups == first) & (second_groups == second)
        of_two = [terms[first], terms[second]]
        found[rows] = evaluation.evaluate_level(module, "word", vectors[rows], of_two, None, **options)
    return found


def of_pair_set(
    module: ModuleType, vectors: np.ndarray, terms: Mapping[str, np.ndarray], first_groups: np.ndarray,
    options: Mapping[str, object],
) -> float | None:  # fmt: skip
    """A metric's value of all pairs, by all groups, or with labels by those that the first sentences name; None if it
    does not take as many."""
    if SET not in module.METRIC.levels:
        return None
    labelled = module.METRIC.levels[SET].labels
    names = [name for name in terms if name in first_groups] if labelled else list(terms)
    if len(names) < 2 or not takes(module, len(names)):
        return None
    labels = np.array([names.index(name) for name in first_groups]) if labelled else None
    return float(evaluation.evaluate_level(module, SET, vectors, [terms[name] for name in names], labels, **options))
