"""Scores of the SAME study: metrics on the stored embeddings of a model's test sentences."""

from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

import numpy as np

from biassay.language_models import encoding, templates
from biassay.measurement import evaluation

GROUPS = ("male", "female")  # the first is what a positive score points to, as p(male) does
UNRATED = -1


@dataclass(frozen=True)
class Embedded:
    """Embeddings of a model's test sentences, in float64, for n occupations and t templates.

    targets: (n, t, d). attributes: for each of GROUPS (t, d), whose i-th rows belong together. labels: (n,) the number
    of the occupation's stereotype in GROUPS, or UNRATED.
    """

    targets: np.ndarray
    attributes: list[np.ndarray]
    labels: np.ndarray


def read(folder: str | Path, pooling: str, stereotypes: list[str]) -> Embedded:
    """Read one pooling of a model's folder; stereotypes of its occupations are names of GROUPS or empty."""
    targets, attributes = (
        np.asarray(getattr(encoding.Encoded.open(Path(folder) / part), pooling), np.float64)
        for part in ("targets", "attributes")
    )
    groups = dict(zip(templates.GROUPS, np.split(attributes, len(templates.GROUPS)), strict=True))
    labels = np.array([GROUPS.index(name) if name else UNRATED for name in stereotypes])
    width = targets.shape[-1]
    return Embedded(targets.reshape(len(labels), -1, width), [groups[name] for name in GROUPS], labels)


def samples(module: ModuleType, embedded: Embedded) -> np.ndarray | None:
    """A metric's value of each occupation, the mean over its sentences: (n,).

    NaN where the metric needs a stereotype that the occupation lacks; None if it has no values of single targets.
    """
    if "sample" not in module.METRIC.levels:
        return None
    found = np.full(len(embedded.labels), np.nan)
    used = _used(module, "sample", embedded, np.arange(len(found)))
    if used is not None:
        found[used] = _call(module, "sample", embedded, used).reshape(len(used), -1).mean(axis=1)
    return found


def of_set(module: ModuleType, embedded: Embedded, occupations: np.ndarray | None = None) -> float | None:
    """A metric's value of all sentences of some occupations, given by number (None: all).

    A metric that compares stereotypes sees the rated occupations only, each on its side: NaN if a side is empty. None
    if the metric has no value of a set.
    """
    if "set" not in module.METRIC.levels:
        return None
    used = _used(module, "set", embedded, np.arange(len(embedded.labels)) if occupations is None else occupations)
    return np.nan if used is None else float(_call(module, "set", embedded, used))


def halves(n: int, draws: int, *, seed: int) -> np.ndarray:
    """Random halves of n occupations, by number and in order, the smaller one of an odd n: (draws, n // 2)."""
    random = np.random.default_rng([seed, n])
    return np.sort([random.permutation(n)[: n // 2] for _ in range(draws)], axis=1)


def _used(module: ModuleType, level: str, embedded: Embedded, occupations: np.ndarray) -> np.ndarray | None:
    """The occupations that a level can use; None if it needs two sides and they have not both."""
    if not module.METRIC.levels[level].labels:
        return occupations
    rated = occupations[embedded.labels[occupations] != UNRATED]
    return rated if len(np.unique(embedded.labels[rated])) == len(GROUPS) else None


def _call(module: ModuleType, level: str, embedded: Embedded, occupations: np.ndarray) -> np.ndarray | float:
    """The metric's function on the sentences of occupations."""
    targets = embedded.targets[occupations]
    attributes = embedded.attributes if module.METRIC.groups != (0, 0) else []
    labels = np.repeat(embedded.labels[occupations], targets.shape[1])
    labels = labels if module.METRIC.levels[level].labels else None
    return evaluation.value(module, level, targets.reshape(-1, targets.shape[-1]), attributes, labels)
