"""What a cross-validated classifier is worth, and how far it treats groups alike (same-2024 §4.3.3)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from biassay.metrics import tpr_gap
from biassay.studies.downstream.texts import FEWEST
from biassay.support import registry

THRESHOLD = 0.5
BLOCK = 1 << 22  # numbers of drawn texts held at once
LEAST = ("recall", "precision", "class_recall", "class_precision")


@dataclass(frozen=True)
class Summary:
    """A classifier: `classes`, a row a class, see `summarise`; `gaps` (folds, classes), NaN where a group has no text
    of the class in the fold; overall recall, precision and F1; gap and spread, means of the classes' absolute values;
    and whether the classifier counts."""

    classes: pd.DataFrame
    gaps: np.ndarray
    recall: float
    precision: float
    f1: float
    gap: float
    spread: float
    counts: bool


def summarise(
    probabilities: np.ndarray, labels: np.ndarray, groups: np.ndarray, folds: np.ndarray, *, classes: Sequence[str],
    names: Sequence[str], least: Mapping[str, float], n_resamples: int = 1000, seed: int = 1,
) -> Summary:  # fmt: skip
    """Summarise a classifier from the probabilities (n, classes) that it gives texts it has not seen, in folds (n,),
    their labels (n, classes) of 0 and 1, and groups (n,), numbers of `names`.

    A class's row: recall, precision and F1 over all texts, NaN where they are not defined; gap, the mean over folds of
    TPR_first − TPR_second, or of more groups of their TPRs' variance, ddof 0; spread, the same of their standard
    deviations (of two groups the gap); low and high, the gap's 95 % bootstrap interval over texts, drawn within each
    fold; texts of each group in the order of `names`; too_small, where they are fewer than FEWEST. Folds in which a
    group has no text of a class are left out of its mean. Overall recall and precision count every label of a text
    once; F1 is the mean of the classes', weighted by their texts. A classifier counts if it exceeds all of `least`, of
    which class_recall and class_precision hold for every class. Raises ValueError for shapes that do not fit.
    """
    probabilities, labels, groups, folds = (np.asarray(array) for array in (probabilities, labels, groups, folds))
    if not (probabilities.shape == labels.shape == (len(groups), len(classes)) and folds.shape == groups.shape):
        raise ValueError(
            f"probabilities {probabilities.shape}, labels {labels.shape}, groups {groups.shape}, folds {folds.shape}, "
            f"{len(classes)} classes: must be of the same texts and classes"
        )
    registry.check_names("least", list(least), LEAST)
    found, ground_truth = probabilities > THRESHOLD, labels == 1
    parts = [_cells(found[rows], ground_truth[rows], groups[rows], len(names)) for rows in _rows(folds)]
    rates = _rates(np.stack([cells.sum(axis=0) for cells in parts]))
    gaps = tpr_gap.compare_rates(rates)
    gap, spread = _mean(gaps), _mean(tpr_gap.compare_rates(rates, spread="std"))
    low, high = _interval(parts, n_resamples, seed)
    of_groups = np.eye(len(names), dtype=np.int64)[groups].T @ ground_truth
    table = pd.DataFrame({"class": list(classes), **_quality(found, ground_truth), "gap": gap, "spread": spread})
    table = table.assign(low=low, high=high, texts=["/".join(map(str, column)) for column in of_groups.T],
                         too_small=(of_groups < FEWEST).any(axis=0))  # fmt: skip
    hits, said, there = (found & ground_truth).sum(), found.sum(), ground_truth.sum()
    overall = {"recall": _share(hits, there), "precision": _share(hits, said)}
    reached = overall | {f"class_{name}": table[name].min(skipna=False) for name in ("recall", "precision")}
    f1 = float(np.nansum(table["f1"] * ground_truth.sum(axis=0)) / max(1, there))
    counts = all(bool(reached[name] > value) for name, value in least.items())
    return Summary(table, gaps, **overall, f1=f1, gap=_size(gap), spread=_size(spread), counts=counts)


def _quality(found: np.ndarray, ground_truth: np.ndarray) -> dict[str, np.ndarray]:
    hits, said, there = (array.sum(axis=0) for array in (found & ground_truth, found, ground_truth))
    return {"recall": _share(hits, there), "precision": _share(hits, said), "f1": _share(2 * hits, said + there)}


def _share(part: np.ndarray, whole: np.ndarray) -> np.ndarray:
    found = np.divide(part, whole, out=np.full(np.shape(whole), np.nan), where=np.asarray(whole) > 0)
    return found if found.ndim else float(found)


def _rows(folds: np.ndarray) -> list[np.ndarray]:
    return [np.flatnonzero(folds == fold) for fold in np.unique(folds)]


def _cells(found: np.ndarray, ground_truth: np.ndarray, groups: np.ndarray, count: int) -> np.ndarray:
    """What each text adds to hits, and to what is there, of each group and class: (texts, 2, groups, classes)."""
    members = np.eye(count, dtype=np.float32)[groups]
    return np.einsum("ng,ntc->ntgc", members, np.stack([found & ground_truth, ground_truth], axis=1).astype(np.float32))


def _rates(sums: np.ndarray) -> np.ndarray:
    """True positive rates (…, groups, classes) of hits and what is there (…, 2, groups, classes)."""
    return _share(sums[..., 0, :, :].astype(np.float64), sums[..., 1, :, :])


def _mean(values: np.ndarray) -> np.ndarray:
    """Mean over folds (…, folds, classes) of what there is, NaN of nothing."""
    return _share(np.nansum(values, axis=-2), (~np.isnan(values)).sum(axis=-2))


def _size(values: np.ndarray) -> float:
    """Mean absolute value of what there is."""
    known = np.abs(values[~np.isnan(values)])
    return float(known.mean()) if len(known) else np.nan


def _interval(parts: list[np.ndarray], n_resamples: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Quantiles .025 and .975 of each class's gap where the texts of every fold are drawn anew."""
    random, shape = np.random.default_rng(seed), parts[0].shape[1:]
    size = max(1, BLOCK // max(map(len, parts)))
    found = []
    for first in range(0, n_resamples, size):
        count = min(size, n_resamples - first)
        sums = [_drawn(len(cells), count, random) @ cells.reshape(len(cells), -1) for cells in parts]
        found.append(_mean(tpr_gap.compare_rates(_rates(np.stack(sums, axis=1).reshape(count, len(parts), *shape)))))
    values = np.concatenate(found)
    known = ~np.isnan(values).all(axis=0)
    low, high = np.full((2, shape[-1]), np.nan)
    low[known], high[known] = np.nanquantile(values[:, known], [0.025, 0.975], axis=0)
    return low, high


def _drawn(n: int, count: int, random: np.random.Generator) -> np.ndarray:
    """How often each of n texts is drawn: (count, n)."""
    places = random.integers(n, size=(count, n)) + n * np.arange(count)[:, None]
    return np.bincount(places.ravel(), minlength=count * n).reshape(count, n).astype(np.float32)
