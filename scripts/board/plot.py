"""Draw the board: metrics by criteria, shaded by rank within each column, and the metrics that dominate each metric."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from biassay.core import scripts
from biassay.report import plots
from biassay.report.formatting import metric_label
from biassay.studies.board import page
from biassay.studies.board.board import assessed_criteria, assessed_metrics, dominates, orient_values, read_board
from biassay.studies.board.criteria import BY_KEY, LOWER, NOMINAL

DARKEST = 0.55  # of the colour map, so that black text stays readable
CELL = 0.58, 0.27  # inches, width and height


def main(board: str, out: list[str]) -> None:
    table = read_board(board)
    criteria, metrics = assessed_criteria(table), assessed_metrics(table)
    cells = table.set_index(["metric", "criterion"])
    values = orient_values(table, criteria)
    dominating = dominates(table, criteria).loc[metrics, metrics]
    plots.save(draw(metrics, criteria, cells, values, dominating), *out)


def draw(
    metrics: list[str], criteria: list[str], cells: pd.DataFrame, values: pd.DataFrame, dominating: pd.DataFrame
) -> plt.Figure:
    """Draw one row per metric, one column per criterion, and a last column with the metrics that dominate it."""
    shades = page.compute_shades(values).reindex(metrics)
    width, height = CELL[0] * len(criteria) + 3.6, CELL[1] * len(metrics) + 1.6
    figure, axis = plt.subplots(figsize=(width, height))
    grid = np.ma.masked_invalid(np.where(values.reindex(metrics).notna(), shades, np.nan))
    if grid.size:
        axis.imshow(DARKEST * grid, cmap="Purples", vmin=0, vmax=1, aspect="auto")
    for row, metric in enumerate(metrics):
        for column, criterion in enumerate(criteria):
            text = page.format_value(criterion, cells.loc[(metric, criterion), "value"])
            axis.text(column, row, text, ha="center", va="center", fontsize=7)
    for row, metric in enumerate(metrics):
        names = [metric_label(above) for above in metrics if dominating.loc[above, metric]]
        axis.text(len(criteria) - 0.3, row, ", ".join(names) or "–", va="center", fontsize=7)
    titles = [BY_KEY[key].title + {LOWER: " ↓", NOMINAL: " → 0.05"}.get(BY_KEY[key].better, "") for key in criteria]
    axis.set_xticks(
        [*range(len(criteria)), len(criteria)], [*titles, "dominated by"], rotation=40, ha="left", fontsize=8
    )
    axis.set_yticks(range(len(metrics)), [metric_label(metric) for metric in metrics], fontsize=8)
    axis.xaxis.tick_top()
    axis.set_xlim(-0.5, len(criteria) + 2.6)
    axis.grid(False)
    axis.tick_params(length=0)
    axis.spines[:].set_visible(False)
    axis.set_xlabel("darker: better within the column; ↓: lower is better; –: no value", fontsize=8)
    return figure


if __name__ == "__main__":
    scripts.run(main, snakemake)
