"""What the board says in sentences: every word of them follows from its cells."""

import pandas as pd

from biassay.figures.formatting import join_names, metric_label
from biassay.studies.board.board import judged, ordered, oriented
from biassay.studies.board.dominance import dominates

LEVEL = 0.05  # of the tests that false positives are counted of


def sentences(board: pd.DataFrame, reference: str) -> list[str]:
    """What stands out: whose tests raise false positives, which call biased words fair, which metrics none dominates.

    reference: the vectors without bias that alarms are counted on.
    """
    return [said for said in (_false_positives(board, reference), _trust(board), _order(board)) if said]


def _false_positives(board: pd.DataFrame, reference: str) -> str:
    """Whose tests conclude bias where there is none more often than their level, beyond the interval."""
    cells = _cells(board, "false_positive_rate").sort_values("value", ascending=False, kind="stable")
    if not len(cells):
        return ""
    often, within = cells[cells["low"] > LEVEL], cells[cells["low"] <= LEVEL]
    n = int(cells["n"].max())
    if not len(often):
        return (
            f"On {reference} no test at 5 % concludes that there is bias more often than it may ({n} draws of words)."
        )
    shares = join_names(f"{metric_label(row.metric)} in {100 * row.value:.0f} %" for row in often.itertuples())
    rest = (
        f"; not more often than they may with {join_names(map(metric_label, within['metric']))}" if len(within) else ""
    )
    return f"On {reference} tests at 5 % conclude that there is bias with {shares} of {n} draws of words{rest}."


def _trust(board: pd.DataFrame) -> str:
    """Which metrics call biased words fair, by the search for counterexamples."""
    cells = _cells(board, "trustworthy")
    if not len(cells):
        return ""
    no, partly, yes = (
        [metric_label(name) for name in cells.loc[cells["value"] == value, "metric"]] for value in (0, 0.5, 1)
    )
    parts = [f"There are biased words that {join_names(no)} {'calls' if len(no) == 1 else 'call'} fair"] if no else []
    if partly:
        parts.append(f"{'with ' if parts else 'With '}{join_names(partly)} only against the stereotypes asked about")
    if yes:
        parts.append(f"{'none were' if parts else 'No biased words were'} found that {join_names(yes)} would call fair")
    return f"{'; '.join(parts)}."


def _order(board: pd.DataFrame) -> str:
    """How many metrics are dominated by none, by all criteria that have values."""
    criteria, metrics = judged(board), ordered(board)
    if len(metrics) < 2:
        return ""
    values = oriented(board, criteria).loc[metrics]
    free = ~dominates(values).any(axis=0)
    dominated = [metric_label(name) for name, stands in zip(metrics, free, strict=True) if not stands]
    rest = f" Dominated: {join_names(dominated)}." if dominated else ""
    by = f"By all {len(criteria)} criteria" if len(criteria) > 1 else "By the one criterion"
    if free.sum() == 1:
        return f"{by} {metric_label(metrics[int(free.argmax())])} dominates all other metrics.{rest}"
    said = f"{by} {free.sum()} of {len(metrics)} metrics are dominated by none of the others."
    best = (values >= values.max()).all(axis=1).any()  # several of them, where they are equal
    return said + rest if best else f"No metric is best at everything. {said}{rest}"


def _cells(board: pd.DataFrame, criterion: str) -> pd.DataFrame:
    return board[(board["criterion"] == criterion) & board["value"].notna()]
