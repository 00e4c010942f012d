"""The board: one cell per metric and criterion, why a cell is empty, and which metrics are better than which."""

from collections.abc import Collection, Mapping, Sequence

import numpy as np
import pandas as pd

from biassay.core import csv_tables
from biassay.measurement.metric import TAKES, Metric
from biassay.studies.board.cells import Cell
from biassay.studies.board.criteria import BY_KEY, CRITERIA, LOWER, YES, Criterion, Use

COLUMNS = [*Cell._fields[:-1], "page", "note"]
KINDS = csv_tables.column_types(text="metric criterion page", integer="n?", number="value? low? high?")
TIMED = "board"
FALSE_POSITIVES, LEVEL = "false_positive_rate", 0.05  # and the level of the tests
LEVELS = {"word": "single words", "set": "sets of targets"}
SEEDS, SEEDS_STUDY = "seeds", "silhouette"  # runs with other seeds, and the study that they repeat
MULTIGROUP = ("groups_ethnicity", "groups_religion")  # criteria whose attributes usually have more than two groups
COSTS = ("milliseconds",)  # criteria that do not describe the quality of a metric's values


def read_board(path: str) -> pd.DataFrame:
    """Read board.csv, which has one row per metric and criterion."""
    table = csv_tables.read(path, COLUMNS, KINDS)
    csv_tables.check_rows(path, table, {"metric": table["metric"].unique(), "criterion": table["criterion"].unique()})
    return table


def fill_board(
    values: pd.DataFrame, metrics: Mapping[str, Metric], chosen: Mapping[str, Sequence[str]], studies: Collection[str]
) -> pd.DataFrame:
    """Arrange cells into a board: one row per metric and criterion; `note` says why a value is missing.

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
            cell = by_place.get((name, criterion.criterion))
            reason = explain_missing(name, declared, criterion, cell, chosen, studies)
            place = {"metric": name, "criterion": criterion.criterion, "page": cell_page(criterion)}
            rows.append(place | ({"note": reason} if reason else cell._asdict()))
    return pd.DataFrame(rows, columns=COLUMNS).astype({"n": "Int64"})  # floats would be rounded in the file


def cell_page(criterion: Criterion) -> str:
    """Return the page behind a criterion's cells, relative to the first page of the site."""
    if criterion.study == TIMED:
        return f"index.html#criterion-{criterion.criterion}"
    return f"board/{criterion.study}.html"


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
    if study != TIMED and study not in studies:
        return f"the study {study} was not run"
    if inability:
        return inability
    if declared.takes != "vectors" and study != "first_order":
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
    """Return the criteria with values in the order of the board, without COSTS."""
    valued = set(board.loc[board["value"].notna(), "criterion"])
    return [key for key in BY_KEY if key in valued and key not in COSTS]


def assessed_metrics(board: pd.DataFrame) -> list[str]:
    """Return the metrics with a value by one of `assessed_criteria`, those with the most values first."""
    valued = board[board["value"].notna() & board["criterion"].isin(assessed_criteria(board))]
    return valued["metric"].value_counts(sort=True).index.tolist() if len(valued) else []


def _missing_ability(declared: Metric, criterion: Criterion) -> str:
    """Say what a criterion needs and a metric lacks; "" if nothing."""
    level = "word" if criterion.needs == "sign" else criterion.needs
    if level and level not in declared.levels:
        return f"the metric has no values of {LEVELS[level]}"
    if criterion.needs == "sign" and not declared.range("word", max(2, declared.groups[0])).signed:
        return "the metric's values have no sign"
    return ""


def orient_values(board: pd.DataFrame, criteria: Sequence[str]) -> pd.DataFrame:
    """Return values (metrics, criteria), negated where lower is better, so that higher is better; NaN if missing."""
    wide = board.pivot(index="metric", columns="criterion", values="value").astype(float)
    wide = wide.reindex(index=board["metric"].drop_duplicates(), columns=list(criteria))
    signs = [-1.0 if BY_KEY[key].better == LOWER else 1.0 for key in criteria]
    return wide * signs


def dominates(values: pd.DataFrame) -> np.ndarray:
    """Return which metric dominates which, (n, n), by values (n, criteria) of which higher ones are better.

    Metric i dominates metric j if i has a value wherever j has one, at least as good everywhere and better somewhere.
    A metric without values neither dominates nor is dominated. Differences may lie within the values' intervals.
    """
    array = values.to_numpy(float)
    finite = np.isfinite(array)
    with np.errstate(invalid="ignore"):
        as_good = (array[:, None] >= array[None]) | ~finite[None]
        better = ((array[:, None] > array[None]) & finite[None]).any(axis=2)
    covers = (finite[:, None] | ~finite[None]).all(axis=2)
    return as_good.all(axis=2) & better & covers


def recommend_metrics(board: pd.DataFrame, use: Use) -> pd.DataFrame:
    """Return the values (metrics, criteria) of the metrics that suit a use, the best by the first criterion first.

    A metric suits it if it has a value by each of its criteria, fails none, and no other such metric dominates it. It
    fails by the verdict no, and by a false-positive rate whose whole interval is above the tests' level.
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
