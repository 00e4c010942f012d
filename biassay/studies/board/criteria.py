"""The criteria of the board and the questions of readers, from resources/board/."""

from dataclasses import dataclass
from typing import get_type_hints

import pandas as pd

from biassay.words import resources

HIGHER, LOWER, YES = "higher", "lower", "yes"  # which values are better; yes: values 1 (yes), 0.5, 0 (no)
CRITERIA_FILE = resources.shipped_path("board") / "criteria.csv"
USES_FILE = resources.shipped_path("board") / "uses.csv"


@dataclass(frozen=True)
class Criterion:
    """One column of the board.

    `study` is the study whose tables it summarises, `better` HIGHER, LOWER or YES, `min_value` and `max_value` are NaN
    where unbounded, `interval` says what the interval of a cell is, and `needs` the level that a metric must have
    ("sign" for signed scores of words, "" for none).
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


@dataclass(frozen=True)
class Use:
    """A question of readers, with the criteria that answer it."""

    use: str
    question: str
    criteria: tuple[str, ...]


def read_criteria() -> pd.DataFrame:
    """Read all criteria, one row each, with the columns of Criterion."""
    hints = get_type_hints(Criterion)
    texts = {name: str for name, kind in hints.items() if kind is str}
    empty = {name: [""] for name, kind in hints.items() if kind is float}
    return pd.read_csv(CRITERIA_FILE, dtype=texts, keep_default_na=False, na_values=empty)[list(hints)]


CRITERIA = tuple(Criterion(*row) for row in read_criteria().itertuples(index=False))
BY_KEY = {criterion.criterion: criterion for criterion in CRITERIA}


def read_uses() -> list[Use]:
    """Read all questions; their criteria are keys of BY_KEY."""
    rows = pd.read_csv(USES_FILE, dtype=str)[["use", "question", "criteria"]].itertuples(index=False)
    return [Use(use, question, tuple(keys.split())) for use, question, keys in rows]
