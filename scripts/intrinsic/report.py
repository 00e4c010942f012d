"""Write the verdicts of the intrinsic study, and draw Figures 2 and 3, and Tables 3 and 4 of intrinsic-2023."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.image import AxesImage

from biassay.core import scripts
from biassay.core.csv_tables import select_rows
from biassay.report import plots
from biassay.report.findings import write_findings
from biassay.report.formatting import format_decimal, metric_label
from biassay.studies.intrinsic import findings
from biassay.studies.intrinsic.detection import POWER
from biassay.studies.intrinsic.tables import IDEAL, NOISY
from biassay.studies.intrinsic.templates import MAX_INSTABILITY

CELL = 0.22  # height in a heat map, inches
LEGEND = [  # of the figure of templates, in addition to the colours of attributes
    ({"linestyle": "-"}, "compared with all sentences"),
    ({"linestyle": "--", "linewidth": 1}, "compared with equally many others"),
    ({"linestyle": "", "marker": "o", "markerfacecolor": "white"}, "90 % of the sentences, as in Table 3"),
    ({"linestyle": "", "marker": "x"}, "published, 90 % of the paper's sentences"),
]


def main(results: dict[str, str], out: dict[str, list[str]]) -> None:
    by_name = {name: pd.read_csv(path) for name, path in results.items()}
    write_findings(findings.describe_results(by_name), out["findings"])
    plots.save(draw_words(by_name["words"]), *out["words"])
    for labels in (NOISY, IDEAL):
        plots.save(draw_sets(select_rows(by_name["sets"], labels=labels), labels), *out[f"sets_{labels}"])
    plots.save(draw_templates(by_name["reliability"], by_name["reliability_curve"]), *out["templates"])
    plots.save(draw_retraining_variability(by_name["retraining_variability"]), *out["retraining_variability"])
    plots.save(draw_detection(by_name["power"]), *out["detection"])


def draw_words(table: pd.DataFrame) -> plt.Figure:
    """Draw the mean over models of Pearson's r over occupations, one panel per attribute (Figure 2)."""
    figure = draw_heat_maps(table, "r_mean")
    models, n = table["models"].max(), table["n"].max()
    figure.suptitle(f"Word level: mean r of {models} models, over {n} occupations each (Figure 2)")
    return figure


def draw_sets(table: pd.DataFrame, labels: str) -> plt.Figure:
    """Draw Pearson's r over models, with one kind of stereotypes, one panel per attribute (Figure 3)."""
    figure = draw_heat_maps(table, "r")
    counts = f"{table['models'].max()} models of {table['distributions'].max()} distributions"
    figure.suptitle(f"Set level: r over {counts}, {labels} stereotypes (Figure 3)")
    return figure


def draw_heat_maps(table: pd.DataFrame, value: str) -> plt.Figure:
    """Draw one heat map per attribute, all with the same columns; grey cells have no correlation."""
    parts = list(table.groupby("attribute", sort=False))
    order = list(dict.fromkeys([*table["first"].iloc[:1], *table["second"]]))  # ground truths come first
    size = plots.WIDTH, 1.6 + len(parts) * (0.3 + CELL * (len(order) - 1))
    figure, axes = plt.subplots(len(parts), 1, squeeze=False, sharex=True, figsize=size)
    for axis, (attribute, rows) in zip(axes[:, 0], parts, strict=True):
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


def draw_templates(reliability: pd.DataFrame, curve: pd.DataFrame) -> plt.Figure:
    """Draw how often fewer sentences rank the groups differently; crosses: Table 3 as published."""
    figure, axis = plt.subplots(figsize=(plots.WIDTH, 5))
    for number, (attribute, rows) in enumerate(curve.groupby("attribute", sort=False)):
        look = plots.line_look(number) | {"capsize": 2}
        axis.errorbar(rows["n"], rows["mean"], rows["std"], **look, markersize=4, label=attribute)
        axis.plot(rows["n"], rows["disagreement"], color=look["color"], linestyle="--", linewidth=1)
        share = select_rows(reliability, attribute=attribute)
        axis.errorbar(share["n_sampled"], share["mean"], share["std"], **look, markersize=7, markerfacecolor="white")
        axis.scatter(share["n_sampled"], share["published"], **plots.PUBLISHED | {"color": look["color"]})
    axis.set(xscale="log", ylim=(0, 1), xlabel="sampled test sentences (per occupation and attribute)",
             ylabel="samples with another ranking of the groups")  # fmt: skip
    ticks = [n for n in (1, 2, 5, 10, 20, 50, 100, 200) if n <= curve["n"].max()]
    axis.set_xticks(ticks, [str(n) for n in ticks], minor=False)
    axis.minorticks_off()
    for look, meaning in LEGEND:
        axis.plot([], [], **look, color="#555555", label=meaning)
    label = f"{100 * MAX_INSTABILITY:.0f} % of the samples"
    axis.axhline(MAX_INSTABILITY, color="black", linewidth=0.8, linestyle=":", label=label)
    plots.add_legend(figure)
    figure.suptitle("How often do other test sentences rank the groups differently?")
    return figure


def draw_retraining_variability(table: pd.DataFrame) -> plt.Figure:
    """Draw Table 4 in the printed form and by symmetric differences, one panel per attribute."""
    attributes, metrics = table["attribute"].unique(), table["metric"].unique()
    size = plots.WIDTH, 1.6 + 0.28 * len(metrics)
    figure, axes = plt.subplots(1, len(attributes), squeeze=False, sharey=True, figsize=size)
    for axis, attribute in zip(axes[0], attributes, strict=True):
        rows = select_rows(table, attribute=attribute).set_index("metric").reindex(metrics)
        places, printed = np.arange(len(rows)), rows["difference_from_first"]
        axis.scatter(printed, places, color="black", marker="D", s=22, label="as printed: |b − b₀| / b₀")
        axis.scatter(rows["difference"], places, facecolors="white", edgecolors="black", s=24, zorder=3,
                     label="symmetric: |a − b| / mean")  # fmt: skip
        axis.scatter(rows["published"], places, **plots.PUBLISHED, label="published (BERT-base, 80 models)")
        axis.set_yticks(places, [metric_label(name) for name in metrics])
        axis.set(title=attribute, ylim=(len(rows) - 0.4, -0.6))
        if printed.max() > 0:
            plots.use_log_axis(axis)
    axes[0][len(attributes) // 2].set_xlabel("relative difference between repeats")
    plots.add_legend(figure)
    figure.suptitle(f"Do models of one distribution get the same scores? {table['distributions'].max()} distributions")
    return figure


def draw_detection(table: pd.DataFrame) -> plt.Figure:
    """Draw how often a metric scores a biased model above an unbiased one, by planted bias."""
    if not len(table):
        figure, axis = plt.subplots(figsize=(6, 2))
        axis.text(0.5, 0.5, "no detection models: set intrinsic.detection.strengths", ha="center", va="center")
        axis.set_axis_off()
        return figure
    attributes, metrics = table["attribute"].unique(), list(table["metric"].unique())
    figure, axes = plt.subplots(1, len(attributes), squeeze=False, sharey=True, figsize=(plots.WIDTH, 4.6))
    for axis, attribute in zip(axes[0], attributes, strict=True):
        for metric, rows in select_rows(table, attribute=attribute).groupby("metric", sort=False):
            look = plots.line_look(metrics.index(metric)) | {"markersize": 4, "linewidth": 1.2}
            axis.plot(rows["divergence"], rows["detection_rate"], **look, label=metric_label(metric))
        axis.axhline(POWER, color="black", linewidth=0.8, linestyle=":")
        axis.axhline(0.5, color="grey", linewidth=0.6)
        axis.set(title=attribute, xlabel="bias in the data: mean JSD, nats", ylim=(0, 1.03))
    axes[0][0].set_ylabel("pairs in which the biased model scores higher")
    plots.add_legend(figure)
    n = table["models"].max()
    figure.suptitle(f"Which bias is detected? {n} models per strength, and as many unbiased controls")
    return figure


if __name__ == "__main__":
    scripts.run(main, snakemake)
