"""The board: a cell for every metric and criterion, and why a cell is empty."""

from collections.abc import Collection, Mapping, Sequence

import numpy as np
import pandas as pd

from biassay.measurement.metric import TAKES, Metric
from biassay.studies.board import cells
from biassay.studies.board.criteria import BY_KEY, CRITERIA, LESS, Criterion
from biassay.support import csv_tables

COLUMNS = [*cells.COLUMNS[:7], "page", "note"]
KINDS = csv_tables.column_types(text="metric criterion page", integer="n?", number="value? low? high?")
TIMED = "board"
LEVELS = {"word": "single words", "set": "sets of targets"}
SEEDS, SEEDS_OF = "seeds", "silhouette"  # runs with other seeds, and the study that they are of
OF_SEVERAL = ("groups_ethnicity", "groups_religion")  # criteria whose attributes have more than two groups, as a rule
COSTS = ("milliseconds",)  # criteria that say nothing of how good a metric's values are


def read(path: str) -> pd.DataFrame:
    """Read board.csv: a row for each metric and criterion."""
    table = csv_tables.read(path, COLUMNS, KINDS)
    csv_tables.check_rows(path, table, {"metric": table["metric"].unique(), "criterion": table["criterion"].unique()})
    return table


def fill(
    found: pd.DataFrame, metrics: Mapping[str, Metric], asked: Mapping[str, Sequence[str]], studies: Collection[str]
) -> pd.DataFrame:
    """All cells, a row each: metric, criterion, value, low, high, n, of, page, note (why a value is missing).

    found: cells of the studies' tables (cells.COLUMNS). metrics: the rows, with their declarations. asked: by study the
    metrics that its configuration names. studies: those whose tables there are. Raises ValueError for a cell that two
    rows are of, and for one of an unknown metric or criterion.
    """
    if (twice := found.duplicated(["metric", "criterion"])).any():
        row = found[twice].iloc[0]
        raise ValueError(f"board: two values of {row['metric']} by {row['criterion']}")
    for column, known in (("metric", metrics), ("criterion", BY_KEY)):
        if unknown := set(found[column]) - set(known):
            raise ValueError(f"board: unknown {column} {min(unknown)!r}; expected one of: {', '.join(known)}")
    by_place = {(row["metric"], row["criterion"]): row for _, row in found.iterrows()}
    rows = []
    for name, declared in metrics.items():
        for criterion in CRITERIA:
            row = by_place.get((name, criterion.criterion)) if not _lacks(declared, criterion) else None
            if row is None or not np.isfinite(row["value"]):
                note = row["note"] if row is not None and row["note"] else None
                note = note or why_missing(name, declared, criterion, asked, studies)
                row = {"metric": name, "criterion": criterion.criterion, "note": note}
            rows.append({**row, "page": page_of(criterion)})
    return pd.DataFrame(rows, columns=COLUMNS).astype({"n": "Int64"})  # floats would be rounded in the file


def page_of(criterion: Criterion) -> str:
    """The page behind a cell, from the first page of the site."""
    if criterion.study == TIMED:
        return f"index.html#criterion-{criterion.criterion}"
    return f"board/{criterion.study}.html"


def why_missing(
    name: str, declared: Metric, criterion: Criterion, asked: Mapping[str, Sequence[str]], studies: Collection[str]
) -> str:
    """Why a metric has no value by a criterion, in words."""
    study = criterion.study
    if study == SEEDS and study not in studies:
        return "several seeds were not run (seeds)"
    if study != TIMED and study not in studies:
        return f"the study {study} was not run"
    if lacking := _lacks(declared, criterion):
        return lacking
    if declared.takes != "vectors" and study != "first_order":
        return f"the metric takes {TAKES[declared.takes]}, this study has vectors"
    chosen = SEEDS_OF if study == SEEDS else study
    if chosen in asked and name not in asked[chosen]:
        return f"not among {chosen}.metrics of the configuration"
    if criterion.criterion == "min_detectable_effect":
        return "no models of several strengths were trained (intrinsic.detection)"
    if criterion.criterion in OF_SEVERAL and declared.groups == (2, 2):
        return "the metric takes two groups"
    return "no table of the study has a value"


def judged(board: pd.DataFrame) -> list[str]:
    """The criteria that have values, but for costs, in the order of the board."""
    valued = set(board.loc[board["value"].notna(), "criterion"])
    return [key for key in BY_KEY if key in valued and key not in COSTS]


def ordered(board: pd.DataFrame) -> list[str]:
    """The metrics that are judged by a criterion, those that most of them judge first."""
    known = board[board["value"].notna() & board["criterion"].isin(judged(board))]
    return known["metric"].value_counts(sort=True).index.tolist() if len(known) else []


def _lacks(declared: Metric, criterion: Criterion) -> str:
    """What a metric lacks that a criterion is about, in words; "" if nothing."""
    level = "word" if criterion.needs == "sign" else criterion.needs
    if level and level not in declared.levels:
        return f"the metric has no values of {LEVELS[level]}"
    if criterion.needs == "sign" and not declared.range("word", max(2, declared.groups[0])).signed:
        return "the metric's values have no sign"
    return ""


def oriented(board: pd.DataFrame, criteria: Sequence[str]) -> pd.DataFrame:
    """Values by metric and criterion (metrics, criteria), turned so that more is better; NaN where there is none."""
    wide = board.pivot(index="metric", columns="criterion", values="value").astype(float)
    wide = wide.reindex(index=board["metric"].drop_duplicates(), columns=list(criteria))
    signs = [-1.0 if BY_KEY[key].better == LESS else 1.0 for key in criteria]
    return wide * signs
