"""Do models of the same distribution get the same scores? T4 of intrinsic-2023 §5.3, as printed and in other forms."""

from itertools import combinations

import numpy as np
import pandas as pd

from biassay.numerics.repeats import relative_difference

COLUMNS = ["difference_from_first", "difference", "std_difference", "within_std", "sign_flip_rate"]


def of_distribution(values: np.ndarray) -> dict[str, float]:
    """How far the scores of repeats (models, occupations) of a distribution differ.

    printed: |b_i − b_0| / |b_0| of an occupation, b_0 of the first repeat, as the paper's code has it; its mean grows
    without bound where scores are near 0. difference: |a − b| / ((|a| + |b|) / 2) of an occupation, over pairs of
    repeats, 0 to 2. spread_difference: the same of the repeats' standard deviations over occupations. within: standard
    deviation of an occupation's score over repeats (ddof 1). flips: share of occupations and pairs of repeats whose
    scores have opposite signs. Means; NaN for fewer than two repeats.
    """
    values = values[:, np.isfinite(values).all(axis=0)]
    if len(values) < 2 or not values.shape[1]:
        return dict.fromkeys(COLUMNS, np.nan)
    first, second = (values[list(side)] for side in zip(*combinations(range(len(values)), 2), strict=True))
    spreads = values.std(axis=1)
    a, b = np.array(list(combinations(spreads, 2))).T
    base = np.abs(values[0])
    with np.errstate(divide="ignore", invalid="ignore"):
        printed = np.where(base > 0, np.abs(values[1:] - values[0]) / base, np.nan)
    return {
        "difference_from_first": float(np.nanmean(printed)) if np.isfinite(printed).any() else np.nan,
        "difference": float(np.nanmean(relative_difference(first, second))),
        "std_difference": float(relative_difference(a, b).mean()),
        "within_std": float(values.std(axis=0, ddof=1).mean()),
        "sign_flip_rate": float((first * second < 0).mean()),
    }


def retraining_variability(scores: pd.DataFrame, distributions: pd.Series) -> dict[str, float | int]:
    """Means of `of_distribution` over the distributions (models,) that have two models or more, of scores (models,
    occupations); distributions: their number."""
    found = pd.DataFrame(
        [of_distribution(scores.loc[models.index].to_numpy(float)) for _, models in distributions.groupby(distributions)
         if len(models) > 1], columns=COLUMNS
    ).dropna(subset=["within_std"])  # fmt: skip
    return {"distributions": len(found), **found.mean().to_dict()}
