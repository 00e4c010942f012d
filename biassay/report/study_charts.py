"""Interactive charts of the studies' tables."""

from collections.abc import Iterable

import pandas as pd

from biassay.core import csv_tables
from biassay.report import charts
from biassay.report.formatting import metric_label
from biassay.report.results import Result

# By study: name of the table, title, columns that name a row of the chart, and arguments of `charts.draw_dots`.
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
ROW = "row"


def make_charts(study: str, results: Iterable[Result]) -> list[tuple[str, dict]]:
    """Return title and chart of each table of a study that has one."""
    tables = {}
    for result in results:
        if result.kind == "table":
            pair = result.wildcards.get("pair")
            tables.setdefault(result.name.replace(f"{pair}/", "*/", 1) if pair else result.name, []).append(result)
    study_charts = []
    for name, title, by, options in CHARTS.get(study, ()):
        for result in tables.get(name, ()):
            kinds = {options["value"]: "number?"} | dict.fromkeys(options.get("interval", ()), "number?")
            table = csv_tables.read(result.file, [*by, *kinds], kinds, allow_empty=True)
            chart = _chart(table, by, options)
            if chart:
                cut = [f"the first {charts.MAX_ROWS} of {len(table)} rows"] if len(table) > charts.MAX_ROWS else []
                details = ", ".join([*result.wildcards.values(), *cut])
                study_charts.append((f"{title} ({details})" if details else title, chart))
    return study_charts


def _chart(table: pd.DataFrame, by: tuple[str, ...], options: dict) -> dict | None:
    """Draw a chart with one row for each combination of the columns `by`; None for an empty table."""
    if table.empty:
        return None
    rows = table.copy()
    labels = rows[list(by)].fillna("").astype(str).map(metric_label)
    rows[ROW] = labels.agg(lambda row: " · ".join(part for part in row if part), axis=1)
    return charts.draw_dots(rows, by=ROW, **options)
