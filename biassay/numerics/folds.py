"""Folds of a cross-validation that have their share of every class and group."""

import numpy as np


def folds(labels: np.ndarray, groups: np.ndarray, n: int, seed: int) -> np.ndarray:
    """Numbers of folds, 0 … n − 1, of texts with labels (texts, classes) of 0 and 1, several allowed, and groups
    (texts,): (texts,).

    Texts with the same classes and group are dealt out one after another, so folds differ by one text at most, and by
    one of each such set. Raises ValueError for n below 2 or above the number of texts, and lengths that differ.
    """
    labels, groups = np.asarray(labels), np.asarray(groups)
    if labels.ndim != 2 or groups.shape != labels.shape[:1]:
        raise ValueError(f"labels {labels.shape}, groups {groups.shape}: must be of the same texts")
    if not 2 <= n <= len(labels):
        raise ValueError(f"folds: {n}; give 2 to {len(labels)}, the number of texts")
    found = np.empty(len(labels), np.int64)
    found[spread(np.column_stack([labels, groups]), seed)] = np.arange(len(labels)) % n
    return found


def spread(kinds: np.ndarray, seed: int) -> np.ndarray:
    """An order of texts in which those of the same kind, rows (texts, any) that are equal, follow one another, in a
    random order: (texts,) numbers."""
    order = np.random.default_rng(seed).permutation(len(kinds))
    _, numbers = np.unique(kinds[order], axis=0, return_inverse=True)
    return order[np.argsort(numbers.reshape(-1), kind="stable")]
