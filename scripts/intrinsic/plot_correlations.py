"""Draw F2 and F3 of the intrinsic study: how scores correlate with the bias and with each other, as heat maps."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.image import AxesImage

from biassay.figures import curves, plots
from biassay.support import logs

KINDS = {"noisy": "noisy stereotypes", "ideal": "ideal stereotypes"}


def main(words: str, sets: str, words_out: list[str], sets_out: list[str]) -> None:
    plots.save(draw_words(pd.read_csv(words)), *words_out)
    plots.save(draw_sets(pd.read_csv(sets)), *sets_out)


def draw_words(table: pd.DataFrame) -> plt.Figure:
    """F2: the mean over models of Pearson's r over occupations, a panel an attribute."""
    parts = {(attribute, ""): of for attribute, of in table.groupby("attribute", sort=False)}
    figure = draw(parts, "r_mean")
    models, n = table["models"].max(), table["n"].max()
    figure.suptitle(f"Scores of occupations: mean r of {models} models, over {n} occupations each (Figure 2)")
    return figure


def draw_sets(table: pd.DataFrame) -> plt.Figure:
    """F3: Pearson's r over models, a panel an attribute and kind of stereotypes."""
    parts = {(attribute, KINDS[labels]): curves.select(table, attribute=attribute, labels=labels)
             for labels in KINDS for attribute in table["attribute"].unique()}  # fmt: skip
    figure = draw(parts, "r")
    models, distributions = table["models"].max(), table["distributions"].max()
    figure.suptitle(f"Scores of sets: r over {models} models of {distributions} distributions (Figure 3)")
    return figure


def draw(parts: dict[tuple[str, str], pd.DataFrame], value: str) -> plt.Figure:
    """A heat map of each part, three in a row; in grey where there is no correlation."""
    rows = -(-len(parts) // 3)
    largest = max(len(names(table)) for table in parts.values())
    size = 1.5 + 0.36 * largest
    figure, axes = plt.subplots(
        rows, min(3, len(parts)), squeeze=False, figsize=(0.6 + 3 * size, 0.5 + rows * size), layout="compressed"
    )
    figure.get_layout_engine().set(w_pad=0.15)
    for axis, ((attribute, kind), table) in zip(axes.flat, parts.items(), strict=False):
        image = heat_map(axis, table, value)
        axis.set_title(f"{attribute}, {kind}" if kind else attribute)
    for axis in axes.flat[len(parts) :]:
        axis.set_axis_off()
    figure.colorbar(image, ax=axes, shrink=0.5, label="Pearson's r")
    return figure


def heat_map(axis: plt.Axes, table: pd.DataFrame, value: str) -> AxesImage:
    """Correlations of each two columns, written in the cells below the diagonal."""
    order = names(table)
    cells = np.full((len(order), len(order)), np.nan)
    for first, second, r in table[["first", "second", value]].itertuples(index=False):
        cells[order.index(second), order.index(first)] = r
    axis.set_facecolor("#e8e8e8")
    image = axis.imshow(cells, cmap="RdBu_r", vmin=-1, vmax=1)
    for row, column in zip(*np.tril_indices(len(order), -1), strict=True):
        r = cells[row, column]
        axis.text(column, row, curves.decimal(r), ha="center", va="center", fontsize=6.5,
                  color="white" if abs(r) > 0.6 else "black")  # fmt: skip
    labels = [curves.label(name) for name in order]
    axis.set_xticks(range(len(order) - 1), labels[:-1], rotation=55, ha="right", rotation_mode="anchor", fontsize=7.5)
    axis.set_yticks(range(1, len(order)), labels[1:], fontsize=7.5)
    axis.set(xlim=(-0.5, len(order) - 1.5), ylim=(len(order) - 0.5, 0.5))
    axis.grid(visible=False)
    return image


def names(table: pd.DataFrame) -> list[str]:
    """What is correlated, in the order of the table."""
    return list(dict.fromkeys([*table["first"], *table["second"]]))


if __name__ == "__main__":
    logs.start(snakemake.log[0])
    main(
        words=snakemake.input.words,
        sets=snakemake.input.sets,
        words_out=snakemake.output.words,
        sets_out=snakemake.output.sets,
    )
