"""Verdicts of the board in sentences, computed from its cells."""

import pandas as pd

from biassay.report.formatting import join_names, metric_label
from biassay.studies.board.board import assessed_criteria, assessed_metrics, orient_values
from biassay.studies.board.dominance import dominates

LEVEL = 0.05  # of the tests whose false positives are counted


def describe_board(board: pd.DataFrame, reference: str) -> list[str]:
    """Describe false positives, trustworthiness and dominance; `reference` names the unbiased vectors."""
    return [text for text in (_false_positives(board, reference), _trustworthiness(board), _dominance(board)) if text]


def _false_positives(board: pd.DataFrame, reference: str) -> str:
    """Name the metrics whose false-positive rate exceeds the level of their tests, beyond its interval."""
    cells = _cells(board, "false_positive_rate").sort_values("value", ascending=False, kind="stable")
    if not len(cells):
        return ""
    above, within = cells[cells["low"] > LEVEL], cells[cells["low"] <= LEVEL]
    n = int(cells["n"].max())
    if not len(above):
        return f"No test at the 5 % level finds bias in {reference} too often ({n} samples of words)."
    shares = join_names(f"{metric_label(row.metric)} in {100 * row.value:.0f} %" for row in above.itertuples())
    others = join_names(map(metric_label, within["metric"])) if len(within) else ""
    rest = f"; the false-positive rate of {others} is compatible with 5 %" if others else ""
    return f"Tests at the 5 % level find bias in {reference} too often: {shares} of {n} samples of words{rest}."


def _trustworthiness(board: pd.DataFrame) -> str:
    """Name the metrics that report no bias for biased words, according to the search for counterexamples."""
    cells = _cells(board, "trustworthy")
    if not len(cells):
        return ""
    no, partly, yes = (
        [metric_label(name) for name in cells.loc[cells["value"] == value, "metric"]] for value in (0, 0.5, 1)
    )
    parts = []
    if no:
        parts.append(f"{join_names(no)} {_verb(no)} no bias for some biased words")
    if partly:
        parts.append(f"{join_names(partly)} {_verb(partly)} no bias for some words biased against the stereotypes only")
    if yes and parts:
        parts.append(f"the search found no such words for {join_names(yes)}")
    elif yes:
        parts.append(f"the search found no biased words for which {join_names(yes)} {_verb(yes)} no bias")
    text = "; ".join(parts)
    return f"{text[0].upper()}{text[1:]}."


def _verb(names: list[str]) -> str:
    return "reports" if len(names) == 1 else "report"


def _dominance(board: pd.DataFrame) -> str:
    """Count the metrics that no other dominates by all criteria with values."""
    criteria, metrics = assessed_criteria(board), assessed_metrics(board)
    if len(metrics) < 2:
        return ""
    values = orient_values(board, criteria).loc[metrics]
    free = ~dominates(values).any(axis=0)
    dominated = [metric_label(name) for name, is_free in zip(metrics, free, strict=True) if not is_free]
    rest = f" Dominated: {join_names(dominated)}." if dominated else ""
    by = f"By all {len(criteria)} criteria" if len(criteria) > 1 else "By the one criterion"
    if free.sum() == 1:
        return f"{by}, {metric_label(metrics[int(free.argmax())])} dominates all other metrics.{rest}"
    text = f"{by}, {free.sum()} of {len(metrics)} metrics are dominated by no other."
    is_best = (values >= values.max()).all(axis=1).any()  # several metrics may be equal
    return text + rest if is_best else f"No metric is best at everything. {text}{rest}"


def _cells(board: pd.DataFrame, criterion: str) -> pd.DataFrame:
    return board[(board["criterion"] == criterion) & board["value"].notna()]
