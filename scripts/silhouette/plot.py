"""Plot the silhouettes of a bias, on the metrics' ranges and zoomed (silhouette paper, Figure 2)."""

from textwrap import fill

import matplotlib.pyplot as plt
import pandas as pd
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from biassay.core import csv_tables, scripts
from biassay.core.csv_tables import select_rows
from biassay.report import plots
from biassay.report.formatting import metric_label
from biassay.studies.silhouette import curves

BANDS = (("min", "max", 0.13), ("q05", "q95", 0.2), ("q25", "q75", 0.35))  # overlapping bands with their opacity
SHADES = {"all shuffles": 0.13, "90 %": 0.3, "50 %": 0.55}  # resulting opacity
STYLES = ("-", (0, (4, 1.5)))


def main(silhouettes: str, scores: str, bias: str, whole: list[str], zoomed: list[str]) -> None:
    table = select_rows(csv_tables.read(silhouettes, "bias list metric model n_words", {}), bias=bias)
    rows = select_rows(csv_tables.read(scores, "bias list metric n_words", {}), bias=bias)
    plots.save(draw(table, rows, f"Bias silhouettes, {bias}, on each metric's range", curves.value_range), *whole)
    plots.save(draw(table, rows, f"Bias silhouettes, {bias}, zoomed", curves.zoomed_range), *zoomed)


def draw(table: pd.DataFrame, scores: pd.DataFrame, title: str, limits) -> plt.Figure:
    """Draw one row per metric and one column per type of list.

    `limits` computes the range of a panel's values.
    """
    metrics, lists = scores["metric"].unique(), scores["list"].unique()
    size = plots.WIDTH, 1.3 + 1.1 * len(metrics)
    figure, axes = plt.subplots(len(metrics), len(lists), figsize=size, squeeze=False, sharex="col")
    for row, metric in enumerate(metrics):
        for axis, list_type in zip(axes[row], lists, strict=True):
            rows = select_rows(scores, metric=metric, list=list_type)
            if rows.empty:
                axis.set_visible(False)
                continue
            panel = select_rows(table, metric=metric, list=list_type)
            draw_panel(axis, panel, rows.iloc[0])
            axis.set_ylim(limits(rows.iloc[0], panel))
            name = curves.LISTS.get(list_type, list_type)
            heading = f"{name}, {rows['n_words'].iloc[0]} words\n".capitalize() if row == 0 else ""
            axis.set_title(heading + fill(curves.describe_scores(rows.iloc[0]), 44), fontsize=7, loc="left", pad=3)
            if row == len(metrics) - 1:
                axis.set_xlabel(f"words of the {name}, n")
        axes[row, 0].set_ylabel(metric_label(metric).replace(" ", "\n", 1))
    figure.align_ylabels(axes[:, 0])
    plots.add_legend(figure, legend())
    figure.suptitle(title)
    return figure


def draw_panel(axis: plt.Axes, panel: pd.DataFrame, row: pd.Series) -> None:
    """Draw the silhouettes of both models: bands of shuffles, extremes and mean; the value without bias is dotted."""
    for number, (model, colour) in enumerate(curves.MODELS.items()):
        curve = curves.thin_curve(select_rows(panel, model=model))
        for low, high, opacity in BANDS:
            axis.fill_between(curve["n_words"], curve[low], curve[high], color=colour, alpha=opacity, linewidth=0)
        for end in ("min", "max"):
            axis.plot(curve["n_words"], curve[end], color=colour, linewidth=0.5)
        axis.plot(curve["n_words"], curve["mean"], color=colour, linewidth=1.4, linestyle=STYLES[number])
    if pd.notna(row["b_0"]):
        axis.axhline(row["b_0"], color="black", linewidth=0.8, linestyle=":")
    axis.set_xlim(0, row["n_words"])


def legend() -> list:
    """Return the legend of lines and bands."""
    lines = [
        Line2D([], [], color=colour, linestyle=style, label=f"{model} model, mean")
        for (model, colour), style in zip(curves.MODELS.items(), STYLES, strict=True)
    ]
    bands = [Patch(color="black", alpha=shade, linewidth=0, label=name) for name, shade in SHADES.items()]
    return [*lines, *bands, Line2D([], [], color="black", linestyle=":", linewidth=0.8, label="no bias, b₀")]


if __name__ == "__main__":
    scripts.run(main, snakemake)
