"""Interactive charts of tables."""

import json
from collections.abc import Sequence

import altair as alt
import pandas as pd

MAX_ROWS = 5000
DOT, REFERENCE = "#4b2a8c", "#c2571a"


def draw_dots(
    table: pd.DataFrame, *, value: str, by: str, filters: Sequence[str] = (), interval: tuple[str, str] | None = None,
    tooltip: Sequence[str] = (), reference: str | None = None,
) -> dict | None:  # fmt: skip
    """Draw dots of a column, one row of the chart per name.

    Parameters
    ----------
    table : DataFrame
    value : str
        Column of the horizontal axis; rows without a value are ignored, as are rows after MAX_ROWS.
    by : str
        Column with the names of the chart's rows.
    filters : sequence of str
        Columns with a menu beside the chart; the chart shows the rows of one value at a time, first of the first value.
    interval : pair of str, optional
        Columns with the ends of a line behind the dot.
    tooltip : sequence of str
        Further columns that the tooltip of a dot shows.
    reference : str, optional
        Column drawn as a tick, such as published values.

    Returns
    -------
    dict or None
        The chart in Vega-Lite; None for a table without values.

    Raises
    ------
    ValueError
        If the table lacks a column.
    """
    columns = [*filters, by, value, *(interval or ()), *tooltip, *([reference] if reference else [])]
    columns = list(dict.fromkeys(columns))
    missing = [name for name in columns if name not in table]
    if missing:
        raise ValueError(f"chart of {value}: the table lacks the column {missing[0]!r}; it has {', '.join(table)}")
    rows = table.loc[table[value].notna(), columns].head(MAX_ROWS).copy()
    if rows.empty:
        return None
    for column in (*filters, by):
        rows[column] = rows[column].astype(object).fillna("").astype(str)
    chart = alt.layer(*_layers(rows, value, by, interval, reference))
    chart = chart.properties(width="container", height=alt.Step(22)).configure_axis(labelLimit=220)
    for column in filters:
        options = list(rows[column].drop_duplicates())
        if len(options) > 1:
            labels = [option or "–" for option in options]
            menu = alt.binding_select(options=options, labels=labels, name=f"{_title(column)} ")
            param = alt.param(name=f"chosen_{column}", value=options[0], bind=menu)
            chart = chart.add_params(param).transform_filter(f"datum[{json.dumps(column)}] === {param.name}")
    spec = chart.to_dict()
    zoom = {"name": "zoom", "select": {"type": "interval", "encodings": ["x"]}, "bind": "scales"}
    spec["layer"][0].setdefault("params", []).append(zoom)
    spec["autosize"] = {"type": "fit-x", "contains": "padding"}
    return spec


def _layers(
    rows: pd.DataFrame, value: str, by: str, interval: tuple[str, str] | None, reference: str | None
) -> list[alt.Chart]:
    """Return the layers: intervals, dots, and ticks of the reference. Screen readers read the dots only."""
    row = alt.Y(f"{_field(by)}:N", sort=list(rows[by].drop_duplicates()), title=None)
    tooltip = [alt.Tooltip(f"{_field(name)}:{_kind(rows[name])}", title=_title(name), format=_format(rows[name]))
               for name in rows]  # fmt: skip
    base, layers = alt.Chart(alt.Data(values=json.loads(rows.to_json(orient="records", double_precision=4)))), []
    if interval:
        ends = alt.X(f"{_field(interval[0])}:Q", title=_title(value)), alt.X2(f"{_field(interval[1])}:Q")
        layers.append(base.mark_rule(color=DOT, opacity=0.5, aria=False).encode(*ends, row))
    x = alt.X(f"{_field(value)}:Q", title=_title(value), scale=alt.Scale(zero=False, nice=True))
    layers.append(base.mark_circle(color=DOT, size=70, opacity=0.7).encode(x, row, tooltip=tooltip))
    if reference and rows[reference].notna().any():
        referenced = base.transform_filter(f"isValid(datum[{json.dumps(reference)}])")
        ticks = referenced.mark_tick(color=REFERENCE, thickness=3, size=14, aria=False)
        layers.append(ticks.encode(alt.X(f"{_field(reference)}:Q"), row, tooltip=tooltip))
    return layers


def _title(column: str) -> str:
    return column.replace("_", " ")


def _field(column: str) -> str:
    """Escape a column name for Vega-Lite, which reads dots and brackets as paths into objects."""
    return column.replace(".", r"\.").replace("[", r"\[").replace("]", r"\]").replace(":", r"\:")


def _kind(values: pd.Series) -> str:
    return "Q" if pd.api.types.is_numeric_dtype(values) and values.dtype != bool else "N"


def _format(values: pd.Series) -> str:
    return ".3~g" if pd.api.types.is_float_dtype(values) else ""
