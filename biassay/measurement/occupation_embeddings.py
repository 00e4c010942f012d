"""Metrics on stored embeddings of a model's sentences, several of each occupation."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType, ModuleType

import numpy as np

from biassay.measurement import evaluation

UNRATED = -1
NONE: Mapping[str, object] = MappingProxyType({})


@dataclass(frozen=True)
class OccupationEmbeddings:
    """Embeddings of a model's test sentences, in float64, for n occupations and t sentences of each.

    targets: (n, t, d). groups: of each group (m, d), whose i-th rows belong together. labels: (n,) the number of
    the group that the occupation is stereotyped as, or UNRATED.
    """

    targets: np.ndarray
    groups: list[np.ndarray]
    labels: np.ndarray


def score_words(module: ModuleType, embedded: OccupationEmbeddings, options: Mapping[str, object] = NONE) -> np.ndarray | None:
    """A metric's value of each occupation, the mean over its sentences: (n,).

    NaN where the metric needs a stereotype that the occupation lacks; None if it has no values of single words.
    """
    if "word" not in module.METRIC.levels:
        return None
    found = np.full(len(embedded.labels), np.nan)
    used = _used(module, "word", embedded, np.arange(len(found)))
    if used is not None:
        found[used] = _call(module, "word", embedded, used, options).reshape(len(used), -1).mean(axis=1)
    return found


def score_set(
    module: ModuleType, embedded: OccupationEmbeddings, occupations: np.ndarray | None = None,
    options: Mapping[str, object] = NONE, by_case: bool = False,
) -> float | None:  # fmt: skip
    """A metric's value of all sentences of some occupations, given by number (None: all).

    A metric that compares stereotypes sees the rated occupations only, each on its side: NaN if a side is empty. None
    if the metric has no value of a set. by_case: where the metric can tell the sentences of one occupation from the
    others, they say nothing of each other.
    """
    if "set" not in module.METRIC.levels:
        return None
    used = _used(module, "set", embedded, np.arange(len(embedded.labels)) if occupations is None else occupations)
    if used is None:
        return np.nan
    if by_case and hasattr(module, "set_bias_by_case"):
        targets, labels = _rows(embedded, used)
        cases = np.repeat(np.arange(len(used)), embedded.targets.shape[1])
        return evaluation.evaluate_by_case(module, targets, labels, cases, **options)
    return float(_call(module, "set", embedded, used, options))


def draw_halves(n: int, n_subsets: int, *, seed: int) -> np.ndarray:
    """Random halves of n occupations, by number and in order, the smaller one of an odd n: (draws, n // 2)."""
    random = np.random.default_rng([seed, n])
    return np.sort([random.permutation(n)[: n // 2] for _ in range(n_subsets)], axis=1)


def _used(module: ModuleType, level: str, embedded: OccupationEmbeddings, occupations: np.ndarray) -> np.ndarray | None:
    """The occupations that a level can use; None if it needs all sides and they have not."""
    if not module.METRIC.levels[level].labels:
        return occupations
    rated = occupations[embedded.labels[occupations] != UNRATED]
    return rated if len(np.unique(embedded.labels[rated])) == len(embedded.groups) else None


def _rows(embedded: OccupationEmbeddings, occupations: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """All sentences of occupations, and the labels of each."""
    targets = embedded.targets[occupations]
    labels = np.repeat(embedded.labels[occupations], targets.shape[1])
    return targets.reshape(-1, targets.shape[-1]), labels


def _call(
    module: ModuleType, level: str, embedded: OccupationEmbeddings, occupations: np.ndarray, options: Mapping[str, object]
) -> np.ndarray | float:
    """The metric's function on the sentences of occupations."""
    targets, labels = _rows(embedded, occupations)
    groups = embedded.groups if module.METRIC.groups != (0, 0) else []
    labels = labels if module.METRIC.levels[level].labels else None
    return evaluation.evaluate_level(module, level, targets, groups, labels, **options)
