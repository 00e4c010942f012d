"""Columns of the study's tables, and the published values."""

from pathlib import Path

import numpy as np
import pandas as pd

from biassay.core import csv_tables

KEYS = ["corpus", "embedding", "space", "method", "word_list"]
INTERVALS = [f"{kind}{part}" for kind in ("spearman", "pearson") for part in ("", "_p", "_low", "_high", "_published")]
SIDES = [f"{side}_{part}" for side in ("first", "second") for part in ("order", "low", "high", "published")]
SLOPES = [f"{cause}_slope{end}" for cause in ("own", "partner") for end in ("", "_low", "_high")]
NO_SIGN = "no sign"  # verdict on scores without one, which cannot follow percentages
PUBLISHED = ["output", "embedding", "space", "method", "state", "statistics", "quantity", "value"]
# The published correlations use 64 definitional words: our list of that size, and the paper's if a user adds it.
PUBLISHED_LISTS = ("medium", "published")


def read_published(path: str | Path, output: str, keys: list[str]) -> dict[tuple, float]:
    """Read the values of one of the paper's tables, "T1" or "T3", by the cells of the columns `keys`."""
    rows = csv_tables.read(path, PUBLISHED, {"value": "number"}, comment="#").query("output == @output")
    return dict(zip(rows[keys].itertuples(index=False, name=None), rows["value"], strict=True))


def look_up(table: pd.DataFrame, columns: list[str], published: dict[tuple, float], *last: str) -> np.ndarray:
    """Look up the published value of each row, by its cells in `columns` followed by `last`; NaN if there is none.

    A row of a word list of another size than the paper's has none.
    """
    keys = table[columns].itertuples(index=False, name=None)
    values = np.array([published.get((*key, *last), np.nan) for key in keys], float)
    return np.where(table["word_list"].isin(PUBLISHED_LISTS), values, np.nan) if "word_list" in table else values
