"""Interactive charts of tables: values by contender, one choice at a time, with intervals and what is behind a dot."""

import json
from collections.abc import Sequence

import altair as alt
import pandas as pd

ALL = 5000  # rows of a chart, more of which no reader tells apart


def dots(
    table: pd.DataFrame, *, value: str, by: str, choose: Sequence[str] = (), interval: tuple[str, str] | None = None,
    tell: Sequence[str] = (), reference: str | None = None,
) -> dict | None:  # fmt: skip
    """Dots of `value` in a row for each of `by`: a `spec` of Vega-Lite, and `choices`, a list of {param, label,
    options}, for which page.js makes menus; None for a table without values.

    choose: columns of which one value at a time is shown, chosen beside the chart, the first one at first. interval:
    columns of the ends of a line behind the dot. tell: columns told when a dot is pointed at. reference: a column drawn
    as a tick, as published values. Raises ValueError for a column that is missing.
    """
    used = list(dict.fromkeys([*choose, by, value, *(interval or ()), *tell, *([reference] if reference else [])]))
    missing = [name for name in used if name not in table]
    if missing:
        raise ValueError(f"a chart of {value}: the table lacks {missing[0]!r}; it has {', '.join(table)}")
    rows = table.loc[table[value].notna(), used].head(ALL).copy()
    if rows.empty:
        return None
    for column in (*choose, by):
        rows[column] = rows[column].astype(object).fillna("").astype(str)
    chart = alt.layer(*_layers(rows, value, by, interval, reference))
    chart, choices = chart.properties(width="container", height=alt.Step(22)), []
    for column in choose:
        options = list(rows[column].drop_duplicates())
        if len(options) > 1:
            param = f"chosen_{column}"
            chart = chart.add_params(alt.param(name=param, value=options[0]))
            chart = chart.transform_filter(f"datum[{json.dumps(column)}] === {param}")
            choices.append({"param": param, "label": _called(column), "options": options})
    spec = chart.to_dict()
    zoom = {"name": "zoom", "select": {"type": "interval", "encodings": ["x"]}, "bind": "scales"}
    spec["layer"][0].setdefault("params", []).append(zoom)
    spec["autosize"] = {"type": "fit-x", "contains": "padding"}
    return {"spec": spec, "choices": choices}


def _layers(
    rows: pd.DataFrame, value: str, by: str, interval: tuple[str, str] | None, reference: str | None
) -> list[alt.Chart]:
    """Intervals, dots on them, and ticks of the reference, if there are some; only dots are told to a screen reader."""
    row = alt.Y(f"{_key(by)}:N", sort=list(rows[by].drop_duplicates()), title=None, axis=alt.Axis(labelLimit=240))
    told = [alt.Tooltip(f"{_key(name)}:{_kind(rows[name])}", title=_called(name), format=_format(rows[name]))
            for name in rows]  # fmt: skip
    base, layers = alt.Chart(alt.Data(values=json.loads(rows.to_json(orient="records", double_precision=4)))), []
    if interval:
        ends = alt.X(f"{_key(interval[0])}:Q", title=_called(value)), alt.X2(f"{_key(interval[1])}:Q")
        layers.append(base.mark_rule(opacity=0.5, aria=False).encode(*ends, row))
    place = alt.X(f"{_key(value)}:Q", title=_called(value), scale=alt.Scale(zero=False, nice=True))
    layers.append(base.mark_circle(size=70, opacity=0.7).encode(place, row, tooltip=told))
    if reference and rows[reference].notna().any():
        known = base.transform_filter(f"isValid(datum[{json.dumps(reference)}])")
        ticks = known.mark_tick(color="#c2571a", thickness=3, size=14, aria=False)
        layers.append(ticks.encode(alt.X(f"{_key(reference)}:Q"), row, tooltip=told))
    return layers


def _called(column: str) -> str:
    return column.replace("_", " ")


def _key(column: str) -> str:
    """A column as Vega-Lite names a field, in which dots and brackets would lead into objects."""
    return column.replace(".", r"\.").replace("[", r"\[").replace("]", r"\]").replace(":", r"\:")


def _kind(values: pd.Series) -> str:
    return "Q" if pd.api.types.is_numeric_dtype(values) and values.dtype != bool else "N"


def _format(values: pd.Series) -> str:
    return ".3~g" if pd.api.types.is_float_dtype(values) else ""
