"""Questions of readers, and the metrics that the board recommends for them."""

from dataclasses import dataclass

import pandas as pd

from biassay.studies.board.board import orient_values
from biassay.studies.board.criteria import BY_KEY, YES
from biassay.studies.board.dominance import dominates
from biassay.words import resources

FALSE_POSITIVES, LEVEL = "false_positive_rate", 0.05
FILE = resources.shipped_path("board") / "uses.csv"


@dataclass(frozen=True)
class Use:
    """A question of readers, with the criteria that answer it."""

    use: str
    question: str
    criteria: tuple[str, ...]


def read_uses() -> list[Use]:
    """Read all uses.

    Raises
    ------
    ValueError
        If a criterion is unknown.
    """
    uses = []
    for row in pd.read_csv(FILE, dtype=str).itertuples():
        criteria = tuple(row.criteria.split())
        if unknown := [key for key in criteria if key not in BY_KEY]:
            choices = ", ".join(BY_KEY)
            raise ValueError(f"{FILE}: use {row.use}: unknown criterion {unknown[0]!r}; expected one of: {choices}")
        uses.append(Use(row.use, row.question, criteria))
    return uses


def recommend_metrics(board: pd.DataFrame, use: Use) -> pd.DataFrame:
    """Return the values of the metrics that suit a use.

    A metric suits it if it has a value by each of its criteria, fails none, and no other such metric dominates it. It
    fails by the verdict no, and by a false-positive rate whose whole interval is above the tests' level.

    Returns
    -------
    DataFrame, shape (metrics, criteria)
        The best metric by the first criterion first; empty if none suits.
    """
    oriented = orient_values(board, use.criteria).dropna()
    oriented = oriented.drop(index=oriented.index.intersection(_failing(board, use.criteria)))
    chosen = oriented[~dominates(oriented).any(axis=0)] if len(oriented) else oriented
    chosen = chosen.sort_values(list(use.criteria), ascending=False, kind="stable")
    values = board.pivot(index="metric", columns="criterion", values="value").astype(float)
    return values.reindex(index=chosen.index, columns=list(use.criteria))


def _failing(board: pd.DataFrame, criteria: tuple[str, ...]) -> pd.Index:
    verdicts = board["criterion"].map(lambda key: key in criteria and BY_KEY[key].better == YES)
    no = verdicts & (board["value"] == 0)
    too_high = (board["criterion"] == FALSE_POSITIVES) & (FALSE_POSITIVES in criteria) & (board["low"] > LEVEL)
    return pd.Index(board.loc[no | too_high, "metric"].unique())
