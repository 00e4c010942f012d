"""Which metric is at least as good as another by every criterion that a reader chooses."""

import numpy as np
import pandas as pd


def dominates(values: pd.DataFrame) -> np.ndarray:
    """Does metric i dominate metric j? (n, n) bool, of values (n, criteria) turned so that more is better.

    It does if, wherever j has a value, i has one at least as good, and a better one somewhere. So a metric without
    values is dominated by none and dominates none. Values are compared as they are: a difference may be within their
    intervals.
    """
    array = values.to_numpy(float)
    known = np.isfinite(array)
    with np.errstate(invalid="ignore"):
        as_good = (array[:, None] >= array[None]) | ~known[None]
        better = ((array[:, None] > array[None]) & known[None]).any(axis=2)
    covers = (known[:, None] | ~known[None]).all(axis=2)
    return as_good.all(axis=2) & better & covers
