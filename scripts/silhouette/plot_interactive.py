"""Draw the silhouettes of all biases and lists in one page without a network: metrics side by side, values on hover."""

import base64
import json
from html import escape
from pathlib import Path
from string import Template

import pandas as pd

from biassay.figures import curves, plots
from biassay.figures.formatting import metric_label
from biassay.studies.silhouette import tables
from biassay.support import logs

COLUMNS = ["mean", "min", "max", "q05", "q95", "q25", "q75", "n_undefined"]
# Chromium shows no page of more than 2 MB inside of a report, which holds it in base64: so many points make 1.5 MB.
POINTS = 24000


def main(pair: str, silhouettes: str, scores: str, template: str, out: str) -> None:
    table, rows = (
        tables.result(silhouettes, "silhouettes", "n_undefined"),
        curves.sort_by_bias(tables.result(scores, "scores", *tables.WHOLE)),
    )
    most = max(60, min(300, POINTS // (len(rows) * len(plots.MODELS))))
    shown = {}
    for (bias, kind), part in rows.groupby(["bias", "list"], sort=False):
        values = curves.select_rows(table, bias=bias, list=kind)
        panels = [panel(row, curves.select_rows(values, metric=row["metric"]), most) for _, row in part.iterrows()]
        shown[f"{bias}, {curves.LISTS.get(kind, kind)}"] = panels
    data = json.dumps({"colours": plots.MODELS, "shown": shown}, separators=(",", ":")).replace("</", "<\\/")
    page = Template(Path(template).read_text("utf-8")).substitute(pair=escape(pair), data=data)
    Path(out).write_text(page, "utf-8")


def panel(row: pd.Series, values: pd.DataFrame, most: int) -> dict:
    """What the page draws of a metric: names, ranges, and the curves of both models at the same k.

    A model's curves are its COLUMNS one after another, as little-endian 32-bit floats in base64.
    """
    models = {
        model: curves.thin_curve(curves.select_rows(values, model=model), most).set_index("n_words")
        for model in plots.MODELS
    }
    k = next(iter(models.values())).index
    return {
        "name": metric_label(row["metric"], row["relative"]),
        "scores": curves.describe_scores(row),
        "whole": [float(end) for end in curves.value_range(row, values)],
        "zoomed": [float(end) for end in curves.zoomed_range(row, values)],
        "b_0": None if pd.isna(row["b_0"]) else float(row["b_0"]),
        "k": k.tolist(),
        "models": {
            model: base64.b64encode(curve.reindex(k)[COLUMNS].to_numpy("<f4").T.tobytes()).decode()
            for model, curve in models.items()
        },
    }


if __name__ == "__main__":
    logs.start(snakemake.log[0])
    main(
        pair=snakemake.wildcards.pair,
        silhouettes=snakemake.input.silhouettes,
        scores=snakemake.input.scores,
        template=snakemake.input.template,
        out=snakemake.output[0],
    )
