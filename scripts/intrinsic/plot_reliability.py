"""Draw the reliability of the templates, retraining variability, and power by planted bias (Tables 3, 4)."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.ticker import FuncFormatter, LogLocator, NullLocator

from biassay.core import scripts
from biassay.report import curves, plots
from biassay.report.formatting import metric_label
from biassay.studies.intrinsic import tables
from biassay.studies.intrinsic.detection import POWER
from biassay.studies.intrinsic.templates import MAX_INSTABILITY

PUBLISHED = {"marker": "x", "color": "#b2182b", "s": 34, "linewidths": 1.4, "zorder": 5}
MARKERS = "osD^v<>pP*Xh"
LEGEND = [  # of the figure of templates, in addition to the colours of attributes
    ({"linestyle": "-"}, "compared with all sentences"),
    ({"linestyle": "--", "linewidth": 1}, "compared with equally many others"),
    ({"linestyle": "", "marker": "o", "markerfacecolor": "white"}, "90 % of the sentences, as in Table 3"),
    ({"linestyle": "", "marker": "x"}, "published, 90 % of the paper's sentences"),
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


def draw_templates(reliability: pd.DataFrame, curve: pd.DataFrame) -> plt.Figure:
    """Draw how often fewer sentences rank the groups differently; crosses: Table 3 as published."""
    figure, axis = plt.subplots(figsize=(7.2, 5))
    for number, (attribute, rows) in enumerate(curve.groupby("attribute", sort=False)):
        look = {"marker": MARKERS[number % len(MARKERS)], "color": plots.series(number), "capsize": 2}
        axis.errorbar(rows["n"], rows["mean"], rows["std"], **look, markersize=4, label=attribute)
        axis.plot(rows["n"], rows["disagreement"], color=look["color"], linestyle="--", linewidth=1)
        sampled = curves.select_rows(reliability, attribute=attribute)
        axis.errorbar(
            sampled["n_sampled"], sampled["mean"], sampled["std"], **look, markersize=7, markerfacecolor="white"
        )
        axis.scatter(sampled["n_sampled"], sampled["published"], **PUBLISHED | {"color": look["color"]})
    axis.set(xscale="log", ylim=(0, 1), xlabel="sampled test sentences (per occupation and attribute)",
             ylabel="samples with another ranking of the groups")  # fmt: skip
    ticks = sorted({n for n in (1, 2, 5, 10, 20, 50, 100, 200) if n <= curve["n"].max()})
    axis.set_xticks(ticks, [str(n) for n in ticks], minor=False)
    axis.minorticks_off()
    for look, meaning in LEGEND:
        axis.plot([], [], **look, color="#555555", label=meaning)
    axis.axhline(
        MAX_INSTABILITY,
        color="black",
        linewidth=0.8,
        linestyle=":",
        label=f"{100 * MAX_INSTABILITY:.0f} % of the samples",
    )
    figure.legend(loc="outside lower center", ncols=2, frameon=False)
    figure.suptitle("How often do other test sentences rank the groups differently?")
    return figure


def draw_retraining_variability(table: pd.DataFrame) -> plt.Figure:
    """Draw Table 4 in the printed form and by symmetric differences, one panel per attribute."""
    attributes = table["attribute"].unique()
    n_rows = table.groupby("attribute").size().max()
    figure, axes = plt.subplots(1, len(attributes), squeeze=False, figsize=(3.6 * len(attributes), 1.6 + 0.28 * n_rows))
    for axis, attribute in zip(axes[0], attributes, strict=True):
        rows = curves.select_rows(table, attribute=attribute)
        places = np.arange(len(rows))
        axis.scatter(
            rows["difference_from_first"], places, color="black", marker="D", s=22, label="as printed: |b − b₀| / b₀"
        )
        axis.scatter(rows["difference"], places, facecolors="white", edgecolors="black", s=24, zorder=3,
                     label="symmetric: |a − b| / mean")  # fmt: skip
        axis.scatter(rows["published"], places, **PUBLISHED, label="published (BERT-base, 80 models)")
        axis.set_yticks(places, [metric_label(name) for name in rows["metric"]])
        axis.set(title=attribute, ylim=(len(rows) - 0.4, -0.6), xlabel="relative difference between repeats")
        if rows["difference_from_first"].max() > 0:
            axis.set_xscale("log")
            axis.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
            axis.xaxis.set_minor_locator(NullLocator())
            axis.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    figure.legend(*axes[0][0].get_legend_handles_labels(), loc="outside lower center", ncols=3, frameon=False)
    figure.suptitle(f"Do models of one distribution get the same scores? {table['distributions'].max()} distributions")
    return figure


def draw_detection(table: pd.DataFrame) -> plt.Figure:
    """Draw how often a metric scores a biased model above an unbiased one, by planted bias."""
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
        for metric, rows in curves.select_rows(table, attribute=attribute).groupby("metric", sort=False):
            number = metrics.index(metric)
            axis.plot(rows["divergence"], rows["detection_rate"], marker=MARKERS[number % len(MARKERS)], markersize=4,
                      color=plots.series(number), linewidth=1.2, label=metric_label(metric))  # fmt: skip
        axis.axhline(POWER, color="black", linewidth=0.8, linestyle=":")
        axis.axhline(0.5, color="grey", linewidth=0.6)
        axis.set(title=attribute, xlabel="bias in the data: mean JSD, nats", ylim=(0, 1.03))
    axes[0][0].set_ylabel("pairs in which the biased model scores higher")
    handles = {
        label: handle for axis in axes[0] for handle, label in zip(*axis.get_legend_handles_labels(), strict=True)
    }
    figure.legend(handles.values(), handles, loc="outside lower center", ncols=4, frameon=False)
    figure.suptitle(
        f"Which bias is detected? {table['models'].max()} models per strength, and as many unbiased controls"
    )
    return figure


if __name__ == "__main__":
    scripts.run(main, snakemake)
