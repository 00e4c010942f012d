"""Plot robustness and accuracy (silhouette paper, Tables 1 and 2), and their convergence over shuffles."""

from itertools import product
from textwrap import fill

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.lines import Line2D

from biassay.core import csv_tables, scripts
from biassay.core.csv_tables import select_rows
from biassay.report import plots
from biassay.report.formatting import metric_label
from biassay.studies.silhouette import curves, false_positives
from biassay.studies.silhouette.reassignment import FORMS

DARK, LIGHT = curves.MODELS.values()
MARKS = {  # score or published model: marker, colour, filled, offset in the row
    "robustness_biased": ("o", DARK, True, -0.15),
    "robustness_unbiased": ("o", LIGHT, True, 0.15),
    "accuracy": ("D", "black", True, -0.15),
    "accuracy_published_code": ("D", "black", False, 0.15),
    "relative_accuracy": ("D", "black", True, 0.0),
    "GloVe": ("x", DARK, True, -0.15),
    "Numberbatch": ("x", LIGHT, True, 0.15),
    "GloVe against Numberbatch": ("x", "black", True, 0.15),
}
NAMES = {
    "robustness_biased": "biased model",
    "robustness_unbiased": "unbiased model",
    "accuracy": "paper's formula: divided by b_max − b₀",
    "accuracy_published_code": "paper's code: divided by b_max − b_min if b₀ = 0",
}
TITLES = {
    "robustness": "Robustness (1: the choice of words makes no difference)",
    "accuracy": "Accuracy (0.5: the models do not differ; scale: the divisor in the legend)",
    "relative_accuracy": "Relative accuracy (0.5: the models do not differ; scale: the metric's largest |b − b₀|)",
}
COLOURS = {"robustness_biased": DARK, "robustness_unbiased": LIGHT, "accuracy": "black"}
PUBLISHED = (80, 0.003, 0.010)  # n shuffles, mean and largest change of a score from n on (silhouette-2021 §4.1)
FLOOR = 1e-4
COLUMNS = 4


def main(
    scores: str, convergence: str, published: str, tests: dict[str, str], p_values: str, robustness: list[str],
    accuracy: list[str], relative_accuracy: list[str], converged: list[str], p_values_figure: list[str],
) -> None:  # fmt: skip
    table = csv_tables.read(scores, "bias list metric relative accuracy", {})
    published_scores = curves.read_published(published)
    for score, out in (
        ("robustness", robustness), ("accuracy", accuracy), ("relative_accuracy", relative_accuracy)
    ):  # fmt: skip
        rows = table if score == "relative_accuracy" else table[~table["relative"]]
        plots.save(draw_scores(rows, published_scores, score, TITLES[score]), *out)
    course = csv_tables.read(convergence, "bias list metric n_shuffles accuracy", {})
    plots.save(draw_convergence(curves.measure_changes(course)), *converged)
    reasons = csv_tables.read(p_values, "metric form reason", {}).dropna(subset="reason")
    samples = false_positives.sort_tests(false_positives.read_tests(tests), list(tests))
    plots.save(draw_p_values(samples[samples["share"] < 1], list(tests), reasons), *p_values_figure)


def draw_scores(scores: pd.DataFrame, published: pd.DataFrame, score: str, title: str) -> plt.Figure:
    """Draw one panel per bias (column) and type of list (row), one line per metric; crosses are published values."""
    if scores.empty:  # only metrics without a range
        figure = plt.figure(figsize=(plots.WIDTH, 1))
        figure.text(0.5, 0.3, "no metric has a range", ha="center")
        figure.suptitle(title)
        return figure
    biases, lists = scores["bias"].unique(), scores["list"].unique()
    metrics = list(scores["metric"].unique())
    size = plots.WIDTH, 1.2 + len(lists) * (0.5 + 0.24 * len(metrics))
    figure, axes = plt.subplots(len(lists), len(biases), figsize=size, squeeze=False, sharex=True, sharey=True)
    for i, list_type in enumerate(lists):
        for j, bias in enumerate(biases):
            draw_dots(axes[i, j], scores, published, score, {"bias": bias, "list": list_type})
            axes[i, j].set_title(f"{bias}, {curves.LISTS.get(list_type, list_type)}")
    axes[0, 0].set_yticks(range(len(metrics)), list(map(metric_label, metrics)))
    axes[0, 0].set_ylim(len(metrics) - 0.5, -0.5)
    plots.add_legend(figure)
    figure.suptitle(title)
    return figure


def draw_dots(axis: plt.Axes, scores: pd.DataFrame, published: pd.DataFrame, score: str, keys: dict[str, str]) -> None:
    """Draw the scores of all metrics for one bias and type of list."""
    metrics = list(scores["metric"].unique())
    rows = select_rows(scores, **keys).set_index("metric").reindex(metrics)
    reference = select_rows(published, **keys, score=score).pivot(index="metric", columns="model", values="value")
    reference = reference.reindex(metrics).dropna(how="all", axis="columns")
    for name, values in [*rows.filter(regex=f"^{score}").items(), *reference.items()]:
        marker, colour, filled, offset = MARKS[name]
        face = {} if marker == "x" else {"facecolor": colour if filled else "white", "edgecolor": colour}
        label = NAMES.get(name, f"published {name}")
        axis.scatter(
            values, np.arange(len(metrics)) + offset, marker=marker, s=22 if face else 28, linewidths=1, label=label,
            zorder=3, **(face or {"color": colour}),
        )  # fmt: skip
    if score != "robustness":
        axis.axvline(0.5, color="black", linewidth=0.8, linestyle=":")


def draw_convergence(changes: pd.DataFrame) -> plt.Figure:
    """Draw one panel per metric: mean and largest change of its scores up to all shuffles, by number of shuffles."""
    metrics = changes["metric"].unique()
    figure, axes = plots.make_panels(len(metrics), COLUMNS, 1.5, 1.4, sharex=True, sharey=True)
    for axis, metric in zip(axes.flat, metrics, strict=False):
        for score, colour in COLOURS.items():
            line = select_rows(changes, metric=metric, score=score)
            name = score.replace("_", ", ")
            axis.plot(line["n_shuffles"], line["mean"].clip(FLOOR), color=colour, linewidth=1.3, label=f"{name}, mean")
            axis.plot(
                line["n_shuffles"], line["max"].clip(FLOOR), color=colour, linewidth=0.8, linestyle=":", label="largest"
            )
        shuffles, mean, largest = PUBLISHED
        style = {"color": "black", "s": 26, "zorder": 3, "linewidths": 1}
        axis.scatter(shuffles, mean, marker="x", label=f"published mean at {shuffles}: 0.003", **style)
        axis.scatter(shuffles, largest, marker="+", label="published largest: 0.010", **style)
        axis.set(yscale="log", title=metric_label(metric))
        axis.yaxis.set_major_formatter("{x:g}")  # exponents would be too small to read
        axis.set_ylim(bottom=FLOOR)
    columns = axes.shape[1]
    for column in range(columns):
        lowest = axes[(len(metrics) - 1 - column) // columns, column]
        lowest.set_xlabel("shuffles, n")
        lowest.tick_params(labelbottom=True)
    figure.supylabel("|score(n) − score(N)|", fontsize=9)
    plots.add_legend(figure)
    figure.suptitle("Convergence: change of the scores up to all shuffles, over biases and types of list")
    return figure


def draw_p_values(tests: pd.DataFrame, metrics: list[str], reasons: pd.DataFrame) -> plt.Figure:
    """Draw one panel per metric and form: the share of samples with a p-value up to each p, by bias and model."""
    height = 1.6 + 1.15 * len(metrics)
    figure, axes = plt.subplots(len(metrics), 2, figsize=(plots.WIDTH, height), squeeze=False, sharex=True, sharey=True)
    colours = {bias: plots.series(number) for number, bias in enumerate(tests["bias"].unique())}
    for (row, metric), (column, form) in product(enumerate(metrics), enumerate(FORMS)):
        axis = axes[row, column]
        axis.plot([0, 1], [0, 1], color="black", linewidth=0.8, linestyle=":")
        for (bias, model), part in select_rows(tests, metric=metric, form=form).groupby(["bias", "model"]):
            style = {"linewidth": 1.5} if model == "unbiased" else {"linewidth": 0.9, "linestyle": (0, (3, 1))}
            if part["p"].notna().any():
                axis.ecdf(part["p"].dropna(), color=colours[bias], **style)
        for reason in [] if axis.lines[1:] else select_rows(reasons, metric=metric, form=form)["reason"].unique():
            text = fill(f"no such test: {reason}", 26)
            box = {"facecolor": "white", "edgecolor": "none"}
            axis.text(0.5, 0.5, text, ha="center", va="center", fontsize=8, transform=axis.transAxes, bbox=box)
        axis.set(xlim=(0, 1), ylim=(0, 1.02), xticks=[0, 0.5, 1], yticks=[0, 0.5, 1])
        axis.set_title(metric_label(metric) + (f"\n{form} reassigned" if row == 0 else ""), loc="left", fontsize=9)
    for axis in axes[-1]:
        axis.set_xlabel("p")
    handles = [Line2D([], [], color=colour, label=bias) for bias, colour in colours.items()]
    handles += [Line2D([], [], color="black", linewidth=1.5, label="unbiased model"),
                Line2D([], [], color="black", linewidth=0.9, linestyle=(0, (3, 1)), label="biased model"),
                Line2D([], [], color="black", linewidth=0.8, linestyle=":", label="uniform p")]  # fmt: skip
    plots.add_legend(figure, handles)
    figure.supylabel("share of the samples with a p-value up to p", fontsize=9)
    return figure


if __name__ == "__main__":
    scripts.run(main, snakemake)
