"""Dominance between metrics."""

import numpy as np
import pandas as pd


def dominates(values: pd.DataFrame) -> np.ndarray:
    """Return which metric dominates which.

    Metric i dominates metric j if i has a value wherever j has one, at least as good everywhere and better somewhere.
    A metric without values neither dominates nor is dominated. Differences may lie within the values' intervals.

    Parameters
    ----------
    values : DataFrame, shape (n, criteria)
        Higher is better; NaN where missing.

    Returns
    -------
    ndarray of bool, shape (n, n)
    """
    array = values.to_numpy(float)
    finite = np.isfinite(array)
    with np.errstate(invalid="ignore"):
        as_good = (array[:, None] >= array[None]) | ~finite[None]
        better = ((array[:, None] > array[None]) & finite[None]).any(axis=2)
    covers = (finite[:, None] | ~finite[None]).all(axis=2)
    return as_good.all(axis=2) & better & covers
