"""Draw the correlations of scores with the bias and with each other as heat maps (Figures 2 and 3)."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.image import AxesImage

from biassay.core import scripts
from biassay.report import curves, plots
from biassay.report.formatting import format_decimal, metric_label
from biassay.report.sizes import fit_size
from biassay.studies.intrinsic import tables
from biassay.studies.intrinsic.tables import IDEAL, NOISY

CELL = 0.34  # inches


def main(words: str, sets: str, words_out: list[str], sets_noisy_out: list[str], sets_ideal_out: list[str]) -> None:
    plots.save(draw_words(tables.read_result(words, "words")), *words_out)
    for labels, out in ((NOISY, sets_noisy_out), (IDEAL, sets_ideal_out)):
        plots.save(draw_sets(curves.select_rows(tables.read_result(sets, "sets"), labels=labels), labels), *out)


def draw_words(table: pd.DataFrame) -> plt.Figure:
    """Draw the mean over models of Pearson's r over occupations, one panel per attribute (Figure 2)."""
    figure = draw(table, "r_mean")
    models, n = table["models"].max(), table["n"].max()
    figure.suptitle(f"Word level: mean r of {models} models, over {n} occupations each (Figure 2)")
    return figure


def draw_sets(table: pd.DataFrame, labels: str) -> plt.Figure:
    """Draw Pearson's r over models, with one kind of stereotypes, one panel per attribute (Figure 3)."""
    figure = draw(table, "r")
    counts = f"{table['models'].max()} models of {table['distributions'].max()} distributions"
    figure.suptitle(f"Set level: r over {counts}, {labels} stereotypes (Figure 3)")
    return figure


def draw(table: pd.DataFrame, value: str) -> plt.Figure:
    """Draw one heat map per attribute, all with the same columns; grey cells have no correlation."""
    parts, order = list(table.groupby("attribute", sort=False)), score_names(table)
    size = 0.2 + CELL * (len(order) - 1)
    width, height = fit_size(2.4 + len(parts) * size, 1.9 + size)
    figure, axes = plt.subplots(1, len(parts), squeeze=False, sharey=True, figsize=(width, height))
    for axis, (attribute, rows) in zip(axes[0], parts, strict=True):
        image = draw_heat_map(axis, rows, value, order)
        axis.set_title(attribute)
    figure.colorbar(image, ax=axes, shrink=0.8, pad=0.01, label="Pearson's r")
    return figure


def draw_heat_map(axis: plt.Axes, table: pd.DataFrame, value: str, order: list[str]) -> AxesImage:
    """Draw the correlations of pairs of scores, written in the cells below the diagonal."""
    cells = np.full((len(order), len(order)), np.nan)
    axis.set_facecolor("#e8e8e8")
    for first, second, r in table[["first", "second", value]].itertuples(index=False):
        column, row = order.index(first), order.index(second)
        cells[row, column] = r
        axis.text(column, row, format_decimal(r), ha="center", va="center", fontsize=7.5,
                  color="white" if abs(r) > 0.6 else "black")  # fmt: skip
    image = axis.imshow(cells, cmap="RdBu_r", vmin=-1, vmax=1, aspect="auto")
    labels = [metric_label(name) for name in order]
    axis.set_xticks(range(len(order) - 1), labels[:-1], rotation=55, ha="right", rotation_mode="anchor")
    axis.set_yticks(range(1, len(order)), labels[1:])
    axis.set(xlim=(-0.5, len(order) - 1.5), ylim=(len(order) - 0.5, 0.5))
    axis.grid(visible=False)
    return image


def score_names(table: pd.DataFrame) -> list[str]:
    """List the names of the scores: first the ground truths, then the metrics in the order of the table."""
    return list(dict.fromkeys([*table["first"].iloc[:1], *table["second"]]))


if __name__ == "__main__":
    scripts.run(main, snakemake)
