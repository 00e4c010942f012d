"""Draw single models of the study of planted bias: one by all metrics (F5), two by SAME and Direct Bias (F7, F8)."""

from collections.abc import Mapping

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from biassay.figures import curves, plots
from biassay.figures.formatting import format_decimal
from biassay.figures.sizes import fitting
from biassay.studies.same import agreement, tables, verdicts
from biassay.support import logs

AXES = {"signed": "p, share of male pronouns", "unsigned": "|0.5 − p|"}
COLUMNS = 4
GROUPS = {"similar": "Direct Bias similar", "worse": "Direct Bias worse"}
PANELS = [("signed", "same"), ("unsigned", "same"), ("unsigned", "direct_bias")]


def main(
    models: str, bias: str, scores: dict[str, str], correlations: str, angles: str,
    example_out: list[str], examples_out: list[str],
) -> None:  # fmt: skip
    grid, table = tables.load(models, bias), tables.result(correlations, "correlations")
    rows = table[table["learned"] & (table["against"] == "training")]
    plots.save(draw_example(grid, rows, scores), *example_out)
    plots.save(draw_examples(grid, rows, scores, tables.result(angles, "angles")), *examples_out)


def draw_example(grid: tables.Grid, rows: pd.DataFrame, scores: Mapping[str, str]) -> plt.Figure:
    """F5: scores against training bias of one model, that of the median R², averaged over metrics and ground truths."""
    names = {
        ground_truth: list(curves.select_rows(rows, ground_truth=ground_truth)["metric"].unique())
        for ground_truth in AXES
    }
    heights = {ground_truth: -(-max(len(metrics), 1) // COLUMNS) for ground_truth, metrics in names.items()}
    count, chosen = sum(heights.values()), agreement.median_model(rows)
    figure, axes = plt.subplots(count, COLUMNS, figsize=fitting(9.2, 0.5 + 2.2 * count), squeeze=False)
    for axis in axes.flat:
        axis.set_visible(False)
    for ground_truth, first in (("signed", 0), ("unsigned", heights["signed"])):
        for axis, metric in zip(axes[first:].flat, names[ground_truth], strict=False):
            draw_scores(axis, grid, rows, scores, ground_truth, metric, chosen)
    about = "no model was kept" if chosen is None else describe(grid, chosen, "the median one")
    figure.suptitle(f"Scores against the bias trained on, a point an occupation: {about}")
    return figure


def draw_examples(grid: tables.Grid, rows: pd.DataFrame, scores: Mapping[str, str], groups: pd.DataFrame) -> plt.Figure:
    """F7, F8: SAME and Direct Bias of an example of the groups similar and worse, the (lower) median of its group."""
    figure, axes = plt.subplots(len(GROUPS), len(PANELS), figsize=(8.6, 5.4))
    groups = groups.set_index("category")
    for line, (group, name) in zip(axes, GROUPS.items(), strict=True):
        model = groups.loc[group, "example_model"]
        if np.isnan(model):
            for axis in line[1:]:
                axis.set_visible(False)
            line[0].set_axis_off()
            line[0].text(0, 0.5, f"{name}: {groups.loc[group, 'note']}", transform=line[0].transAxes)
            continue
        for axis, (ground_truth, metric) in zip(line, PANELS, strict=True):
            draw_scores(axis, grid, rows, scores, ground_truth, metric, int(model))
        line[0].set_ylabel(f"{name}:\n{describe(grid, int(model))}", fontsize=8)
    figure.suptitle(
        "Where Direct Bias keeps up with SAME, and where it falls behind: two models, a point an occupation"
    )
    return figure


def draw_scores(
    axis: plt.Axes, grid: tables.Grid, rows: pd.DataFrame, scores: Mapping[str, str], ground_truth: str, metric: str,
    model: int,
) -> None:  # fmt: skip
    """How a metric answers one ground truth of the training bias, a point an occupation of one model."""
    axis.set_visible(True)
    row = curves.select_rows(rows, ground_truth=ground_truth, metric=metric, model=model).iloc[0]
    values = grid.unmasking if metric == agreement.UNMASKING else tables.scores(grid, scores[metric]).word
    answers = agreement.answer(ground_truth, metric, values, row["signed"])
    axis.scatter(agreement.ground_truth_of(ground_truth, grid.training).loc[model], answers.loc[model], s=9,
    color="#54278f",
                 alpha=0.6, linewidths=0)  # fmt: skip
    axis.set_title(f"{verdicts.named(ground_truth, metric, row['signed'])}, R² = {format_decimal(row['r2'])}")
    axis.set_xlabel(AXES[ground_truth])


def describe(grid: tables.Grid, model: int, which: str = "") -> str:
    """A model by its number and what it was trained on."""
    row = grid.models.loc[model]
    return f"model {model}{', ' * bool(which)}{which} (μ = {row['mean']:g}, σ = {row['spread']:g})"


if __name__ == "__main__":
    logs.start(snakemake.log[0])
    main(
        models=snakemake.input.models,
        bias=snakemake.input.bias,
        scores=dict(zip(snakemake.params.metrics, snakemake.input.scores, strict=True)),
        correlations=snakemake.input.correlations,
        angles=snakemake.input.angles,
        example_out=snakemake.output.example,
        examples_out=snakemake.output.examples,
    )
