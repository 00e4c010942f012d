"""What the board says in sentences: every word of them follows from its cells."""

from collections.abc import Callable

import pandas as pd

from biassay.figures.findings import listed
from biassay.studies.board.board import oriented
from biassay.studies.board.dominance import dominates

LEVEL = 0.05  # of the tests that false alarms are counted of


def sentences(board: pd.DataFrame, label: Callable[[str], str]) -> list[str]:
    """What stands out: which metrics none dominates, whose tests raise false alarms, which call biased words fair.

    label: the name of a metric for readers.
    """
    return [said for said in (_alarms(board, label), _trust(board, label), _order(board, label)) if said]


def _alarms(board: pd.DataFrame, label: Callable[[str], str]) -> str:
    """Whose tests conclude bias where there is none more often than their level, beyond the interval."""
    cells = _cells(board, "false_alarms")
    if not len(cells):
        return ""
    cells = cells.sort_values("value", ascending=False, kind="stable")
    often, within = cells[cells["low"] > LEVEL], cells[cells["low"] <= LEVEL]
    n = int(cells["n"].max())
    shares = [f"{label(row.metric)} in {100 * row.value:.0f} %" for row in often.itertuples()]
    text = (
        f"On text without bias, tests at 5 % conclude that there is bias with {listed(shares)} of {n} draws of words"
        if (shares)
        else f"On text without bias, no test at 5 % concludes that there is bias more often than it may ({n} draws)"
    )
    names = [label(name) for name in within["metric"]]
    rest = f"; not more often than the level allows with {listed(names)}" if shares and names else ""
    return f"{text}{rest} (95 % Wilson intervals)."


def _trust(board: pd.DataFrame, label: Callable[[str], str]) -> str:
    """Which metrics call biased words fair, by the search for counterexamples."""
    cells = _cells(board, "trustworthy")
    if not len(cells):
        return ""
    names = {
        value: [label(row.metric) for row in cells.itertuples() if row.value == value] for value in (1.0, 0.5, 0.0)
    }
    parts = []
    if names[1.0]:
        parts.append(f"{listed(names[1.0])}: no biased words were found that they call fair")
    if names[0.5]:
        parts.append(f"{listed(names[0.5])}: only where the words follow the stereotypes asked about")
    if names[0.0]:
        parts.append(f"{listed(names[0.0])}: biased words were found that they call fair")
    return f"{'; '.join(parts)}."


def _order(board: pd.DataFrame, label: Callable[[str], str]) -> str:
    """How many metrics are dominated by none, by all criteria that have values."""
    known = board[board["value"].notna()]
    criteria = list(known["criterion"].drop_duplicates())
    values = oriented(known, criteria)
    if len(values) < 2:
        return ""
    free = ~dominates(values).any(axis=0)
    verb = "is" if free.sum() == 1 else "are"
    dominated = [label(name) for name in values.index[~free]]
    rest = f"; dominated: {listed(dominated)}" if dominated else ""
    number = (
        f"{free.sum()} of {len(values)} metrics {verb} dominated by none of the others by all {len(criteria)} criteria"
    )
    return f"No metric is best at everything: {number}{rest}." if free.sum() > 1 else f"{number}{rest}."


def _cells(board: pd.DataFrame, criterion: str) -> pd.DataFrame:
    return board[(board["criterion"] == criterion) & board["value"].notna()]
