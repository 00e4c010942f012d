"""Draw F3: how far scores of some of the texts, or of titles alone, are from those of more texts."""

from itertools import cycle

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from biassay.figures import plots
from biassay.figures.formatting import metric_label
from biassay.studies.downstream import tables
from biassay.support import logs

MARKERS = "osD^v<>pP*Xh"


def main(robustness: str, titles: str, out: list[str]) -> None:
    plots.save(draw(tables.result(robustness, "robustness"), tables.result(titles, "titles")), *out)


def draw(table: pd.DataFrame, titles: pd.DataFrame) -> plt.Figure:
    """Mean deviation by the number of texts, a column a set: above of subsets, below of titles alone."""
    sets = list(table.groupby(["set", "attribute"], sort=False)) or [(("", ""), table)]
    if len(sets) == 1:
        figure, axes = plt.subplots(1, 2, squeeze=False, figsize=(9, 4.2), width_ratios=(3, 2))
        axes = axes.T
    else:
        figure, axes = plt.subplots(2, len(sets), squeeze=False, figsize=(5.2 * len(sets), 6), height_ratios=(2, 1))
    metrics = list(dict.fromkeys(table["metric"]))
    colours = {metric: plots.series(number) for number, metric in enumerate(metrics)}
    for (upper, lower), ((name, attribute), of) in zip(axes.T, sets, strict=True):
        for (metric, part), marker in zip(of.groupby("metric", sort=False), cycle(MARKERS), strict=False):
            for again, line in part.groupby("regrouped"):
                upper.errorbar(line["texts"], line["mean"], line["std"], color=colours[metric], capsize=2, markersize=4,
                               marker=marker, linestyle="--" if again else "-",
                               label=metric_label(metric) + (", regrouped" if again else ""))  # fmt: skip
        upper.set(xscale="log", ylim=(0, None), title=f"{name}, {attribute}" if len(of) else "", xlabel="texts drawn",
                  ylabel="|b − b of all| / width of the range")  # fmt: skip
        ticks = sorted(of["texts"].unique())
        upper.set_xticks(ticks, [str(n) for n in ticks])
        upper.minorticks_off()
        if len(of):
            upper.legend(frameon=False, fontsize=8)
        chosen = titles[(titles["set"] == name) & (titles["attribute"] == attribute)]
        places = np.arange(len(chosen))
        lower.errorbar(chosen["mean"], places, xerr=chosen["std"], fmt="o", color="#555555", capsize=2,
                       label="mean ± standard deviation over models and draws")  # fmt: skip
        lower.scatter(chosen["published"], places, marker="x", color="#b2182b", s=34, zorder=4,
                      label="published, of others")  # fmt: skip
        lower.set_yticks(places, [metric_label(metric) for metric in chosen["metric"]])
        lower.set(xlim=(0, None), ylim=(len(chosen) - 0.4, -0.6), xlabel="|b of titles − b of half of the texts|")
    figure.legend(*axes[1][0].get_legend_handles_labels(), loc="outside lower center", ncols=2, frameon=False)
    figure.suptitle("How far are scores of fewer texts (Figure 3), and of titles alone, from those of more?")
    return figure


if __name__ == "__main__":
    logs.start(snakemake.log[0])
    main(robustness=snakemake.input.robustness, titles=snakemake.input.titles, out=list(snakemake.output))
