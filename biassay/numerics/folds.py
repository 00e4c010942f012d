"""Folds of a cross-validation that have their share of every class and group."""

from collections.abc import Sequence

import numpy as np


def assign_folds(labels: np.ndarray, groups: np.ndarray, n: int, seed: int) -> np.ndarray:
    """Numbers of folds, 0 … n − 1, of texts with labels (texts, classes) of 0 and 1, several allowed, and groups
    (texts,): (texts,).

    Texts with the same classes and group are dealt out one after another, so folds differ by one text at most, and by
    one of each such set. Raises ValueError for n below 2 or above the number of texts, and lengths that differ.
    """
    labels, groups = np.asarray(labels), np.asarray(groups)
    if labels.ndim != 2 or groups.shape != labels.shape[:1]:
        raise ValueError(f"labels {labels.shape}, groups {groups.shape}: must be of the same texts")
    if not 2 <= n <= len(labels):
        raise ValueError(f"folds: {n}; give 2 to {len(labels)}, the number of different texts")
    found = np.empty(len(labels), np.int64)
    found[shuffle_by_kind(np.column_stack([labels, groups]), seed)] = np.arange(len(labels)) % n
    return found


def assign_folds_by_text(labels: np.ndarray, groups: np.ndarray, equals: Sequence[str], n: int, seed: int) -> np.ndarray:
    """`folds` of texts of which those whose `equals`, (texts,), are equal come into the same one.

    Each such set is dealt out as one text, with the classes and group of its first. Raises ValueError as `folds` does,
    and for n above the number of sets.
    """
    if not len(equals) == len(labels) == len(groups):
        raise ValueError(f"{len(equals)} equals, {len(labels)} labels, {len(groups)} groups: must be of the same texts")
    numbers = {value: number for number, value in enumerate(sorted(set(equals)))}
    _, first, same = np.unique([numbers[value] for value in equals], return_index=True, return_inverse=True)
    return assign_folds(np.asarray(labels)[first], np.asarray(groups)[first], n, seed)[same]


def shuffle_by_kind(kinds: np.ndarray, seed: int) -> np.ndarray:
    """An order of texts in which those of the same kind, rows (texts, any) that are equal, follow one another, in a
    random order: (texts,) numbers."""
    order = np.random.default_rng(seed).permutation(len(kinds))
    _, numbers = np.unique(kinds[order], axis=0, return_inverse=True)
    return order[np.argsort(numbers.reshape(-1), kind="stable")]
