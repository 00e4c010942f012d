"""Draw pairwise ranking accuracies of scores, compared with chance (Table 3)."""

import matplotlib.pyplot as plt
import pandas as pd

from biassay.core import scripts
from biassay.report import plots
from biassay.report.formatting import metric_label
from biassay.report.sizes import fit_size
from biassay.studies.downstream import tables

GROUND_TRUTHS = {"downstream": "downstream bias (extremes)", "planted": "planted strength"}
CHANCE = {"color": "#dddddd", "linewidth": 9, "solid_capstyle": "butt", "zorder": 1}
INTERVAL = {"color": plots.FIRST, "linewidth": 1.4, "zorder": 2}
PUBLISHED = {"marker": "x", "color": "#b2182b", "s": 34, "zorder": 4}
NAMES = {"downstream": "downstream bias"}


def main(ranking: str, out: list[str]) -> None:
    plots.save(draw(tables.read_table(ranking, tables.RESULTS["ranking"].split())), *out)


def draw(table: pd.DataFrame) -> plt.Figure:
    """Draw accuracy, interval, middle 95 % of chance, and published value: one panel per ground truth and data set."""
    chosen = table[(table["group_words"] == "raw") & table["version"].isin(["scrubbed", ""])]
    groups = list(chosen.groupby(["ground_truth", "set", "attribute"], sort=False))
    columns = max(1, min(3, len(groups)))
    rows = max(1, -(-len(groups) // columns))
    max_scores = max((len(part) for _, part in groups), default=1)
    size = fit_size(3.5 * columns, 1.2 + rows * (0.8 + 0.25 * max_scores))
    figure, axes = plt.subplots(rows, columns, squeeze=False, sharex=True, figsize=size)
    for axis in axes.flat[len(groups) :]:
        axis.set_axis_off()
    for axis, ((ground_truth, name, attribute), part) in zip(axes.flat, groups, strict=False):
        for place, row in enumerate(part.itertuples()):
            axis.plot([row.chance_low, row.chance_high], [place, place], **CHANCE)
            axis.plot([row.low, row.high], [place, place], **INTERVAL)
            axis.scatter(row.ranking_accuracy, place, color=plots.FIRST, s=26, zorder=3)
            axis.scatter(row.published, place, **PUBLISHED)
        axis.axvline(0.5, color="black", linewidth=0.6)
        names = [NAMES.get(name, metric_label(name)) for name in part["score"]]
        axis.set_yticks(range(len(part)), names)
        axis.set(xlim=(-0.04, 1.04), ylim=(len(part) - 0.4, -0.6))
        n = part["n_pairs"].max()
        pairs = f"{n} pair{'s' if n != 1 else ''}" if n else "no pairs"
        axis.set_title(f"{name}, {attribute}\n{GROUND_TRUTHS[ground_truth]}, {pairs}", loc="left", fontsize=8.5)
    draw_legend(axes[0][0], chosen["published"].notna().any())
    figure.legend(loc="outside lower center", ncols=3, frameon=False)
    for axis in axes.flat[max(0, len(groups) - columns) : max(1, len(groups))]:
        axis.tick_params(labelbottom=True)
        axis.set_xlabel("pairwise ranking accuracy")
    figure.suptitle("How often does a score rank two models by their bias? (Table 3)")
    return figure


def draw_legend(axis: plt.Axes, has_published: bool) -> None:
    """Add legend entries."""
    axis.plot([], [], "o-", **INTERVAL, label="score, with 95 % interval over models")
    axis.plot([], [], **CHANCE, label="middle 95 % of chance")
    if has_published:
        axis.scatter([], [], **PUBLISHED, label="published, other models")


if __name__ == "__main__":
    scripts.run(main, snakemake)
