"""What readers want of a metric, and which metrics the board speaks for then."""

from dataclasses import dataclass

import pandas as pd

from biassay.studies.board.board import oriented
from biassay.studies.board.criteria import BY_KEY, YES
from biassay.studies.board.dominance import dominates
from biassay.words import resources

FALSE_POSITIVES, LEVEL = "false_positive_rate", 0.05
FILE = resources.shipped_path("board") / "uses.csv"


@dataclass(frozen=True)
class Use:
    """A question of a reader's, with the criteria that answer it."""

    use: str
    question: str
    criteria: tuple[str, ...]


def table() -> list[Use]:
    """All uses; raises ValueError for a criterion that there is not."""
    found = []
    for row in pd.read_csv(FILE, dtype=str).itertuples():
        criteria = tuple(row.criteria.split())
        if unknown := [key for key in criteria if key not in BY_KEY]:
            raise ValueError(
                f"{FILE}: {row.use}: unknown criterion {unknown[0]!r}; expected one of: {', '.join(BY_KEY)}"
            )
        found.append(Use(row.use, row.question, criteria))
    return found


def answer(board: pd.DataFrame, use: Use) -> pd.DataFrame:
    """The metrics that have a value by each criterion of a use, fail none, and are not dominated: their values.

    A metric fails by a verdict of no, and by false positives whose whole interval lies above the tests' level.
    (metrics, criteria), the best by the first criterion first; empty if no metric is left.
    """
    turned = oriented(board, use.criteria).dropna()
    turned = turned.drop(index=turned.index.intersection(_failing(board, use.criteria)))
    chosen = turned[~dominates(turned).any(axis=0)] if len(turned) else turned
    chosen = chosen.sort_values(list(use.criteria), ascending=False, kind="stable")
    values = board.pivot(index="metric", columns="criterion", values="value").astype(float)
    return values.reindex(index=chosen.index, columns=list(use.criteria))


def _failing(board: pd.DataFrame, criteria: tuple[str, ...]) -> pd.Index:
    """The metrics that a criterion rules out."""
    verdicts = board["criterion"].map(lambda key: key in criteria and BY_KEY[key].better == YES)
    no = verdicts & (board["value"] == 0)
    alarming = (board["criterion"] == FALSE_POSITIVES) & (FALSE_POSITIVES in criteria) & (board["low"] > LEVEL)
    return pd.Index(board.loc[no | alarming, "metric"].unique())
