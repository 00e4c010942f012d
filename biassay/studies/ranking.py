"""Rankings of metrics: Holm's correction of tests between pairs, and the leading metric."""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
import pandas as pd

from biassay.statistics import paired_tests
from biassay.statistics.paired_tests import correct_holm

LEVEL = 0.05
MIN_DIFFERENCE = 0.005  # a smaller difference does not show in two decimals


class Leader(NamedTuple):
    """The metric with the largest value.

    Attributes
    ----------
    metric : str
    is_ahead : bool
        Whether it is ahead of all others, significantly and by a difference that two decimals show.
    n_others : int
        The number of other metrics with a value.
    """

    metric: str
    is_ahead: bool
    n_others: int


def correct_family(tests: pd.DataFrame) -> pd.DataFrame:
    """Add p_holm, corrected for all rows."""
    return tests.assign(p_holm=correct_holm(tests["p"].to_numpy(float)))


def join_families(families: Mapping[tuple, pd.DataFrame], keys: list[str]) -> pd.DataFrame:
    """Correct each family of tests, and join them with the columns `keys` first.

    Without families, the table has the columns of `paired_tests.compare_means` and no rows.
    """
    if not families:
        return pd.DataFrame(columns=[*keys, *paired_tests.COLUMNS, "p_holm"])
    corrected = {key: correct_family(tests) for key, tests in families.items()}
    return pd.concat(corrected, names=keys).reset_index(level=keys).reset_index(drop=True)


def compare_models(table: pd.DataFrame, metric: str, value: str, decimals: int, seed: int) -> pd.DataFrame:
    """Compare all pairs of metrics on the same models, with the distributions of bias as clusters.

    Parameters
    ----------
    table : DataFrame
        One row per model and metric, with the columns model and distribution.
    metric, value : str
        The columns of the metric's name and of its value.
    decimals : int
        Digits to round to, so that metrics that differ by a factor do not differ by rounding.

    Returns
    -------
    DataFrame
        The columns of `paired_tests.compare_means`.
    """
    wide = table.pivot(index="model", columns=metric, values=value).round(decimals)
    clusters = table.groupby("model")["distribution"].first().reindex(wide.index)
    values = {name: wide[name].to_numpy() for name in table[metric].unique()}
    return paired_tests.compare_means(values, clusters.to_numpy(), seed=seed)


def find_leader(values: pd.Series, tests: pd.DataFrame) -> Leader | None:
    """Find the metric with the largest value (NaN ignored), from corrected tests of pairs; None without values."""
    values = values.dropna()
    if not len(values):
        return None
    leader = values.idxmax()
    others = set(values.index.drop(leader))
    rows = tests[(tests["first"] == leader) | (tests["second"] == leader)]
    differences = np.where(rows["first"] == leader, rows["difference"], -rows["difference"])
    is_behind = (rows["p_holm"] <= LEVEL) & (differences >= MIN_DIFFERENCE)
    behind = {*rows["first"][is_behind], *rows["second"][is_behind]}
    return Leader(leader, bool(others) and others <= behind, len(others))
