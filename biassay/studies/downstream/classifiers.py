"""Quality of cross-validated classifiers, and gaps between their rates for different groups (same-2024 §4.3.3)."""

import warnings
from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from biassay.metrics import tpr_gap
from biassay.statistics.intervals import ROUNDING, count_cases
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
        deviation; low, high, the 95 % bootstrap interval of the gap, with texts resampled within folds, NaN
        without a width, and for more than two groups possibly below the gap, because sampling raises a variance;
        n_texts_by_group in the order of `names`; too_small, fewer than MIN_TEXTS of a group. Folds without texts of a
        class in a group do not count for that class.
    classifier : dict
        recall and precision over all labels; f1, the mean of the classes' F1, weighted by their texts; gap and gap_std,
        means of the classes' absolute values; is_valid.
    """
    predicted, is_true = probabilities > THRESHOLD, labels == 1
    members, hits = np.eye(len(names), dtype=np.float32)[groups].T, (predicted & is_true)[:, None]
    gap, gap_std = (mean_gaps(members[None], hits, is_true, folds, spread)[0, 0] for spread in ("variance", "std"))
    low, high = _bootstrap(members, hits, is_true, folds, n_resamples, seed)
    if len(names) > 2:  # sampling raises a variance, and resampling raises it once more
        low, high = (np.maximum(0, 2 * gap - limit) for limit in (high, low))
    low, high = np.where(high - low > ROUNDING, (low, high), np.nan)
    n_texts = members.astype(np.int64) @ is_true
    n_hits, n_predicted, n_true = (array.sum(axis=0) for array in (hits[:, 0], predicted, is_true))
    table = pd.DataFrame({
        "class": list(classes), "recall": _divide(n_hits, n_true), "precision": _divide(n_hits, n_predicted),
        "f1": _divide(2 * n_hits, n_predicted + n_true), "gap": gap, "gap_std": gap_std, "low": low, "high": high,
        "n_texts_by_group": ["/".join(map(str, column)) for column in n_texts.T],
        "too_small": (n_texts < MIN_TEXTS).any(axis=0),
    })  # fmt: skip
    quality = {"recall": float(_divide(n_hits.sum(), n_true.sum())),
               "precision": float(_divide(n_hits.sum(), n_predicted.sum()))}  # fmt: skip
    of_classes = {f"class_{name}": table[name].min(skipna=False) for name in quality}
    is_valid = all(bool((quality | of_classes)[name] > value) for name, value in min_quality.items())
    f1 = float(np.nansum(table["f1"] * n_true) / n_true.sum())
    return table, quality | {"f1": f1, **table[["gap", "gap_std"]].abs().mean().to_dict(), "is_valid": is_valid}


def mean_gaps(
    members: np.ndarray, hits: np.ndarray, is_true: np.ndarray, folds: np.ndarray, spread: str = "variance"
) -> np.ndarray:
    """Return the mean over folds (n,) of `compare_groups` (draws, m, classes), without undefined gaps."""
    rows_of_folds = [np.flatnonzero(folds == fold) for fold in np.unique(folds)]
    gaps = [compare_groups(members[:, :, rows], hits[rows], is_true[rows], spread) for rows in rows_of_folds]
    return mean_if_defined(np.stack(gaps))


def compare_groups(members: np.ndarray, hits: np.ndarray, is_true: np.ndarray, spread: str = "variance") -> np.ndarray:
    """Return the gaps between the true positive rates of groups, of m classifiers: (draws, m, classes).

    members: (draws, groups, n) float32, how often each text counts in each group. hits, is_true: (n, m, classes) and
    (n, classes) of 0 and 1. NaN for a class without texts in a group.
    """
    flat = members.reshape(-1, len(hits))
    n_hits, n_true = (flat @ part.reshape(len(hits), -1).astype(np.float32, copy=False) for part in (hits, is_true))
    rates = _divide(n_hits.reshape(-1, *hits.shape[1:]).astype(np.float64), n_true[:, None])
    return tpr_gap.compare_rates(np.moveaxis(rates.reshape(*members.shape[:2], *hits.shape[1:]), 1, 2), spread=spread)


def mean_if_defined(values: np.ndarray) -> np.ndarray:
    """Return the mean over the first axis, without NaN."""
    return _divide(np.nansum(values, axis=0), (~np.isnan(values)).sum(axis=0))


def _divide(part: np.ndarray, whole: np.ndarray) -> np.ndarray:
    """Divide; NaN where both are 0."""
    with np.errstate(invalid="ignore"):
        return np.divide(part, whole)


def _bootstrap(
    members: np.ndarray, hits: np.ndarray, is_true: np.ndarray, folds: np.ndarray, n_resamples: int, seed: int
) -> tuple[np.ndarray, np.ndarray]:
    """Return the 2.5 % and 97.5 % quantiles of each class's gap, with the texts of every fold resampled."""
    random, resampled = np.random.default_rng(seed), []
    rows_of_folds = [np.flatnonzero(folds == fold) for fold in np.unique(folds)]
    size = max(1, BLOCK // max(map(len, rows_of_folds)))
    for count in np.diff([*range(0, n_resamples, size), n_resamples]):
        gaps = []
        for rows in rows_of_folds:
            drawn = count_cases(random.integers(len(rows), size=(count, len(rows))), len(rows)).astype(np.float32)
            gaps.append(compare_groups(drawn[:, None] * members[:, rows], hits[rows], is_true[rows]))
        resampled.append(mean_if_defined(np.stack(gaps))[:, 0])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # of classes without a value
        return tuple(np.nanquantile(np.concatenate(resampled), [0.025, 0.975], axis=0))
