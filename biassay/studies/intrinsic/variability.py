"""Retraining variability: differences between models of the same distribution (Table 4 of intrinsic-2023, §5.3)."""

from itertools import combinations

import numpy as np
import pandas as pd

from biassay.statistics.repeats import relative_difference

COLUMNS = ["difference_from_first", "difference", "std_difference", "within_std", "sign_flip_rate"]


def compare_repeats(values: np.ndarray) -> dict[str, float]:
    """Compare the scores of the repeats of one distribution.

    Parameters
    ----------
    values : ndarray of shape (models, occupations)

    Returns
    -------
    dict of str to float
        Means; NaN for fewer than two repeats. difference_from_first: |b_i − b_0| / |b_0| of an occupation, with b_0 of
        the first repeat, as in the paper's code; unbounded where scores are near 0. difference:
        |a − b| / ((|a| + |b|) / 2) of an occupation, over pairs of repeats, 0 to 2. std_difference: the same for the
        repeats' standard deviations over occupations. within_std: standard deviation of an occupation's score over
        repeats (ddof 1). sign_flip_rate: share of occupations and pairs of repeats whose scores have opposite signs.
    """
    values = values[:, np.isfinite(values).all(axis=0)]
    if len(values) < 2 or not values.shape[1]:
        return dict.fromkeys(COLUMNS, np.nan)
    first, second = (values[list(side)] for side in zip(*combinations(range(len(values)), 2), strict=True))
    stds = values.std(axis=1)
    a, b = np.array(list(combinations(stds, 2))).T
    base = np.abs(values[0])
    with np.errstate(divide="ignore", invalid="ignore"):
        from_first = np.where(base > 0, np.abs(values[1:] - values[0]) / base, np.nan)
    return {
        "difference_from_first": float(np.nanmean(from_first)) if np.isfinite(from_first).any() else np.nan,
        "difference": float(np.nanmean(relative_difference(first, second))),
        "std_difference": float(relative_difference(a, b).mean()),
        "within_std": float(values.std(axis=0, ddof=1).mean()),
        "sign_flip_rate": float((first * second < 0).mean()),
    }


def retraining_variability(scores: pd.DataFrame, distributions: pd.Series) -> dict[str, float | int]:
    """Average `compare_repeats` over the distributions with at least two models.

    Parameters
    ----------
    scores : DataFrame of shape (models, occupations)
    distributions : Series of shape (models,)

    Returns
    -------
    dict
        The means, and `distributions`, their number.
    """
    table = pd.DataFrame(
        [compare_repeats(scores.loc[models.index].to_numpy(float)) for _, models in distributions.groupby(distributions)
         if len(models) > 1], columns=COLUMNS
    ).dropna(subset=["within_std"])  # fmt: skip
    return {"distributions": len(table), **table.mean().to_dict()}
