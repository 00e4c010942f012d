"""The criteria of the board, in the order of the data: what each asks, which way is better, what its interval is."""

from dataclasses import dataclass
from typing import get_type_hints

import pandas as pd

from biassay.words import resources

MORE, LESS, YES = DIRECTIONS = ("more", "less", "yes")  # yes: 1 yes, ½ conditional, 0 no
FILE = resources.shipped_path("board") / "criteria.csv"


@dataclass(frozen=True)
class Criterion:
    """One column of the board.

    criterion: its key. study: whose tables it is from. better: one of DIRECTIONS. low, high: what values can be, NaN
    where unbounded. interval: what the ends of a cell's interval are. needs: the level that a metric must have, "sign"
    for scores of targets with a sign, or "".
    """

    criterion: str
    title: str
    question: str
    study: str
    better: str
    low: float
    high: float
    interval: str
    needs: str


def table() -> pd.DataFrame:
    """All criteria, a row each, with the columns of Criterion."""
    hints = get_type_hints(Criterion)
    texts = {name: str for name, kind in hints.items() if kind is str}
    empty = {name: [""] for name, kind in hints.items() if kind is float}
    return pd.read_csv(FILE, dtype=texts, keep_default_na=False, na_values=empty)[list(hints)]


CRITERIA = tuple(Criterion(*row) for row in table().itertuples(index=False))
BY_KEY = {criterion.criterion: criterion for criterion in CRITERIA}
