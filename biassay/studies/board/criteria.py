"""The criteria of the board and the questions of readers, from resources/board/."""

from collections.abc import Iterable
from typing import NamedTuple

import pandas as pd

from biassay.words import resources

# Which values are better. NOMINAL: those near the nominal level of a test; YES: values are 1 (yes), 0.5 and 0 (no).
HIGHER, LOWER, NOMINAL, YES = "higher", "lower", "nominal", "yes"
LEVEL = 0.05  # of tests
# The columns that the page and the figure of the board show first.
START = ("auc", "false_positive_rate", "power", "words_needed", "trustworthy", "signed", "unsigned", "ranking")
# What makes a cell support a recommendation: corrected p below LEVEL and a value above chance; an interval above
# chance; an interval that is not above the nominal level; a verdict other than no; "": any value.
BY_P, BY_INTERVAL, BY_LEVEL, BY_VERDICT = "p", "interval", "level", "verdict"
FOLDER = resources.shipped_path("board")


class Criterion(NamedTuple):
    """One column of the board.

    `study` is the study whose tables it summarises, `better` HIGHER, LOWER, NOMINAL or YES, `min_value` and
    `max_value` are NaN where unbounded, `form` says what its cells have in common (level, number of groups, scale),
    `support` what makes a cell support a recommendation, `interval` what its interval is over, and `needs` the level
    that a metric must have ("sign" for signed scores of words, "" for none).
    """

    criterion: str
    title: str
    question: str
    study: str
    better: str
    min_value: float
    max_value: float
    form: str
    support: str
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


def choose_first(keys: Iterable[str]) -> list[str]:
    """Return as many of the criteria `keys` as START has: those of START, and others if it has too few of them."""
    keys = list(keys)
    chosen = sorted(keys, key=lambda key: key not in START)[: len(START)]
    return [key for key in keys if key in chosen]


def read_uses() -> list[Use]:
    """Read all questions; their criteria are keys of BY_KEY."""
    rows = pd.read_csv(FOLDER / "uses.csv", dtype=str)[list(Use._fields)].itertuples(index=False)
    return [Use(use, question, tuple(keys.split())) for use, question, keys in rows]
