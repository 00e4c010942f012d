"""The criteria of the board, in the order of resources/board/criteria.csv."""

from dataclasses import dataclass
from typing import get_type_hints

import pandas as pd

from biassay.words import resources

HIGHER, LOWER, YES = DIRECTIONS = ("higher", "lower", "yes")  # yes: values 1 (yes), 0.5 (conditional), 0 (no)
FILE = resources.shipped_path("board") / "criteria.csv"


@dataclass(frozen=True)
class Criterion:
    """One column of the board.

    Attributes
    ----------
    criterion : str
        Key.
    title, question : str
    study : str
        The study whose tables it summarises.
    better : str
        One of DIRECTIONS: which values are better.
    min_value, max_value : float
        Range of the values; NaN where unbounded.
    interval : str
        What the interval of a cell is.
    needs : str
        The level that a metric must have; "sign" for signed scores of words; "" for none.
    """

    criterion: str
    title: str
    question: str
    study: str
    better: str
    min_value: float
    max_value: float
    interval: str
    needs: str


def read_criteria() -> pd.DataFrame:
    """Read all criteria, one row each, with the columns of Criterion."""
    hints = get_type_hints(Criterion)
    texts = {name: str for name, kind in hints.items() if kind is str}
    empty = {name: [""] for name, kind in hints.items() if kind is float}
    return pd.read_csv(FILE, dtype=texts, keep_default_na=False, na_values=empty)[list(hints)]


CRITERIA = tuple(Criterion(*row) for row in read_criteria().itertuples(index=False))
BY_KEY = {criterion.criterion: criterion for criterion in CRITERIA}
