"""Small boards made by hand."""

import pandas as pd

from biassay.studies.board.board import COLUMNS
from biassay.studies.board.criteria import BY_KEY

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
            known = {"low": NAN, "high": NAN, "n": 10, "of": "things", "note": "", **changes.get(key, {})}
            row = known if value == value else {"note": f"no {key}"}
            rows.append({"metric": metric, "criterion": key, "value": value, "page": f"{key}.html", **row})
    return pd.DataFrame(rows, columns=COLUMNS)
