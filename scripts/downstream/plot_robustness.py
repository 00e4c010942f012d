"""Draw differences between scores of fewer texts, or of titles alone, and scores of more texts (Figure 3)."""

from itertools import cycle

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from biassay.core import scripts
from biassay.report import plots
from biassay.report.formatting import metric_label
from biassay.studies.downstream import tables

MARKERS = "osD^v<>pP*Xh"


def main(robustness: str, titles: str, out: list[str]) -> None:
    plots.save(draw(tables.read_result(robustness, "robustness"), tables.read_result(titles, "titles")), *out)


def draw(table: pd.DataFrame, titles: pd.DataFrame) -> plt.Figure:
    """Draw mean deviations, one column per set: subsets by their number of texts above, titles alone below."""
    sets = list(table.groupby(["set", "attribute"], sort=False)) or [(("", ""), table)]
    if len(sets) == 1:
        figure, axes = plt.subplots(1, 2, squeeze=False, figsize=(9, 4.2), width_ratios=(3, 2))
        axes = axes.T
    else:
        figure, axes = plt.subplots(2, len(sets), squeeze=False, figsize=(5.2 * len(sets), 6), height_ratios=(2, 1))
    metrics = list(dict.fromkeys(table["metric"]))
    colours = {metric: plots.series(number) for number, metric in enumerate(metrics)}
    for (upper, lower), ((name, attribute), part) in zip(axes.T, sets, strict=True):
        for (metric, lines), marker in zip(part.groupby("metric", sort=False), cycle(MARKERS), strict=False):
            for regrouped, line in lines.groupby("regrouped"):
                upper.errorbar(line["n_texts"], line["mean"], line["std"], color=colours[metric], capsize=2,
                               markersize=4, marker=marker, linestyle="--" if regrouped else "-",
                               label=metric_label(metric) + (", regrouped" if regrouped else ""))  # fmt: skip
        upper.set(xscale="log", ylim=(0, None), title=f"{name}, {attribute}" if len(part) else "", xlabel="texts",
                  ylabel="|b − b of all texts| / width of the range")  # fmt: skip
        ticks = sorted(part["n_texts"].unique())
        upper.set_xticks(ticks, [str(n) for n in ticks])
        upper.minorticks_off()
        if len(part):
            upper.legend(frameon=False, fontsize=8)
        chosen = titles[(titles["set"] == name) & (titles["attribute"] == attribute)]
        places = np.arange(len(chosen))
        lower.errorbar(chosen["mean"], places, xerr=chosen["std"], fmt="o", color="#555555", capsize=2,
                       label="mean ± standard deviation over models and permutations")  # fmt: skip
        lower.scatter(chosen["published"], places, marker="x", color="#b2182b", s=34, zorder=4,
                      label="published, other models")  # fmt: skip
        lower.set_yticks(places, [metric_label(metric) for metric in chosen["metric"]])
        lower.set(xlim=(0, None), ylim=(len(chosen) - 0.4, -0.6), xlabel="|b of titles − b of half the texts|")
    figure.legend(*axes[1][0].get_legend_handles_labels(), loc="outside lower center", ncols=2, frameon=False)
    figure.suptitle(
        "How much do scores of fewer texts (Figure 3), and of titles alone, differ from those of more texts?"
    )
    return figure


if __name__ == "__main__":
    scripts.run(main, snakemake)
