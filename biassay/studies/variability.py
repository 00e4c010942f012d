"""Retraining variability: differences between the scores of models of one distribution of planted bias."""

from itertools import combinations

import numpy as np
import pandas as pd

COLUMNS = ["difference_from_first", "difference", "std_difference", "within_std", "between_std", "sign_flip_rate"]


def compare_repeats(values: np.ndarray) -> dict[str, float]:
    """Compare the scores of the repeats of one distribution.

    Parameters
    ----------
    values : ndarray of shape (models, occupations)
        Occupations that lack a score in some model are left out.

    Returns
    -------
    dict of str to float
        Means; NaN for fewer than two repeats. difference_from_first: |b_i − b_0| / |b_0| of an occupation, with b_0 of
        the first repeat, as in the code of intrinsic-2023; unbounded where scores are near 0. difference:
        |a − b| / ((|a| + |b|) / 2) of an occupation, over pairs of repeats, 0 to 2. std_difference: the same for the
        repeats' standard deviations over occupations. within_std: standard deviation of an occupation's score over
        repeats (ddof 1). between_std: standard deviation of a model's scores over occupations (ddof 0).
        sign_flip_rate: share of occupations and pairs of repeats whose scores have opposite signs.
    """
    values = values[:, np.isfinite(values).all(axis=0)]
    if len(values) < 2 or not values.shape[1]:
        return dict.fromkeys(COLUMNS, np.nan)
    pairs = np.array(list(combinations(range(len(values)), 2)))
    first, second = values[pairs[:, 0]], values[pairs[:, 1]]
    stds = values.std(axis=1)
    base = np.abs(values[0])
    with np.errstate(divide="ignore", invalid="ignore"):
        from_first = np.where(base > 0, np.abs(values[1:] - values[0]) / base, np.nan)
    return {
        "difference_from_first": _mean_of_defined(from_first),
        "difference": _mean_of_defined(relative_difference(first, second)),
        "std_difference": float(relative_difference(stds[pairs[:, 0]], stds[pairs[:, 1]]).mean()),
        "within_std": float(values.std(axis=0, ddof=1).mean()),
        "between_std": float(stds.mean()),
        "sign_flip_rate": float((first * second < 0).mean()),
    }


def relative_difference(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Compute |a − b| / ((|a| + |b|) / 2): 0 to 2, 0 for equal values; NaN if both are 0."""
    with np.errstate(invalid="ignore"):
        return np.abs(a - b) / ((np.abs(a) + np.abs(b)) / 2)


def _mean_of_defined(values: np.ndarray) -> float:
    return float(np.nanmean(values)) if np.isfinite(values).any() else np.nan


def compare_by_distribution(scores: pd.DataFrame, distributions: pd.Series) -> pd.DataFrame:
    """Apply `compare_repeats` to the scores (models, occupations) of each distribution with two or more models."""
    repeats = [models.index for _, models in distributions.groupby(distributions) if len(models) > 1]
    return pd.DataFrame([compare_repeats(scores.loc[models].to_numpy(float)) for models in repeats], columns=COLUMNS)
