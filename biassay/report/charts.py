"""Interactive charts of the studies' tables."""

import json
from collections.abc import Iterable, Sequence

import altair as alt
import pandas as pd

from biassay.core import csv_tables
from biassay.report.formatting import metric_label
from biassay.report.results import Result

MAX_ROWS = 5000
DOT, REFERENCE = "#4b2a8c", "#c2571a"

# By study: name of the table, title, columns that name a row of the chart, and arguments of `draw_dots`.
CHARTS = {
    "first_order": [
        ("correlations", "Correlation with women's shares, by representation", ("embedding", "space", "method"),
         {"value": "spearman", "interval": ("spearman_low", "spearman_high"),
          "filters": ("corpus", "statistics", "word_list"),
          "tooltip": ("n", "spearman_p"), "reference": "spearman_published"}),
    ],
    "silhouette": [
        ("*/scores", "Accuracy of metrics", ("metric",),
         {"value": "accuracy", "filters": ("bias", "list"),
          "tooltip": ("auc", "robustness_biased", "words_needed_biased")}),
        ("*/scores", "AUC between the biased and the unbiased model", ("metric",),
         {"value": "auc", "filters": ("bias", "list"), "tooltip": ("accuracy", "robustness_biased", "n_words")}),
        ("*/false_positives", "False positives: tests that find bias in unbiased models", ("metric", "test"),
         {"value": "false_positive_rate", "interval": ("false_positive_rate_low", "false_positive_rate_high"),
         "filters": ("bias", "share"),
          "tooltip": ("n_unbiased", "power", "p_unbiased")}),
    ],
    "same": [
        ("tables/correlations", "R² of word scores with the planted bias, one dot per language model", ("metric",),
         {"value": "r2", "filters": ("ground_truth", "against"), "tooltip": ("model", "distribution", "r", "n", "p",
         "learned")}),
    ],
    "intrinsic": [
        ("tables/correlations", "r of word scores with the planted bias, one dot per language model", ("second",),
         {"value": "r", "filters": ("attribute", "first"), "tooltip": ("model", "distribution", "n")}),
    ],
    "downstream": [
        ("tables/ranking", "Pairwise ranking accuracy", ("score", "version", "group_words"),
         {"value": "ranking_accuracy", "interval": ("low", "high"), "filters": ("ground_truth", "set", "attribute"),
          "tooltip": ("n_models", "n_pairs", "chance", "p_holm"), "reference": "published"}),
    ],
}  # fmt: skip


def make_charts(study: str, results: Iterable[Result]) -> list[tuple[str, dict]]:
    """Return title and chart, in Vega-Lite, of each table of a study that has one."""
    results, charts = [result for result in results if result.kind == "table"], []
    for name, title, by, options in CHARTS.get(study, ()):
        for result in results:
            pair = result.wildcards.get("pair")
            if name != (result.name.replace(f"{pair}/", "*/", 1) if pair else result.name):
                continue
            kinds = dict.fromkeys([options["value"], *options.get("interval", ())], "number?")
            table = csv_tables.read(result.file, [*by, *_columns(**options)], kinds, allow_empty=True)
            labels = table[list(by)].fillna("").astype(str).map(metric_label)
            table["row"] = labels.agg(lambda row: " · ".join(filter(None, row)), axis=1) if len(table) else ""
            if chart := draw_dots(table, by="row", **options):
                cut = [f"the first {MAX_ROWS} of {len(table)} rows"] if len(table) > MAX_ROWS else []
                details = ", ".join([*result.wildcards.values(), *cut])
                charts.append((f"{title} ({details})" if details else title, chart))
    return charts


def draw_dots(
    table: pd.DataFrame, *, value: str, by: str, filters: Sequence[str] = (), interval: tuple[str, str] | None = None,
    tooltip: Sequence[str] = (), reference: str | None = None,
) -> dict | None:  # fmt: skip
    """Draw dots of the column `value`, one row of the chart per name in `by`; None for a table without values.

    Rows without a value are ignored, as are rows after MAX_ROWS. Each column of `filters` with several values has a
    menu below the chart. `interval`: columns with the ends of a line behind the dot. `tooltip`: further columns that
    the tooltip of a dot shows. `reference`: column drawn as a tick, such as published values.
    """
    columns = _columns(value, filters, interval, tooltip, reference)
    rows = table.loc[table[value].notna(), list(dict.fromkeys([by, *columns]))].head(MAX_ROWS).copy()
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


def _columns(
    value: str, filters: Sequence[str] = (), interval: Sequence[str] | None = None, tooltip: Sequence[str] = (),
    reference: str | None = None,
) -> list[str]:  # fmt: skip
    return [*filters, value, *(interval or ()), *tooltip, *([reference] if reference else [])]


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
