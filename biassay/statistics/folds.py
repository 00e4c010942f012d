"""Folds for cross-validation, stratified by classes and groups."""

from collections.abc import Sequence

import numpy as np


def assign_folds(labels: np.ndarray, groups: np.ndarray, n: int, seed: int) -> np.ndarray:
    """Assign texts to n folds, stratified by all combinations of classes and group: numbers (n_texts,) from 0.

    Fold sizes differ by at most one text, in total and for each combination. labels: 0 or 1, (n_texts, n_classes); a
    text may have several classes. groups: (n_texts,).
    """
    if not 2 <= n <= len(labels):
        raise ValueError(f"folds: expected 2 to {len(labels)}, the number of different texts, got {n}")
    folds = np.empty(len(labels), np.int64)
    folds[shuffle_by_kind(np.column_stack([labels, groups]), seed)] = np.arange(len(labels)) % n
    return folds


def assign_folds_by_text(labels: np.ndarray, groups: np.ndarray, texts: Sequence[str], n: int, seed: int) -> np.ndarray:
    """Assign texts as `assign_folds` does; equal texts share a fold, by the classes and group of the first."""
    _, first, inverse = np.unique(np.asarray(texts, object), return_index=True, return_inverse=True)
    return assign_folds(np.asarray(labels)[first], np.asarray(groups)[first], n, seed)[inverse]


def shuffle_by_kind(kinds: np.ndarray, seed: int) -> np.ndarray:
    """Return numbers (n,) of texts in random order, sorted so that texts with equal rows of kinds (n, any) adjoin."""
    order = np.random.default_rng(seed).permutation(len(kinds))
    _, numbers = np.unique(kinds[order], axis=0, return_inverse=True)
    return order[np.argsort(numbers.reshape(-1), kind="stable")]
