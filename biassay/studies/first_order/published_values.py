"""The figures that the first-order paper prints (Tables 1 and 3), to stand beside ours."""

import numpy as np
import pandas as pd

from biassay.studies.first_order import tables

# The printed ones are for 64 words: our list of that size, and theirs if a user gives it.
LISTS = ("medium", "published")


def correlations(path: str) -> dict[tuple, float]:
    """Table 1 by embedding, space, method, statistics and kind of correlation."""
    return _values(path, "T1", ["embedding", "space", "method", "statistics", "quantity"])


def accuracies(path: str) -> dict[tuple, float]:
    """Table 3 by space, state and quantity."""
    return _values(path, "T3", ["space", "state", "quantity"])


def _values(path: str, output: str, keys: list[str]) -> dict[tuple, float]:
    rows = tables.printed(path, output)
    return dict(zip(rows[keys].itertuples(index=False, name=None), rows["value"], strict=True))


def beside(table: pd.DataFrame, columns: list[str], known: dict[tuple, float], *last: str) -> np.ndarray:
    """The printed value of each row, found by its cells in `columns` and what is `last` for all; NaN where none is."""
    keys = table[columns].itertuples(index=False, name=None)
    return np.array([known.get((*key, *last), np.nan) for key in keys], float)
