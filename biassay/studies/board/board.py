"""The board: one cell per metric and criterion, why a cell is empty, and which metrics are better than which."""

from collections.abc import Collection, Mapping, Sequence

import numpy as np
import pandas as pd

from biassay.core import csv_tables
from biassay.measurement.metric import TAKES, Metric
from biassay.studies.board.cells import Cell
from biassay.studies.board.criteria import (
    BY_INTERVAL,
    BY_KEY,
    BY_LEVEL,
    BY_P,
    BY_VERDICT,
    CRITERIA,
    LEVEL,
    LOWER,
    NOMINAL,
    YES,
    Criterion,
    Use,
)

COLUMNS = ["metric", "criterion", "value", "low", "high", "chance", "p", "n", "unit", "page", "note"]
KINDS = csv_tables.column_types(text="metric criterion page", integer="n?", number="value? low? high? chance? p?")
LEVELS = {"word": "single words", "set": "sets of targets"}
SEEDS, SEEDS_STUDY = "seeds", "silhouette"  # runs with other seeds, and the study that they repeat
MULTIGROUP = ("groups_ethnicity", "groups_religion")  # criteria whose attributes usually have more than two groups


def read_board(path: str) -> pd.DataFrame:
    """Read board.csv, which has one row per metric and criterion."""
    table = csv_tables.read(path, COLUMNS, KINDS)
    csv_tables.check_rows(path, table, {"metric": table["metric"].unique(), "criterion": table["criterion"].unique()})
    return table


def fill_board(
    values: pd.DataFrame, metrics: Mapping[str, Metric], chosen: Mapping[str, Sequence[str]], studies: Collection[str]
) -> pd.DataFrame:
    """Arrange cells into a board: one row per metric and criterion; `note` says why a value is missing.

    A row without a value has an n if it was measured.

    Raises ValueError if two rows belong to one cell, or a metric or criterion is unknown.

    Parameters
    ----------
    values : cells of the studies' tables.
    metrics : declarations of the metrics, in the order of the rows.
    chosen : the metrics of each study's configuration.
    studies : the studies that have tables.
    """
    for column, names in (("metric", metrics), ("criterion", BY_KEY)):
        if unknown := set(values[column]) - set(names):
            raise ValueError(f"board: unknown {column} {min(unknown)!r}; expected one of: {', '.join(names)}")
    by_place: dict[tuple[str, str], Cell] = {}
    for cell in map(Cell._make, values[list(Cell._fields)].itertuples(index=False, name=None)):
        if (cell.metric, cell.criterion) in by_place:
            raise ValueError(f"board: two values for metric {cell.metric} and criterion {cell.criterion}")
        by_place[cell.metric, cell.criterion] = cell
    rows = []
    for name, declared in metrics.items():
        for criterion in CRITERIA:
            key, study = criterion.criterion, criterion.study
            cell = by_place.get((name, key))
            reason = explain_missing(name, declared, criterion, cell, chosen, studies)
            place = {"metric": name, "criterion": key, "page": f"board/{study}.html"}  # from the first page
            n = {"n": cell.n, "unit": cell.unit} if cell and cell.n and cell.note == reason else {}
            rows.append(place | ({"note": reason} | n if reason else cell._asdict()))
    return pd.DataFrame(rows, columns=COLUMNS).astype({"n": "Int64"})  # floats would be rounded in the file


def explain_missing(
    name: str, declared: Metric, criterion: Criterion, cell: Cell | None, chosen: Mapping[str, Sequence[str]],
    studies: Collection[str],
) -> str:  # fmt: skip
    """Decide whether a cell has a value: "" if it has, else why not; parameters as in `fill_board`."""
    study, inability = criterion.study, _missing_ability(declared, criterion)
    if cell is not None and not inability and (np.isfinite(cell.value) or cell.note):
        return "" if np.isfinite(cell.value) else cell.note
    if study == SEEDS and study not in studies:
        return "the run has one seed (seeds)"
    if study not in studies:
        return f"the study {study} was not run"
    if inability:
        return inability
    if declared.takes != "vectors" and study not in ("first_order", "reliability"):
        return f"the metric takes {TAKES[declared.takes]}, this study has vectors"
    configured = SEEDS_STUDY if study == SEEDS else study
    if configured in chosen and name not in chosen[configured]:
        return f"not among {configured}.metrics of the configuration"
    if criterion.criterion == "min_detectable_effect":
        return "no models of several strengths were trained (intrinsic.detection)"
    if criterion.criterion in MULTIGROUP and declared.groups == (2, 2):
        return "the metric takes two groups"
    return "no table of the study has a value"


def assessed_criteria(board: pd.DataFrame) -> list[str]:
    """Return the criteria with values in the order of the board."""
    valued = set(board.loc[board["value"].notna(), "criterion"])
    return [key for key in BY_KEY if key in valued]


def assessed_metrics(board: pd.DataFrame) -> list[str]:
    """Return the metrics with a value, those with the most values first."""
    return board.loc[board["value"].notna(), "metric"].value_counts().index.tolist()


def _missing_ability(declared: Metric, criterion: Criterion) -> str:
    """Say what a criterion needs and a metric lacks; "" if nothing."""
    level = "word" if criterion.needs == "sign" else criterion.needs
    if level and level not in declared.levels:
        return f"the metric has no values of {LEVELS[level]}"
    if criterion.needs == "sign" and not declared.range("word", max(2, declared.groups[0])).signed:
        return "the metric's values have no sign"
    return ""


def orient_values(board: pd.DataFrame, criteria: Sequence[str]) -> pd.DataFrame:
    """Return values (metrics, criteria) of which higher ones are better; NaN if missing.

    Values of which lower ones are better are negated, false-positive rates the negative distance from the level.
    """
    return _orient(_widen(board, "value", criteria))


def orient_intervals(board: pd.DataFrame, criteria: Sequence[str]) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return low and high ends (metrics, criteria) of intervals oriented as in `orient_values`.

    A verdict is its own interval. Both ends are NaN where a value has no interval.
    """
    values, low, high = (_widen(board, column, criteria) for column in ("value", "low", "high"))
    for key in criteria:
        if BY_KEY[key].better == YES:
            low[key] = high[key] = values[key]
    is_missing = low.isna() | high.isna() | values.isna()
    first, second = _orient(low), _orient(high)
    smaller, larger = first.where(first <= second, second), first.where(first >= second, second)
    for key in criteria:
        if BY_KEY[key].better == NOMINAL:
            larger[key] = larger[key].mask((low[key] <= LEVEL) & (high[key] >= LEVEL), 0.0)
    return smaller.mask(is_missing), larger.mask(is_missing)


def _widen(board: pd.DataFrame, column: str, criteria: Sequence[str]) -> pd.DataFrame:
    wide = board.pivot(index="metric", columns="criterion", values=column).astype(float)
    return wide.reindex(index=board["metric"].drop_duplicates(), columns=list(criteria))


def _orient(wide: pd.DataFrame) -> pd.DataFrame:
    turned = {LOWER: lambda values: -values, NOMINAL: lambda values: -(values - LEVEL).abs()}
    return wide.apply(lambda values: turned.get(BY_KEY[values.name].better, pd.Series.copy)(values))


def dominates(board: pd.DataFrame, criteria: Sequence[str]) -> pd.DataFrame:
    """Return which metric (row) dominates which (column), by criteria.

    Metric i dominates metric j if i has a value wherever j has one, an interval that is better somewhere, and none that
    is worse. Intervals that overlap, and values without an interval, do not differ.
    """
    has_value = _widen(board, "value", criteria).notna().to_numpy(bool)
    low, high = (ends.to_numpy(float) for ends in orient_intervals(board, criteria))
    better = low[:, None] > high[None]
    covers = (has_value[:, None] | ~has_value[None]).all(axis=2)
    metrics = board["metric"].drop_duplicates().to_numpy()
    found = covers & better.any(axis=2) & ~better.transpose(1, 0, 2).any(axis=2)
    return pd.DataFrame(found, metrics, metrics)


def find_supported(board: pd.DataFrame) -> pd.Series:
    """Return which cells support a recommendation, by the rule of their criterion (criteria.csv, `support`)."""
    value, low, chance = board["value"], board["low"], board["chance"]
    holds = {
        BY_P: (board["p"] < LEVEL) & (value > chance),
        BY_INTERVAL: low > chance,
        BY_LEVEL: low <= chance,
        BY_VERDICT: value > 0,
        "": value.notna(),
    }
    rules = board["criterion"].map(lambda key: BY_KEY[key].support)
    return pd.concat([holds[rule][rules == rule] for rule in holds]).reindex(board.index) & value.notna()


def find_best(board: pd.DataFrame, criterion: str) -> list[str]:
    """Return the metrics with a supported value that no other such metric's interval is better than, best value first.

    Intervals that overlap do not differ, so the metrics cannot be distinguished from the best one.
    """
    cells = board[(board["criterion"] == criterion) & find_supported(board)]
    values = orient_values(cells, [criterion])[criterion].sort_values(ascending=False, kind="stable")
    low, high = (ends[criterion].reindex(values.index) for ends in orient_intervals(cells, [criterion]))
    return values.index[~(high < low.max())].tolist()


def recommend_metrics(board: pd.DataFrame, use: Use) -> list[str]:
    """Return the metrics that suit a use: the best of those whose cells support it by each of its criteria.

    The best are those of `find_best` by the first criterion of the use; the list is empty if no metric is supported.
    """
    cells = board[board["criterion"].isin(use.criteria) & find_supported(board)]
    n_supported = cells["metric"].value_counts()
    chosen = n_supported.index[n_supported == len(use.criteria)]
    return find_best(board[board["metric"].isin(chosen)], use.criteria[0]) if len(chosen) else []
