"""The criteria of the board and the questions of readers, from resources/board/."""

from typing import NamedTuple

import pandas as pd

from biassay.words import resources

HIGHER, LOWER, YES = "higher", "lower", "yes"  # which values are better; yes: values 1 (yes), 0.5, 0 (no)
FOLDER = resources.shipped_path("board")


class Criterion(NamedTuple):
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


class Use(NamedTuple):
    """A question of readers, with the criteria that answer it."""

    use: str
    question: str
    criteria: tuple[str, ...]


def read_criteria() -> pd.DataFrame:
    """Read all criteria, one row each, with the columns of Criterion."""
    table = pd.read_csv(FOLDER / "criteria.csv", dtype=str, keep_default_na=False)[list(Criterion._fields)]
    bounds = ["min_value", "max_value"]
    return table.assign(**table[bounds].apply(pd.to_numeric))


CRITERIA = tuple(Criterion(*row) for row in read_criteria().itertuples(index=False))
BY_KEY = {criterion.criterion: criterion for criterion in CRITERIA}


def read_uses() -> list[Use]:
    """Read all questions; their criteria are keys of BY_KEY."""
    rows = pd.read_csv(FOLDER / "uses.csv", dtype=str)[list(Use._fields)].itertuples(index=False)
    return [Use(use, question, tuple(keys.split())) for use, question, keys in rows]
