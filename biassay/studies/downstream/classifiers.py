"""Quality of cross-validated classifiers, and gaps between their rates for different groups (same-2024 §4.3.3)."""

import warnings
from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from biassay.metrics import tpr_gap
from biassay.statistics.intervals import count_cases
from biassay.studies.downstream.texts import MIN_TEXTS

THRESHOLD = 0.5
BLOCK = 1 << 22  # resampled texts in memory at once


def summarise(
    probabilities: np.ndarray, labels: np.ndarray, groups: np.ndarray, folds: np.ndarray, *, classes: Sequence[str],
    names: Sequence[str], min_quality: Mapping[str, float], n_resamples: int = 1000, seed: int = 1,
) -> tuple[pd.DataFrame, dict[str, float | bool]]:  # fmt: skip
    """Summarise a cross-validated classifier by its probabilities (n, classes) for texts of the held-out folds.

    Labels (n, classes) are 0 or 1; groups and folds (n,) are numbers. A valid classifier exceeds `min_quality`: values
    of recall, precision, and, for every class, class_recall and class_precision.

    Returns
    -------
    classes : DataFrame
        Recall, precision and F1 over all texts, NaN where undefined; gap, the mean over folds of TPR_first −
        TPR_second, or with more groups of the variance of their TPRs (ddof 0); gap_std, likewise with their standard
        deviation; low, high, the 95 % bootstrap interval of the gap, with texts resampled within folds;
        n_texts_by_group in the order of `names`; too_small, fewer than MIN_TEXTS of a group. Folds without texts of a
        class in a group do not count for that class.
    classifier : dict
        recall and precision over all labels; f1, the mean of the classes' F1, weighted by their texts; gap and gap_std,
        means of the classes' absolute values; is_valid.
    """
    predicted, is_true = probabilities > THRESHOLD, labels == 1
    by_fold = [np.flatnonzero(folds == fold) for fold in np.unique(folds)]
    parts = [_count_by_text(predicted[rows], is_true[rows], groups[rows], len(names)) for rows in by_fold]
    rates = _compute_rates(np.stack([counts.sum(axis=0) for counts in parts]))
    low, high = _bootstrap(parts, n_resamples, seed)
    n_texts = np.eye(len(names), dtype=np.int64)[groups].T @ is_true
    hits, n_predicted, n_true = (array.sum(axis=0) for array in (predicted & is_true, predicted, is_true))
    table = pd.DataFrame({
        "class": list(classes), "recall": _divide(hits, n_true), "precision": _divide(hits, n_predicted),
        "f1": _divide(2 * hits, n_predicted + n_true), "gap": mean_over_folds(tpr_gap.compare_rates(rates)),
        "gap_std": mean_over_folds(tpr_gap.compare_rates(rates, spread="std")), "low": low, "high": high,
        "n_texts_by_group": ["/".join(map(str, column)) for column in n_texts.T],
        "too_small": (n_texts < MIN_TEXTS).any(axis=0),
    })  # fmt: skip
    quality = {"recall": float(_divide(hits.sum(), n_true.sum())),
               "precision": float(_divide(hits.sum(), n_predicted.sum()))}  # fmt: skip
    of_classes = {f"class_{name}": table[name].min(skipna=False) for name in quality}
    is_valid = all(bool((quality | of_classes)[name] > value) for name, value in min_quality.items())
    f1 = float(np.nansum(table["f1"] * n_true) / n_true.sum())
    return table, quality | {"f1": f1, **table[["gap", "gap_std"]].abs().mean().to_dict(), "is_valid": is_valid}


def _divide(part: np.ndarray, whole: np.ndarray) -> np.ndarray:
    """Divide; NaN where both are 0."""
    with np.errstate(invalid="ignore"):
        return np.divide(part, whole)


def _count_by_text(predicted: np.ndarray, is_true: np.ndarray, groups: np.ndarray, n_groups: int) -> np.ndarray:
    """Return what each text adds to the hits and positives of each group and class (texts, 2, groups, classes)."""
    members, hits = np.eye(n_groups, dtype=np.float32)[groups], predicted & is_true
    return np.einsum("ng,ntc->ntgc", members, np.stack([hits, is_true], axis=1))


def _compute_rates(counts: np.ndarray) -> np.ndarray:
    """Return true positive rates (…, groups, classes) from hits and positives (…, 2, groups, classes)."""
    return _divide(counts[..., 0, :, :].astype(np.float64), counts[..., 1, :, :])


def mean_over_folds(values: np.ndarray) -> np.ndarray:
    """Return the mean of values (…, folds, classes) over folds, ignoring NaN."""
    return _divide(np.nansum(values, axis=-2), (~np.isnan(values)).sum(axis=-2))


def _bootstrap(parts: list[np.ndarray], n_resamples: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the 2.5 % and 97.5 % quantiles of each class's gap, with the texts of every fold resampled."""
    random, shape = np.random.default_rng(seed), parts[0].shape[1:]
    size = max(1, BLOCK // max(map(len, parts)))
    resampled = []
    for count in np.diff([*range(0, n_resamples, size), n_resamples]):
        sums = []
        for counts in parts:
            drawn = count_cases(random.integers(len(counts), size=(count, len(counts))), len(counts))
            sums.append(drawn.astype(np.float32) @ counts.reshape(len(counts), -1))
        rates = _compute_rates(np.stack(sums, axis=1).reshape(count, len(parts), *shape))
        resampled.append(mean_over_folds(tpr_gap.compare_rates(rates)))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # of classes without a value
        return tuple(np.nanquantile(np.concatenate(resampled), [0.025, 0.975], axis=0))
