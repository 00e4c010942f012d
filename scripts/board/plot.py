"""Draw the first criteria of the board: one row per metric, shaded where intervals separate metrics."""

from itertools import product
from textwrap import fill

import matplotlib.pyplot as plt
import pandas as pd

from biassay.core import scripts
from biassay.report import plots
from biassay.report.formatting import metric_label
from biassay.studies.board import page
from biassay.studies.board.board import assessed_criteria, assessed_metrics, orient_intervals, read_board
from biassay.studies.board.criteria import BY_KEY, LOWER, NOMINAL, choose_first

DARKEST = 0.45  # of the colour map, so that black text stays readable


def main(board: str, out: list[str]) -> None:
    table = read_board(board)
    criteria = choose_first(assessed_criteria(table))
    table = table[table["criterion"].isin(criteria)]
    metrics = assessed_metrics(table)
    values = table.pivot(index="metric", columns="criterion", values="value").reindex(metrics)[criteria]
    spans = [ends.loc[metrics] for ends in orient_intervals(table, criteria)]
    plots.save(draw(values, page.compute_shades(*page.count_separated(*spans))), *out)


def draw(values: pd.DataFrame, shades: pd.DataFrame) -> plt.Figure:
    """Draw values (metrics, criteria) as text on their shades."""
    figure, axis = plt.subplots(figsize=(plots.WIDTH, 1.4 + 0.24 * len(values)))
    if shades.size:
        axis.imshow(DARKEST / 2 * shades, cmap="Purples", vmin=0, vmax=1, aspect="auto")
    for (row, metric), (column, criterion) in product(enumerate(values.index), enumerate(values)):
        text = page.format_value(criterion, values.loc[metric, criterion])
        axis.text(column, row, text, ha="center", va="center")
    titles = [BY_KEY[key].title + {LOWER: " ↓", NOMINAL: " → 0.05"}.get(BY_KEY[key].better, "") for key in values]
    axis.set_xticks(range(len(titles)), [fill(title, 11) for title in titles])
    axis.set_yticks(range(len(values)), list(map(metric_label, values.index)))
    axis.xaxis.tick_top()
    axis.grid(False)
    axis.tick_params(length=0)
    axis.spines[:].set_visible(False)
    figure.supxlabel(
        "dark: interval wholly better than that of some metric, and none wholly better; light: wholly better than\n"
        "some and wholly worse than some; ↓: lower is better; → 0.05: 0.05 is best; –: no value;\n"
        "power and false positives: of the kind of bias where a test's power is lowest, and its rate worst",
        fontsize="medium",
    )
    return figure


if __name__ == "__main__":
    scripts.run(main, snakemake)
