"""Plot the silhouettes of a bias, on the metrics' ranges and zoomed (silhouette paper, Figure 2)."""

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
    """Draw one row per metric and one column per type of list, in several blocks if the figure is too tall.

    `limits` computes the range of a panel's values.
    """
    metrics, lists = scores["metric"].unique(), scores["list"].unique()
    blocks = next(blocks for blocks in range(1, len(metrics) + 1) if fits(len(metrics), len(lists), blocks))
    lines = -(-len(metrics) // blocks)
    figure, axes = plt.subplots(lines, blocks * len(lists), figsize=size(lines, blocks * len(lists)), squeeze=False,
                                sharex="col")  # fmt: skip
    for axis in axes.flat:
        axis.set_visible(False)
    for number, metric in enumerate(metrics):
        row, first = number % lines, number // lines * len(lists)
        for j, list_type in enumerate(lists):
            rows = select_rows(scores, metric=metric, list=list_type)
            if rows.empty:
                continue
            axis, panel = axes[row, first + j], select_rows(table, metric=metric, list=list_type)
            axis.set_visible(True)
            draw_panel(axis, panel, rows.iloc[0])
            axis.set_ylim(limits(rows.iloc[0], panel))
            name = curves.LISTS.get(list_type, list_type)
            heading = f"{name}, {rows['n_words'].iloc[0]} words\n".capitalize() if row == 0 else ""
            axis.set_title(heading + curves.describe_scores(rows.iloc[0]), fontsize=7, loc="left", pad=3)
            if row == lines - 1 or number == len(metrics) - 1:
                axis.set_xlabel(f"words of the {name}, n")
                axis.tick_params(labelbottom=True)
        axes[row, first].set_ylabel(metric_label(metric).replace(" ", "\n", 1))
    for block in range(blocks):
        for axis in axes[:, block * len(lists)]:
            axis.yaxis.set_label_coords(-0.2, 0.5)
    figure.legend(handles=legend(), loc="outside lower center", ncols=6, frameon=False, fontsize=8)
    figure.suptitle(title)
    return figure


def size(lines: int, columns: int) -> tuple[float, float]:
    """Return the size in inches of a figure with these panels."""
    return 3.8 * columns + 0.8, 1.3 + 1.3 * lines


def fits(metrics: int, lists: int, blocks: int) -> bool:
    """Whether a figure with this many blocks is not too tall; one block per metric always fits."""
    width, height = size(-(-metrics // blocks), blocks * lists)
    return blocks == metrics or height <= plots.MAX_RATIO * width


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
