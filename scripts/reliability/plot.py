"""Plot slopes against frequency, scores by frequency, and reliability with the published medians."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from biassay.core import scripts
from biassay.report import plots
from biassay.report.formatting import metric_label

TITLES = {"test_retest": "Test-retest reliability, ICC(2, 1)", "internal_pairs": "Internal consistency over pairs, α"}
BY_FREQUENCY = ("weat", "first_order")  # the metrics of Valentini et al.


def main(frequency: str, bins: str, reliability: str, published: str, out: dict[str, list[str]]) -> None:
    plots.save(draw_frequency(pd.read_csv(frequency), pd.read_csv(bins)), *out["frequency"])
    figure = draw_reliability(pd.read_csv(reliability), pd.read_csv(published, comment="#"))
    plots.save(figure, *out["reliability"])


def draw_frequency(slopes: pd.DataFrame, bins: pd.DataFrame) -> plt.Figure:
    """Draw slopes by metric, on shuffled text filled, and means by frequency of the metrics of Valentini et al."""
    places = place_metrics(slopes)
    size = plots.WIDTH, 1.4 + 0.28 * len(places)
    figure, axes = plt.subplots(1, 1 + len(BY_FREQUENCY), figsize=size, width_ratios=(2, 1, 1))
    for number, embedding in enumerate(slopes["embedding"].unique()):
        color = plots.series(number)
        for is_shuffled, rows in slopes[slopes["embedding"] == embedding].groupby("is_shuffled"):
            heights = places[rows["metric"]] + 0.15 * (number - 1)
            axes[0].hlines(heights, rows["low"], rows["high"], color=color, linewidth=0.7)
            face, text = (color, "shuffled") if is_shuffled else ("white", "text")
            axes[0].scatter(rows["slope"], heights, s=16, c=face, edgecolors=color, label=f"{embedding}, {text}")
        for axis, metric in zip(axes[1:], BY_FREQUENCY, strict=True):
            rows = bins[(bins["embedding"] == embedding) & (bins["metric"] == metric) & bins["is_shuffled"]]
            means = rows.groupby("log_count")["effect"].mean()
            axis.plot(means.index, means, color=color, marker="o", markersize=3)
            axis.set(
                title=f"{metric_label(metric)}, shuffled text",
                xlabel="log₁₀ count",
                ylabel="mean score / std",
            )
    for axis in axes:
        (axis.axvline if axis is axes[0] else axis.axhline)(0, color="#555555", linewidth=0.8)
    axes[0].set_yticks(places, places.index.map(metric_label))
    axes[0].set_xlabel("slope of the score against log frequency,\nin standard deviations, with 95 % interval")
    plots.add_legend(figure)
    return figure


def place_metrics(table: pd.DataFrame) -> pd.Series:
    """Return the height of each metric's row, the first on top."""
    metrics = table["metric"].unique()
    return pd.Series(-np.arange(len(metrics)), metrics)


def draw_reliability(table: pd.DataFrame, published: pd.DataFrame) -> plt.Figure:
    """Draw reliability by metric and embedding of the first corpus, and the published medians as crosses."""
    table = table[table["corpus"].isin(table["corpus"].head(1))]
    places = place_metrics(table)
    figure, axes = plt.subplots(1, len(TITLES), sharey=True, figsize=(plots.WIDTH, 1 + 0.26 * len(places)))
    for axis, (quantity, title) in zip(axes, TITLES.items(), strict=True):
        for number, (embedding, rows) in enumerate(table.groupby("embedding", sort=False)):
            color, offset = plots.series(number), 0.15 * (number - 1)
            heights = places[rows["metric"]] + offset
            axis.hlines(heights, rows[f"{quantity}_low"], rows[f"{quantity}_high"], color=color, linewidth=0.7)
            axis.scatter(rows[quantity], heights, s=16, color=color, label=embedding)
            theirs = published[(published["quantity"] == quantity) & (published["embedding"] == embedding)]
            axis.scatter(theirs["value"], places.reindex(theirs["metric"]) + offset, marker="x", color=color, s=30)
        axis.set(title=title, xlim=(min(-0.05, *axis.get_xlim()), 1.05))
        axis.set_yticks(places, places.index.map(metric_label))
    plots.add_legend(figure)
    figure.suptitle("Reliability (crosses: medians published for Wikipedia text)")
    return figure


if __name__ == "__main__":
    scripts.run(main, snakemake)
