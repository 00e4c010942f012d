"""Interactive charts of the studies' tables."""

import json
import math
from collections.abc import Iterable, Sequence
from itertools import chain

import altair as alt
import pandas as pd

from biassay.core import csv_tables
from biassay.report.formatting import metric_label
from biassay.report.results import Result, compile_pattern, read_charts

MAX_ROWS = 5000
ROW = 22  # height in pixels, as in site.css
DOT, REFERENCE = "#4b2a8c", "#c2571a"


def make_charts(study: str, results: Iterable[Result]) -> list[tuple[str, dict]]:
    """Return title and chart, in Vega-Lite, of each table of a study that has one in its results.yaml."""
    results, charts = [result for result in results if result.kind == "table"], []
    for described in read_charts(study):
        pattern, title, by = (described.pop(key) for key in ("table", "title", "by"))
        for result in results:
            if not compile_pattern(pattern).fullmatch(f"{study}/{result.name}.csv"):
                continue
            kinds = dict.fromkeys([described["value"], *described.get("interval", ())], "extended?")
            columns = chain(by, *([names] if isinstance(names, str) else names for names in described.values()))
            table = csv_tables.read(result.file, list(columns), kinds, allow_empty=True)
            labels = table[by].fillna("").astype(str).map(metric_label)
            table["row"] = labels.agg(lambda row: " · ".join(filter(None, row)), axis=1) if len(table) else ""
            if chart := draw_dots(table, by="row", **described):
                cut = [f"the first {MAX_ROWS} of {len(table)} rows"] if len(table) > MAX_ROWS else []
                details = ", ".join([*result.wildcards.values(), *cut])
                charts.append((f"{title} ({details})" if details else title, chart))
    return charts


def draw_dots(
    table: pd.DataFrame,
    *,
    value: str,
    by: str,
    filters: Sequence[str] = (),
    interval: tuple[str, str] | None = None,
    tooltip: Sequence[str] = (),
    reference: str | None = None,
) -> dict | None:
    """Draw dots of the column `value`, one row of the chart per name in `by`; None for a table without values.

    Rows without a value are ignored, as are rows after MAX_ROWS. Each column of `filters` with several values has a
    menu below the chart. `interval`: columns with the ends of a line behind the dot. `tooltip`: further columns that
    the tooltip of a dot shows. `reference`: column drawn as a tick, such as published values. An infinite value has no
    dot, and a line with an infinite upper end goes to the edge of the chart. `usermeta` in the result has the number of
    menus and the largest number of rows that they choose.
    """
    columns = dict.fromkeys(filter(None, [by, *filters, value, *(interval or ()), *tooltip, reference]))
    rows = table.loc[table[value].notna(), list(columns)].head(MAX_ROWS).copy()
    if rows.empty:
        return None
    for column in (*filters, by):
        rows[column] = rows[column].astype(object).fillna("").astype(str)
    chart = alt.layer(*_layers(rows, value, by, interval, reference))
    chart = chart.properties(width="container", height=alt.Step(ROW)).configure_axis(labelLimit=220)
    menus = [column for column in filters if rows[column].nunique() > 1]
    for column in menus:
        options = list(rows[column].drop_duplicates())
        labels = [option or "–" for option in options]
        menu = alt.binding_select(options=options, labels=labels, name=f"{_title(column)} ")
        param = alt.param(name=f"chosen_{column}", value=options[0], bind=menu)
        chart = chart.add_params(param).transform_filter(f"datum[{json.dumps(column)}] === {param.name}")
    spec = chart.to_dict()
    n_rows = rows.groupby(list(filters))[by].nunique() if filters else rows[[by]].nunique()
    spec["usermeta"] = {"rows": int(n_rows.max()), "menus": len(menus)}
    spec["autosize"] = {"type": "fit-x", "contains": "padding"}
    return spec


def _layers(
    rows: pd.DataFrame, value: str, by: str, interval: tuple[str, str] | None, reference: str | None
) -> list[alt.Chart]:
    """Return the layers: intervals, dots, and ticks of the reference. Screen readers read the dots only."""
    row = alt.Y(f"{by}:N", sort=list(rows[by].drop_duplicates()), title=None)
    tooltip = [
        alt.Tooltip(f"{name}:{_kind(rows[name])}", title=_title(name), format=_format(rows[name])) for name in rows
    ]
    values = [{name: _plain(cell) for name, cell in row.items()} for row in rows.to_dict("records")]
    base, layers = alt.Chart(alt.Data(values=values)), []
    if interval:
        line = base.mark_rule(color=DOT, opacity=0.5, aria=False)
        line = line.encode(alt.X(f"{interval[0]}:Q", title=_title(value)), row)
        has_end = f"isValid(datum[{json.dumps(interval[1])}])"
        layers.append(line.encode(alt.X2(f"{interval[1]}:Q")).transform_filter(has_end))
        layers.append(line.encode(x2=alt.value("width")).transform_filter(f"!{has_end}"))
    x = alt.X(f"{value}:Q", title=_title(value), scale=alt.Scale(zero=False, nice=True))
    layers.append(base.mark_circle(color=DOT, size=70, opacity=0.7).encode(x, row, tooltip=tooltip))
    if reference and rows[reference].notna().any():
        referenced = base.transform_filter(f"isValid(datum[{json.dumps(reference)}])")
        ticks = referenced.mark_tick(color=REFERENCE, thickness=3, size=14, aria=False)
        layers.append(ticks.encode(alt.X(f"{reference}:Q"), row, tooltip=tooltip))
    return layers


def _plain(cell: object) -> object:
    """Return a cell for JSON: None if it is missing or infinite, numbers with five digits, so that no p becomes 0."""
    if isinstance(cell, float):
        return float(f"{cell:.5g}") if math.isfinite(cell) else None
    return None if pd.isna(cell) else cell


def _title(column: str) -> str:
    return column.replace("_", " ")


def _kind(values: pd.Series) -> str:
    return "Q" if pd.api.types.is_numeric_dtype(values) and values.dtype != bool else "N"


def _format(values: pd.Series) -> str:
    return ".3~g" if pd.api.types.is_float_dtype(values) else ""
