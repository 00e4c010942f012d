"""The leading metric on each list of words, and the metrics that it is significantly ahead of."""

from collections.abc import Iterator

import pandas as pd

from biassay.report import curves
from biassay.report.formatting import metric_label

LEVEL, MIN_DIFFERENCE = 0.05, 0.005  # of p; a smaller difference does not show in two decimals
TESTED = {"accuracy": "accuracy", "auc": "auc", "robustness_biased": "steadiness"}  # score: score that is tested


def find_leader(rows: pd.DataFrame, tests: pd.DataFrame, score: str) -> tuple[str, float, list[str], int] | None:
    """Find the bounded metric with the largest score.

    Parameters
    ----------
    rows, tests : DataFrame
        The rows of scores.csv and of comparisons.csv for one bias and list.
    score : str
        A column of scores.csv.

    Returns
    -------
    tuple or None
        The leader, its score, the metrics that it is not significantly ahead of, and the number of other metrics. None
        if no bounded metric has the score.
    """
    values = rows[~rows["relative"].astype(bool)].set_index("metric")[score].dropna()
    if not len(values):
        return None
    leader = values.idxmax()
    others = list(values.index.drop(leader))
    return leader, values.max(), find_ties(leader, others, tests, score), len(others)


def find_ties(leader: str, others: list[str], tests: pd.DataFrame, score: str) -> list[str]:
    """Find the metrics that a leader is not ahead of, significantly and by a difference that two decimals show."""
    tests = curves.select_rows(tests, score=TESTED[score])
    swapped = tests.assign(difference=-tests["difference"], first=tests["second"], second=tests["first"])
    rows = curves.select_rows(pd.concat([tests, swapped]), first=leader)
    behind = set(rows[(rows["p_holm"] <= LEVEL) & (rows["difference"] >= MIN_DIFFERENCE)]["second"])
    return [name for name in others if name not in behind]


def describe_lead(ties: list[str], n_others: int) -> str:
    """Describe a leader's lead over the `n_others` other metrics, as the end of a clause."""
    if not n_others:
        return ""
    names = ", ".join(map(metric_label, ties))
    return f", not significantly ahead of {names}" if names else ", ahead of all others"


def find_leaders(
    scores: pd.DataFrame, tests: pd.DataFrame, score: str
) -> Iterator[tuple[str, str, str, float, list[str], int]]:
    """Yield each bias and list, followed by the results of `find_leader`."""
    for (bias, list_type), rows in scores.groupby(["bias", "list"], sort=False):
        leader = find_leader(rows, curves.select_rows(tests, bias=bias, list=list_type), score)
        if leader:
            yield bias, list_type, *leader
