"""Plot the silhouettes of all biases and lists on one interactive page that needs no network."""

import base64
import json

import pandas as pd
from markupsafe import Markup

from biassay.core import scripts
from biassay.report import curves, plots, rendering
from biassay.report.formatting import metric_label
from biassay.studies.silhouette import tables

COLUMNS = ["mean", "min", "max", "q05", "q95", "q25", "q75", "n_undefined"]
# Chromium does not show pages above 2 MB in a report, which embeds them as base64. These points take 1.5 MB.
MAX_POINTS = 24000


def main(pair: str, silhouettes: str, scores: str, out: str) -> None:
    table = tables.read_result(silhouettes, "silhouettes", "n_undefined")
    rows = curves.sort_by_bias(tables.read_result(scores, "scores", *tables.ALL_SCORES))
    max_rows = max(60, min(300, MAX_POINTS // (len(rows) * len(plots.MODELS))))
    panels = {}
    for (bias, list_type), part in rows.groupby(["bias", "list"], sort=False):
        values = curves.select_rows(table, bias=bias, list=list_type)
        rows_of_panels = [
            make_panel(row, curves.select_rows(values, metric=row["metric"]), max_rows) for _, row in part.iterrows()
        ]
        panels[f"{bias}, {curves.LISTS.get(list_type, list_type)}"] = rows_of_panels
    data = json.dumps({"colours": plots.MODELS, "panels": panels}, separators=(",", ":")).replace("</", "<\\/")
    context = {"pair": pair, "data": Markup(data)}
    rendering.write_page(out, "interactive.html", context, package="biassay.studies.silhouette")


def make_panel(row: pd.Series, values: pd.DataFrame, max_rows: int) -> dict:
    """Return the data of a metric's panel: names, ranges, and the curves of both models at the same numbers of words.

    A model's curves are the concatenated COLUMNS as little-endian 32-bit floats in base64.
    """
    models = {
        model: curves.thin_curve(curves.select_rows(values, model=model), max_rows).set_index("n_words")
        for model in plots.MODELS
    }
    n_words = next(iter(models.values())).index
    return {
        "name": metric_label(row["metric"], row["relative"]),
        "scores": curves.describe_scores(row),
        "whole": [float(end) for end in curves.value_range(row, values)],
        "zoomed": [float(end) for end in curves.zoomed_range(row, values)],
        "b_0": None if pd.isna(row["b_0"]) else float(row["b_0"]),
        "n_words": n_words.tolist(),
        "models": {
            model: base64.b64encode(curve.reindex(n_words)[COLUMNS].to_numpy("<f4").T.tobytes()).decode()
            for model, curve in models.items()
        },
    }


if __name__ == "__main__":
    scripts.run(main, snakemake)
