"""Draw T3: how often a score ranks two models as their bias does, beside chance."""

import matplotlib.pyplot as plt
import pandas as pd

from biassay.figures import plots
from biassay.figures.formatting import metric_label
from biassay.figures.sizes import fitting
from biassay.studies.downstream import tables
from biassay.support import logs

GROUND_TRUTHS = {"downstream": "extremes downstream", "planted": "planted strength"}
CHANCE = {"color": "#dddddd", "linewidth": 9, "solid_capstyle": "butt", "zorder": 1}
INTERVAL = {"color": plots.FIRST, "linewidth": 1.4, "zorder": 2}
PUBLISHED = {"marker": "x", "color": "#b2182b", "s": 34, "zorder": 4}
NAMES = {"downstream": "bias downstream"}


def main(ranking: str, out: list[str]) -> None:
    plots.save(draw(tables.read(ranking, tables.RESULTS["ranking"].split())), *out)


def draw(table: pd.DataFrame) -> plt.Figure:
    """Accuracy with its interval, the middle 95 % of chance, and the published value: a panel a ground truth and data
    set."""
    chosen = table[(table["terms"] == "raw") & table["version"].isin(["scrubbed", ""])]
    groups = list(chosen.groupby(["ground_truth", "set", "attribute"], sort=False))
    columns = max(1, min(3, len(groups)))
    rows = max(1, -(-len(groups) // columns))
    most = max((len(of) for _, of in groups), default=1)
    size = fitting(3.5 * columns, 1.2 + rows * (0.8 + 0.25 * most))
    figure, axes = plt.subplots(rows, columns, squeeze=False, sharex=True, figsize=size)
    for axis in axes.flat[len(groups) :]:
        axis.set_axis_off()
    for axis, ((ground_truth, name, attribute), of) in zip(axes.flat, groups, strict=False):
        for place, row in enumerate(of.itertuples()):
            axis.plot([row.chance_low, row.chance_high], [place, place], **CHANCE)
            axis.plot([row.low, row.high], [place, place], **INTERVAL)
            axis.scatter(row.accuracy, place, color=plots.FIRST, s=26, zorder=3)
            axis.scatter(row.published, place, **PUBLISHED)
        axis.axvline(0.5, color="black", linewidth=0.6)
        names = [NAMES.get(name, metric_label(name)) for name in of["score"]]
        axis.set_yticks(range(len(of)), names)
        axis.set(xlim=(-0.04, 1.04), ylim=(len(of) - 0.4, -0.6))
        n = of["pairs"].max()
        pairs = f"{n} pair{'s' if n != 1 else ''}" if n else "no pairs"
        axis.set_title(f"{name}, {attribute}\n{GROUND_TRUTHS[ground_truth]}, {pairs}", loc="left", fontsize=8.5)
    key(axes[0][0], chosen["published"].notna().any())
    figure.legend(loc="outside lower center", ncols=3, frameon=False)
    for axis in axes.flat[max(0, len(groups) - columns) : max(1, len(groups))]:
        axis.tick_params(labelbottom=True)
        axis.set_xlabel("share of the pairs ranked right")
    figure.suptitle("How often does a score rank two models as their bias is? (Table 3)")
    return figure


def key(axis: plt.Axes, published: bool) -> None:
    """What is drawn of each score, drawn nowhere."""
    axis.plot([], [], "o-", **INTERVAL, label="a score, with its 95 % interval over models")
    axis.plot([], [], **CHANCE, label="the middle 95 % of chance")
    if published:
        axis.scatter([], [], **PUBLISHED, label="published, of other models")


if __name__ == "__main__":
    logs.start(snakemake.log[0])
    main(ranking=snakemake.input.ranking, out=list(snakemake.output))
