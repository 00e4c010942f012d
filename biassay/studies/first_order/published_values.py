"""Published values of the first-order paper (Tables 1 and 3)."""

import numpy as np
import pandas as pd

from biassay.studies.first_order import tables

# The published correlations use 64 definitional words: our list of that size, and the paper's if a user adds it.
LISTS = ("medium", "published")


def read_correlations(path: str) -> dict[tuple, float]:
    """Read Table 1, by embedding, space, method, statistics and kind of correlation."""
    return _read(path, "T1", ["embedding", "space", "method", "statistics", "quantity"])


def read_accuracies(path: str) -> dict[tuple, float]:
    """Read Table 3, by space, state and quantity."""
    return _read(path, "T3", ["space", "state", "quantity"])


def _read(path: str, output: str, keys: list[str]) -> dict[tuple, float]:
    rows = tables.read_published(path, output)
    return dict(zip(rows[keys].itertuples(index=False, name=None), rows["value"], strict=True))


def look_up(table: pd.DataFrame, columns: list[str], published: dict[tuple, float], *last: str) -> np.ndarray:
    """Look up the published value of each row, by its cells in `columns` followed by `last`; NaN if there is none."""
    keys = table[columns].itertuples(index=False, name=None)
    return np.array([published.get((*key, *last), np.nan) for key in keys], float)
