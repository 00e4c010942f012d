"""Quality of cross-validated classifiers, and gaps between their rates for different groups (same-2024 §4.3.3)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from biassay.core import registry
from biassay.metrics import tpr_gap
from biassay.studies.downstream.texts import MIN_TEXTS

THRESHOLD = 0.5
BLOCK = 1 << 22  # resampled texts in memory at once
QUALITY = ("recall", "precision", "class_recall", "class_precision")


@dataclass(frozen=True)
class Summary:
    """A classifier's quality and gaps.

    Attributes
    ----------
    classes : DataFrame
        One row per class, see `summarise`.
    gaps : ndarray, shape (folds, classes)
        NaN where a group has no text of the class in the fold.
    recall, precision, f1 : float
        Over all labels.
    gap, gap_std : float
        Means of the classes' absolute values.
    is_valid : bool
        Whether the quality exceeds all minimum values.
    """

    classes: pd.DataFrame
    gaps: np.ndarray
    recall: float
    precision: float
    f1: float
    gap: float
    gap_std: float
    is_valid: bool


def summarise(
    probabilities: np.ndarray, labels: np.ndarray, groups: np.ndarray, folds: np.ndarray, *, classes: Sequence[str],
    names: Sequence[str], min_quality: Mapping[str, float], n_resamples: int = 1000, seed: int = 1,
) -> Summary:  # fmt: skip
    """Summarise a cross-validated classifier.

    Parameters
    ----------
    probabilities : ndarray, shape (n, classes)
        Predictions for texts of the held-out folds.
    labels : ndarray, shape (n, classes)
        0 or 1.
    groups, folds : ndarray, shape (n,)
        Numbers of the groups (`names`) and folds.
    classes, names : sequence of str
    min_quality : mapping
        Values of QUALITY that a valid classifier exceeds; class_recall and class_precision hold for every class.
    n_resamples : int
    seed : int

    Returns
    -------
    Summary
        Rows of its classes: recall, precision and F1 over all texts, NaN where undefined; gap, the mean over folds of
        TPR_first − TPR_second, or with more groups of the variance of their TPRs (ddof 0); gap_std, likewise with their
        standard deviation (with two groups equal to gap); low, high, the 95 % bootstrap interval of the gap, texts
        resampled within folds; n_texts_by_group in the order of `names`; too_small, fewer than MIN_TEXTS of a group.
        Folds without texts of a class in a group do not count for that class. Overall recall and precision count every
        label once; F1 is the mean of the classes' F1 weighted by their texts.

    Raises
    ------
    ValueError
        If shapes do not fit.
    """
    probabilities, labels, groups, folds = (np.asarray(array) for array in (probabilities, labels, groups, folds))
    if not (probabilities.shape == labels.shape == (len(groups), len(classes)) and folds.shape == groups.shape):
        raise ValueError(
            f"probabilities {probabilities.shape}, labels {labels.shape}, groups {groups.shape}, folds {folds.shape}, "
            f"{len(classes)} classes: expected the same texts and classes"
        )
    registry.check_names("min_quality", list(min_quality), QUALITY)
    predicted, ground_truth = probabilities > THRESHOLD, labels == 1
    parts = [_cells(predicted[rows], ground_truth[rows], groups[rows], len(names)) for rows in _rows(folds)]
    rates = _rates(np.stack([cells.sum(axis=0) for cells in parts]))
    gaps = tpr_gap.compare_rates(rates)
    gap, gap_std = _mean(gaps), _mean(tpr_gap.compare_rates(rates, spread="std"))
    low, high = _interval(parts, n_resamples, seed)
    n_texts = np.eye(len(names), dtype=np.int64)[groups].T @ ground_truth
    table = pd.DataFrame({"class": list(classes), **_quality(predicted, ground_truth), "gap": gap})
    table = table.assign(gap_std=gap_std, low=low, high=high,
                         n_texts_by_group=["/".join(map(str, column)) for column in n_texts.T],
                         too_small=(n_texts < MIN_TEXTS).any(axis=0))  # fmt: skip
    hits, n_predicted, n_true = (predicted & ground_truth).sum(), predicted.sum(), ground_truth.sum()
    overall = {"recall": _share(hits, n_true), "precision": _share(hits, n_predicted)}
    quality = overall | {f"class_{name}": table[name].min(skipna=False) for name in ("recall", "precision")}
    f1 = float(np.nansum(table["f1"] * ground_truth.sum(axis=0)) / max(1, n_true))
    is_valid = all(bool(quality[name] > value) for name, value in min_quality.items())
    return Summary(table, gaps, **overall, f1=f1, gap=_mean_size(gap), gap_std=_mean_size(gap_std), is_valid=is_valid)


def _quality(predicted: np.ndarray, ground_truth: np.ndarray) -> dict[str, np.ndarray]:
    hits, n_predicted, n_true = (array.sum(axis=0) for array in (predicted & ground_truth, predicted, ground_truth))
    recall, precision = _share(hits, n_true), _share(hits, n_predicted)
    return {"recall": recall, "precision": precision, "f1": _share(2 * hits, n_predicted + n_true)}


def _share(part: np.ndarray, whole: np.ndarray) -> np.ndarray:
    share = np.divide(part, whole, out=np.full(np.shape(whole), np.nan), where=np.asarray(whole) > 0)
    return share if share.ndim else float(share)


def _rows(folds: np.ndarray) -> list[np.ndarray]:
    return [np.flatnonzero(folds == fold) for fold in np.unique(folds)]


def _cells(predicted: np.ndarray, ground_truth: np.ndarray, groups: np.ndarray, n_groups: int) -> np.ndarray:
    """Return what each text adds to the hits and positives of each group and class (texts, 2, groups, classes)."""
    members = np.eye(n_groups, dtype=np.float32)[groups]
    return np.einsum(
        "ng,ntc->ntgc", members, np.stack([predicted & ground_truth, ground_truth], axis=1).astype(np.float32)
    )


def _rates(sums: np.ndarray) -> np.ndarray:
    """Return true positive rates (…, groups, classes) from hits and positives (…, 2, groups, classes)."""
    return _share(sums[..., 0, :, :].astype(np.float64), sums[..., 1, :, :])


def _mean(values: np.ndarray) -> np.ndarray:
    """Return the mean over folds (…, folds, classes), ignoring NaN."""
    return _share(np.nansum(values, axis=-2), (~np.isnan(values)).sum(axis=-2))


def _mean_size(values: np.ndarray) -> float:
    """Return the mean absolute value, ignoring NaN."""
    sizes = np.abs(values[~np.isnan(values)])
    return float(sizes.mean()) if len(sizes) else np.nan


def _interval(parts: list[np.ndarray], n_resamples: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the 2.5 % and 97.5 % quantiles of each class's gap, with the texts of every fold resampled."""
    random, shape = np.random.default_rng(seed), parts[0].shape[1:]
    size = max(1, BLOCK // max(map(len, parts)))
    resampled = []
    for first in range(0, n_resamples, size):
        count = min(size, n_resamples - first)
        sums = [_draw_counts(len(cells), count, random) @ cells.reshape(len(cells), -1) for cells in parts]
        resampled.append(
            _mean(tpr_gap.compare_rates(_rates(np.stack(sums, axis=1).reshape(count, len(parts), *shape))))
        )
    values = np.concatenate(resampled)
    defined = ~np.isnan(values).all(axis=0)
    low, high = np.full((2, shape[-1]), np.nan)
    low[defined], high[defined] = np.nanquantile(values[:, defined], [0.025, 0.975], axis=0)
    return low, high


def _draw_counts(n: int, count: int, random: np.random.Generator) -> np.ndarray:
    """Return how often each of n texts is drawn in each resample (count, n)."""
    places = random.integers(n, size=(count, n)) + n * np.arange(count)[:, None]
    return np.bincount(places.ravel(), minlength=count * n).reshape(count, n).astype(np.float32)
