"""Which metric comes first on a list of words, and of which others tests say that it is ahead."""

from collections.abc import Iterator

import pandas as pd

from biassay.figures import curves
from biassay.figures.formatting import metric_label

LEVEL, SHOWN = 0.05, 0.005  # of p, and of a difference that two decimals show
TESTED = {
    "accuracy": "accuracy",
    "auc": "auc",
    "robustness_biased": "steadiness",
}  # scores by their tests


def first(rows: pd.DataFrame, tests: pd.DataFrame, score: str) -> tuple[str, float, list[str], int] | None:
    """The metric with the largest score among those with bounds, the score, the others that tests do not tell from it,
    and the number of others; None if no metric has the score.

    rows: those of scores.csv, tests: those of comparisons.csv, of one bias and list.
    """
    values = rows[~rows["relative"].astype(bool)].set_index("metric")[score].dropna()
    if not len(values):
        return None
    leader = values.idxmax()
    others = list(values.index.drop(leader))
    return leader, values.max(), same(leader, others, tests, score), len(others)


def same(leader: str, others: list[str], tests: pd.DataFrame, score: str) -> list[str]:
    """Those of the others that a metric is not ahead of, by test and by what two decimals show."""
    tests = curves.select_rows(tests, score=TESTED[score])
    turned = tests.assign(difference=-tests["difference"], first=tests["second"], second=tests["first"])
    rows = curves.select_rows(pd.concat([tests, turned]), first=leader)
    known = set(rows[(rows["p_holm"] <= LEVEL) & (rows["difference"] >= SHOWN)]["second"])
    return [name for name in others if name not in known]


def told(others: list[str], of: int) -> str:
    """What is said behind a leader's name; `of`: how many others there are."""
    if not of:
        return ""
    names = ", ".join(map(metric_label, others))
    return f", not told from {names}" if names else ", ahead of all others"


def by_list(scores: pd.DataFrame, tests: pd.DataFrame, score: str) -> Iterator[tuple[str, str, str, float, list, int]]:
    """Bias, list, and what `first` tells of them."""
    for (bias, kind), rows in scores.groupby(["bias", "list"], sort=False):
        found = first(rows, curves.select_rows(tests, bias=bias, list=kind), score)
        if found:
            yield bias, kind, *found
