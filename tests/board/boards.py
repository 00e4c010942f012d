"""Small boards made by hand."""

import pandas as pd
import pytest

from biassay.studies.board import cells
from biassay.studies.board.board import COLUMNS
from biassay.studies.board.criteria import BY_KEY
from biassay.studies.board.tables import COLUMNS as COLUMNS_OF

NAN = float("nan")


def board(values, **changes):
    """A board of values by metric and criterion; a criterion that any metric names has a cell of each metric.

    changes: by criterion, other columns of its cells that have values.
    """
    criteria = [key for key in BY_KEY if any(key in of for of in values.values())]
    rows = []
    for metric, of in values.items():
        for key in criteria:
            value = of.get(key, NAN)
            known = {"n": 10, "unit": "things", "note": "", **changes.get(key, {})}
            row = known if value == value else {"note": f"no {key}"}
            rows.append({"metric": metric, "criterion": key, "value": value, "page": f"{key}.html", **row})
    return pd.DataFrame(rows, columns=COLUMNS).astype(dict.fromkeys(("low", "high", "chance", "p"), float))


def found(study, **tables):
    """The cells of a study by metric and criterion: value, low, high, n, of, note, chance, p.

    Only the columns that the board requires of a table are given.
    """
    names = {name: name.replace("__", "/") for name in tables}
    required = {name: COLUMNS_OF[study][path].split() for name, path in names.items()}
    given = {path: pd.DataFrame(tables[name]).filter(required[name]) for name, path in names.items()}
    table = cells.make_cells(study, given)
    assert list(table) == ["metric", "criterion", "value", "low", "high", "n", "unit", "note", "chance", "p"]
    assert not table.duplicated(["metric", "criterion"]).any()
    assert all(BY_KEY[key].study == study for key in table["criterion"])
    return {(row[0], row[1]): list(row[2:]) for row in table.itertuples(index=False)}


def close(value, low, high, n, unit, note, chance=NAN, p=NAN):
    row = value, low, high, n, unit, note, chance, p
    return [pytest.approx(value, nan_ok=True) if isinstance(value, float) else value for value in row]
