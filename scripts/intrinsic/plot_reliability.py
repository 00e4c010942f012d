"""Draw T3 and T4 of the intrinsic study, and the power of each metric by the bias planted."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.ticker import FuncFormatter, LogLocator, NullLocator

from biassay.figures import curves, plots
from biassay.figures.formatting import metric_label
from biassay.studies.intrinsic import tables
from biassay.studies.intrinsic.detection import POWER
from biassay.studies.intrinsic.templates import MAX_INSTABILITY
from biassay.support import logs

PUBLISHED = {"marker": "x", "color": "#b2182b", "s": 34, "linewidths": 1.4, "zorder": 5}
MARKERS = "osD^v<>pP*Xh"
KEY = [  # of the figure of templates, beside the colours of attributes
    ({"linestyle": "-"}, "than that of all sentences"),
    ({"linestyle": "--", "linewidth": 1}, "than that of as many others"),
    ({"linestyle": "", "marker": "o", "markerfacecolor": "white"}, "90 % of the sentences, as Table 3"),
    ({"linestyle": "", "marker": "x"}, "published, 90 % of the paper's"),
]


def main(
    reliability: str, reliability_curve: str, retraining_variability: str, power: str,
    templates_out: list[str], retraining_variability_out: list[str], detection_out: list[str],
) -> None:  # fmt: skip
    plots.save(
        draw_templates(
            tables.read_result(reliability, "reliability"), tables.read_result(reliability_curve, "reliability_curve")
        ),
        *templates_out,
    )
    plots.save(
        draw_retraining_variability(tables.read_result(retraining_variability, "retraining_variability")),
        *retraining_variability_out,
    )
    plots.save(draw_detection(tables.read_result(power, "power")), *detection_out)


def draw_templates(reliability: pd.DataFrame, numbers: pd.DataFrame) -> plt.Figure:
    """How often the order of the groups is another with fewer sentences; crosses: T3 as published."""
    figure, axis = plt.subplots(figsize=(7.2, 5))
    for number, (attribute, of) in enumerate(numbers.groupby("attribute", sort=False)):
        look = {"marker": MARKERS[number % len(MARKERS)], "color": plots.series(number), "capsize": 2}
        axis.errorbar(of["n"], of["mean"], of["std"], **look, markersize=4, label=attribute)
        axis.plot(of["n"], of["disagreement"], color=look["color"], linestyle="--", linewidth=1)
        whole = curves.select_rows(reliability, attribute=attribute)
        axis.errorbar(whole["n_sampled"], whole["mean"], whole["std"], **look, markersize=7, markerfacecolor="white")
        axis.scatter(whole["n_sampled"], whole["published"], **PUBLISHED | {"color": look["color"]})
    axis.set(xscale="log", ylim=(0, 1), xlabel="test sentences drawn (of an occupation and attribute)",
             ylabel="draws with another order of the groups")  # fmt: skip
    ticks = sorted({n for n in (1, 2, 5, 10, 20, 50, 100, 200) if n <= numbers["n"].max()})
    axis.set_xticks(ticks, [str(n) for n in ticks], minor=False)
    axis.minorticks_off()
    for look, meaning in KEY:
        axis.plot([], [], **look, color="#555555", label=meaning)
    axis.axhline(
        MAX_INSTABILITY,
        color="black",
        linewidth=0.8,
        linestyle=":",
        label=f"{100 * MAX_INSTABILITY:.0f} % of the draws",
    )
    figure.legend(loc="outside lower center", ncols=2, frameon=False)
    figure.suptitle("How often do other test sentences put the groups in another order?")
    return figure


def draw_retraining_variability(table: pd.DataFrame) -> plt.Figure:
    """T4 in the printed form and by symmetric differences, a panel an attribute."""
    attributes = table["attribute"].unique()
    rows = table.groupby("attribute").size().max()
    figure, axes = plt.subplots(1, len(attributes), squeeze=False, figsize=(3.6 * len(attributes), 1.6 + 0.28 * rows))
    for axis, attribute in zip(axes[0], attributes, strict=True):
        of = curves.select_rows(table, attribute=attribute)
        places = np.arange(len(of))
        axis.scatter(
            of["difference_from_first"], places, color="black", marker="D", s=22, label="as printed: |b − b₀| / b₀"
        )
        axis.scatter(of["difference"], places, facecolors="white", edgecolors="black", s=24, zorder=3,
                     label="symmetric: |a − b| / mean")  # fmt: skip
        axis.scatter(of["published"], places, **PUBLISHED, label="published (BERT-base, 80 models)")
        axis.set_yticks(places, [metric_label(name) for name in of["metric"]])
        axis.set(title=attribute, ylim=(len(of) - 0.4, -0.6), xlabel="relative difference between repeats")
        if of["difference_from_first"].max() > 0:
            axis.set_xscale("log")
            axis.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
            axis.xaxis.set_minor_locator(NullLocator())
            axis.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    figure.legend(*axes[0][0].get_legend_handles_labels(), loc="outside lower center", ncols=3, frameon=False)
    figure.suptitle(f"Do models of one distribution get the same scores? {table['distributions'].max()} distributions")
    return figure


def draw_detection(table: pd.DataFrame) -> plt.Figure:
    """The share of draws in which a metric tells a biased from an unbiased model, by the bias planted."""
    if not len(table):
        figure, axis = plt.subplots(figsize=(6, 2))
        axis.text(0.5, 0.5, "no detection models: set intrinsic.detection.strengths", ha="center", va="center")
        axis.set_axis_off()
        return figure
    attributes = table["attribute"].unique()
    figure, axes = plt.subplots(
        1, len(attributes), squeeze=False, sharey=True, figsize=(max(7.2, 3.6 * len(attributes)), 4.6)
    )
    metrics = list(dict.fromkeys(table["metric"]))
    for axis, attribute in zip(axes[0], attributes, strict=True):
        for metric, of in curves.select_rows(table, attribute=attribute).groupby("metric", sort=False):
            number = metrics.index(metric)
            axis.plot(of["divergence"], of["detection_rate"], marker=MARKERS[number % len(MARKERS)], markersize=4,
                      color=plots.series(number), linewidth=1.2, label=metric_label(metric))  # fmt: skip
        axis.axhline(POWER, color="black", linewidth=0.8, linestyle=":")
        axis.axhline(0.5, color="grey", linewidth=0.6)
        axis.set(title=attribute, xlabel="bias in the data: mean JSD, nats", ylim=(0, 1.03))
    axes[0][0].set_ylabel("draws in which the biased model scores more")
    handles = {
        label: handle for axis in axes[0] for handle, label in zip(*axis.get_legend_handles_labels(), strict=True)
    }
    figure.legend(handles.values(), handles, loc="outside lower center", ncols=4, frameon=False)
    figure.suptitle(f"Which bias is detected? {table['models'].max()} models a strength, against as many without bias")
    return figure


if __name__ == "__main__":
    logs.start(snakemake.log[0])
    main(
        reliability=snakemake.input.reliability,
        reliability_curve=snakemake.input.reliability_curve,
        retraining_variability=snakemake.input.retraining_variability,
        power=snakemake.input.power,
        templates_out=snakemake.output.templates,
        retraining_variability_out=snakemake.output.retraining_variability,
        detection_out=snakemake.output.detection,
    )
