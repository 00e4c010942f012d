"""Scores of metrics on stored sentence embeddings, with several sentences per occupation."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

import numpy as np

from biassay.core import arrays
from biassay.measurement import evaluation

UNRATED = -1


@dataclass(frozen=True)
class OccupationEmbeddings:
    """Embeddings of a model's test sentences: targets (n_occupations, n_sentences, d) and groups (m, d) in float64.

    The i-th rows of all groups belong together. labels (n_occupations,): number of the group that the occupation is
    stereotyped as, or UNRATED.
    """

    targets: np.ndarray
    groups: list[np.ndarray]
    labels: np.ndarray


def read(folder: str | Path, pooling: str, n_occupations: int, n_groups: int) -> OccupationEmbeddings:
    """Read one pooling of the sentences `targets` and `groups` of a folder; the occupations have no labels."""
    parts = []
    for part, n in (("targets", n_occupations), ("groups", n_groups)):
        path = Path(folder) / part
        vectors = arrays.open_array(path / f"{pooling}.npy", "f", (None, None), finite=True)
        parts.append(arrays.split_rows(path, np.asarray(vectors, np.float64), n))
    return OccupationEmbeddings(parts[0], list(parts[1]), np.full(n_occupations, UNRATED))


def score_words(
    module: ModuleType, embedded: OccupationEmbeddings, options: Mapping[str, object] | None = None
) -> np.ndarray | None:
    """Compute a metric's value of each occupation, the mean over its sentences: (n_occupations,).

    NaN if the metric needs a stereotype that the occupation lacks; None if the metric has no word level.
    """
    if "word" not in module.METRIC.levels:
        return None
    scores = np.full(len(embedded.labels), np.nan)
    usable = _select_usable(module, "word", embedded, np.arange(len(scores)))
    if len(usable):
        scores[usable] = _evaluate(module, "word", embedded, usable, options).reshape(len(usable), -1).mean(axis=1)
    return scores


def score_set(
    module: ModuleType,
    embedded: OccupationEmbeddings,
    occupations: np.ndarray | None = None,
    options: Mapping[str, object] | None = None,
    by_case: bool = False,
) -> float | None:
    """Compute a metric's value of all sentences of some occupations, given by number; by default all.

    `by_case` treats the sentences of an occupation as one unit, if the metric has `set_bias_by_case`. Metrics that need
    labels use rated occupations only; NaN if a group has none. None if the metric has no set level.
    """
    if "set" not in module.METRIC.levels:
        return None
    occupations = np.arange(len(embedded.labels)) if occupations is None else occupations
    usable = _select_usable(module, "set", embedded, occupations)
    return _evaluate(module, "set", embedded, usable, options, by_case) if len(usable) else np.nan


def draw_halves(n: int, n_subsets: int, *, seed: int) -> np.ndarray:
    """Draw random halves of n occupations, as sorted numbers, the smaller half if n is odd: (n_subsets, n // 2)."""
    random = np.random.default_rng([seed, n])
    return np.sort([random.permutation(n)[: n // 2] for _ in range(n_subsets)], axis=1)


def _select_usable(
    module: ModuleType, level: str, embedded: OccupationEmbeddings, occupations: np.ndarray
) -> np.ndarray:
    """Select the occupations that a level can use; none if it needs labels and a group has no occupation."""
    if not module.METRIC.levels[level].labels:
        return occupations
    rated = occupations[embedded.labels[occupations] != UNRATED]
    return rated if len(np.unique(embedded.labels[rated])) == len(embedded.groups) else rated[:0]


def _evaluate(
    module: ModuleType,
    level: str,
    embedded: OccupationEmbeddings,
    occupations: np.ndarray,
    options: Mapping[str, object] | None,
    by_case: bool = False,
) -> np.ndarray | float:
    """Evaluate a level of a metric on all sentences of occupations."""
    n_sentences, d = embedded.targets.shape[1:]
    targets = embedded.targets[occupations].reshape(-1, d)
    labels, options = np.repeat(embedded.labels[occupations], n_sentences), options or {}
    if by_case and hasattr(module, "set_bias_by_case"):
        cases = np.repeat(np.arange(len(occupations)), n_sentences)
        return evaluation.evaluate_by_case(module, targets, labels, cases, **options)
    groups = embedded.groups if module.METRIC.groups != (0, 0) else []
    used_labels = labels if module.METRIC.levels[level].labels else None
    return evaluation.evaluate_level(module, level, targets, groups, used_labels, **options)
