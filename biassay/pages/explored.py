"""Which tables of a study can be explored as charts, and how."""

from collections.abc import Iterable

import pandas as pd

from biassay.figures.formatting import metric_label
from biassay.pages import charts
from biassay.pages.shown import Shown
from biassay.support import csv_tables

# By study: name of the table, title, what stands in a row, and how `charts.dots` draws it.
CHARTS = {
    "first_order": [
        ("correlations", "Correlation with women's shares, by representation", ("embedding", "space", "method"),
         {"value": "spearman", "interval": ("spearman_low", "spearman_high"),
          "choose": ("corpus", "statistics", "word_list"),
          "tell": ("n", "spearman_p"), "reference": "spearman_published"}),
    ],
    "silhouette": [
        ("*/scores", "Accuracy of metrics", ("metric",),
         {"value": "accuracy", "choose": ("bias", "list"),
          "tell": ("auc", "robustness_biased", "needed_biased")}),
        ("*/scores", "Separation of the biased and the unbiased model", ("metric",),
         {"value": "auc", "choose": ("bias", "list"), "tell": ("accuracy", "robustness_biased", "words")}),
        ("*/false_positives", "False positives: bias concluded where there is none", ("metric", "test"),
         {"value": "false_positive_rate", "interval": ("false_positive_rate_low", "false_positive_rate_high"),
         "choose": ("bias", "share"),
          "tell": ("n_unbiased", "power", "p_unbiased")}),
    ],
    "same": [
        ("tables/correlations", "R² of words with the bias trained on, a dot a language model", ("metric",),
         {"value": "r2", "choose": ("ground_truth", "against"), "tell": ("model", "distribution", "r", "n", "p",
         "kept")}),
    ],
    "intrinsic": [
        ("tables/correlations", "r of words with bias, a dot a language model", ("second",),
         {"value": "r", "choose": ("attribute", "first"), "tell": ("model", "distribution", "n")}),
    ],
    "downstream": [
        ("tables/ranking", "Pairs of models ranked right", ("score", "version", "terms"),
         {"value": "accuracy", "interval": ("low", "high"), "choose": ("ground_truth", "set", "attribute"),
          "tell": ("models", "pairs", "chance", "p_holm"), "reference": "published"}),
    ],
}  # fmt: skip
ROW = "of"


def _chart(table: pd.DataFrame, by: tuple[str, ...], options: dict) -> dict | None:
    """A chart with a row for each combination of the columns `by`; None for a table without rows."""
    if table.empty:
        return None
    rows = table.copy()
    named = rows[list(by)].fillna("").astype(str).map(metric_label)
    rows[ROW] = named.agg(lambda row: " · ".join(part for part in row if part), axis=1)
    return charts.dots(rows, by=ROW, **options)


def find(study: str, results: Iterable[Shown]) -> list[tuple[str, dict]]:
    """Title and chart of each table of a study that can be explored."""
    tables = {}
    for result in results:
        if result.kind == "table":
            pair = result.of.get("pair")
            tables.setdefault(result.name.replace(f"{pair}/", "*/", 1) if pair else result.name, []).append(result)
    found = []
    for name, title, by, options in CHARTS.get(study, ()):
        for result in tables.get(name, ()):
            known = {options["value"]: "number?"} | dict.fromkeys(options.get("interval", ()), "number?")
            table = csv_tables.read(result.file, [*by, *known], known, allow_empty=True)
            chart = _chart(table, by, options)
            if chart:
                cut = [f"the first {charts.ALL} of {len(table)} rows"] if len(table) > charts.ALL else []
                of = ", ".join([*result.of.values(), *cut])
                found.append((f"{title} ({of})" if of else title, chart))
    return found
