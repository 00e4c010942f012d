"""Draw single models: one with all metrics (Figure 5 of same-2021), two with SAME and Direct Bias (Figures 7, 8)."""

from collections.abc import Mapping

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from biassay.core import scripts
from biassay.report import curves, plots
from biassay.report.formatting import format_decimal
from biassay.report.sizes import fit_size
from biassay.studies.same import agreement, tables, verdicts

AXES = {"signed": "p, share of male pronouns", "unsigned": "|0.5 − p|"}
COLUMNS = 4
CATEGORIES = {"similar": "Direct Bias similar", "worse": "Direct Bias worse"}
PANELS = [("signed", "same"), ("unsigned", "same"), ("unsigned", "direct_bias")]


def main(
    models: str, bias: str, scores: dict[str, str], correlations: str, angles: str,
    example_out: list[str], examples_out: list[str],
) -> None:  # fmt: skip
    grid, table = tables.load_grid(models, bias), tables.read_result(correlations, "correlations")
    rows = table[table["learned"] & (table["against"] == "training")]
    plots.save(draw_example(grid, rows, scores), *example_out)
    plots.save(draw_examples(grid, rows, scores, tables.read_result(angles, "angles")), *examples_out)


def draw_example(grid: tables.Grid, rows: pd.DataFrame, scores: Mapping[str, str]) -> plt.Figure:
    """Draw the scores of the model with the median R² against its training bias (Figure 5)."""
    names = {
        ground_truth: list(curves.select_rows(rows, ground_truth=ground_truth)["metric"].unique())
        for ground_truth in AXES
    }
    heights = {ground_truth: -(-max(len(metrics), 1) // COLUMNS) for ground_truth, metrics in names.items()}
    n_rows, model = sum(heights.values()), agreement.find_median_model(rows)
    figure, axes = plt.subplots(n_rows, COLUMNS, figsize=fit_size(9.2, 0.5 + 2.2 * n_rows), squeeze=False)
    for axis in axes.flat:
        axis.set_visible(False)
    for ground_truth, first in (("signed", 0), ("unsigned", heights["signed"])):
        for axis, metric in zip(axes[first:].flat, names[ground_truth], strict=False):
            draw_scores(axis, grid, rows, scores, ground_truth, metric, model)
    about = "no model learned its bias" if model is None else describe(grid, model, "the median one")
    figure.suptitle(f"Scores of occupations against the training bias: {about}")
    return figure


def draw_examples(
    grid: tables.Grid, rows: pd.DataFrame, scores: Mapping[str, str], categories: pd.DataFrame
) -> plt.Figure:
    """Draw SAME and Direct Bias in the example models of the categories similar and worse (Figures 7, 8)."""
    figure, axes = plt.subplots(len(CATEGORIES), len(PANELS), figsize=(8.6, 5.4))
    categories = categories.set_index("category")
    for line, (category, name) in zip(axes, CATEGORIES.items(), strict=True):
        model = categories.loc[category, "example_model"]
        if np.isnan(model):
            for axis in line[1:]:
                axis.set_visible(False)
            line[0].set_axis_off()
            line[0].text(0, 0.5, f"{name}: {categories.loc[category, 'note']}", transform=line[0].transAxes)
            continue
        for axis, (ground_truth, metric) in zip(line, PANELS, strict=True):
            draw_scores(axis, grid, rows, scores, ground_truth, metric, int(model))
        line[0].set_ylabel(f"{name}:\n{describe(grid, int(model))}", fontsize=8)
    figure.suptitle("Direct Bias similar to SAME, and worse than SAME: occupations of two models")
    return figure


def draw_scores(
    axis: plt.Axes, grid: tables.Grid, rows: pd.DataFrame, scores: Mapping[str, str], ground_truth: str, metric: str,
    model: int,
) -> None:  # fmt: skip
    """Draw a metric's scores against one ground truth of the training bias, one point per occupation of a model."""
    axis.set_visible(True)
    row = curves.select_rows(rows, ground_truth=ground_truth, metric=metric, model=model).iloc[0]
    values = grid.unmasking if metric == agreement.UNMASKING else tables.read_scores(grid, scores[metric]).word
    comparable = agreement.comparable_scores(ground_truth, metric, values, row["signed"])
    axis.scatter(agreement.ground_truth_values(ground_truth, grid.training).loc[model], comparable.loc[model], s=9,
    color="#54278f",
                 alpha=0.6, linewidths=0)  # fmt: skip
    axis.set_title(f"{verdicts.score_label(ground_truth, metric, row['signed'])}, R² = {format_decimal(row['r2'])}")
    axis.set_xlabel(AXES[ground_truth])


def describe(grid: tables.Grid, model: int, which: str = "") -> str:
    """Name a model by its number and its planted distribution."""
    row = grid.models.loc[model]
    return f"model {model}{', ' * bool(which)}{which} (μ = {row['mean']:g}, σ = {row['spread']:g})"


if __name__ == "__main__":
    scripts.run(main, snakemake, scores=dict(zip(snakemake.params.metrics, snakemake.input.scores, strict=True)))
