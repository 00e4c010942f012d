"""Draw F6 to F8 of the study of planted bias: do the scores of occupations follow it, and why not those by PCA?"""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from biassay.figures import curves, plots
from biassay.figures.sizes import fitting
from biassay.studies.same import agreement, tables, verdicts
from biassay.studies.same import directions as same_directions
from biassay.support import logs

AGAINST = {"training": "the bias trained on", "unmasking": "the unmasking bias"}
GROUND_TRUTHS = {"signed": "p", "unsigned": "|0.5 − p|"}
PUBLISHED = {"marker": "x", "color": "#b2182b", "s": 34, "linewidths": 1.4, "zorder": 5}


def main(
    correlations: str, summary: str, differences: str, angles: str, words_out: list[str], angles_out: list[str]
) -> None:
    table = tables.result(correlations, "correlations")
    plots.save(draw_words(table[table["learned"]], tables.result(summary, "summary")), *words_out)
    plots.save(draw_angles(tables.result(differences, "differences"), tables.result(angles, "angles")), *angles_out)


def draw_words(correlations: pd.DataFrame, summary: pd.DataFrame) -> plt.Figure:
    """F6: R² of every model, a row of panels a ground truth, a row a metric, with mean and standard deviation."""
    metrics = {
        ground_truth: list(summary.loc[summary["ground_truth"] == ground_truth, "metric"].unique())
        for ground_truth in GROUND_TRUTHS
    }
    numbers = [len(names) for names in metrics.values()]
    figure, axes = plt.subplots(
        2, 2, figsize=fitting(8.6, 2.1 + 0.38 * sum(numbers)), sharex=True, sharey="row", height_ratios=numbers
    )
    shift = np.random.default_rng(0)
    for row, (ground_truth, names) in zip(axes, metrics.items(), strict=True):
        for axis, (against, name) in zip(row, AGAINST.items(), strict=True):
            panel = {"ground_truth": ground_truth, "against": against}
            draw_panel(
                axis, curves.select_rows(correlations, **panel), curves.select_rows(summary, **panel), names, shift
            )
            axis.set_title(f"with {GROUND_TRUTHS[ground_truth]} of {name}")
        signed = curves.select_rows(summary, ground_truth=ground_truth).groupby("metric")["signed"].first()
        row[0].set_yticks(range(len(names)), [verdicts.named(ground_truth, metric, signed[metric]) for metric in names])
        row[0].set_ylim(len(names) - 0.4, -0.6)
    for axis in axes[-1]:
        axis.set_xlabel("R² over the occupations of a model")
    axes[0, 0].set_xlim(min(-0.03, (summary["r2_mean"] - summary["r2_std"]).min() - 0.02), 1.03)
    figure.legend(
        *axes[0, 0].get_legend_handles_labels(), loc="outside lower center", ncols=2, frameon=False, fontsize=8
    )
    figure.suptitle(f"Do scores of words follow the bias? {correlations['model'].nunique()} kept models")
    return figure


def draw_panel(
    axis: plt.Axes, models: pd.DataFrame, summary: pd.DataFrame, metrics: list[str], shift: np.random.Generator
) -> None:
    """R² of one ground truth with one bias: a point a model, and means; a line where unmasking gets to."""
    for place, metric in enumerate(metrics):
        values = curves.select_rows(models, metric=metric)["r2"].dropna()
        heights = place + 0.1 + 0.25 * shift.random(len(values))
        size = 12 if len(values) < 50 else 4
        axis.scatter(values, heights, s=size, color="#9a9a9a", linewidths=0, alpha=0.7,
                     label="a model" if place == 0 else None)  # fmt: skip
    rows = summary.set_index("metric").reindex(metrics)
    places = np.arange(len(metrics)) - 0.12
    axis.errorbar(
        rows["r2_mean"], places, xerr=rows["r2_std"].fillna(0), fmt="D", color="black", markersize=4.5,
        elinewidth=1.1, capsize=2.5, label="mean ± standard deviation",
    )  # fmt: skip
    axis.scatter(rows["published"], places - 0.22, **PUBLISHED, label="published mean (BERT-base, 330 models)")
    if rows["upper_bound"].notna().any():
        axis.axvline(rows["r2_mean"].get(agreement.UNMASKING), color="black", linewidth=0.9, linestyle=":",
                     label="ceiling: unmasking of the same ground truth")  # fmt: skip


def draw_angles(differences: pd.DataFrame, groups: pd.DataFrame) -> plt.Figure:
    """F7, F8: what Direct Bias loses on SAME against the angle between the directions that they use."""
    figure, axis = plt.subplots(figsize=(6.6, 4.4))
    differences = differences.dropna(subset=["difference", "angle"])
    sees = differences["r2_same"] >= same_directions.SEES
    named = ((sees, "black", f"SAME has R² ≥ {same_directions.SEES:g}"), (~sees, "none", "SAME has less"))
    for chosen, face, name in named:
        rows = differences[chosen]
        axis.scatter(rows["angle"], rows["difference"], s=20, facecolor=face, edgecolor="#555555", linewidths=0.7,
                     label=f"{name} ({len(rows)})", zorder=3)  # fmt: skip
    for height in (same_directions.SIMILAR, same_directions.WORSE):
        axis.axhline(height, color="black", linewidth=0.8, linestyle=":")
    lowest, highest = (value(differences["difference"], default=0) for value in (min, max))
    ends = {"similar": (min(lowest, 0), same_directions.SIMILAR), "worse": (same_directions.WORSE, max(highest, 0.6))}
    for group, (bottom, top) in ends.items():
        row = groups.set_index("category").loc[group]
        first = group == "similar"
        axis.vlines(row["published"], bottom, top, color="#b2182b", linewidth=1.4, linestyle="--",
                    label="published mean (BERT-base, 330 models)" if first else None)  # fmt: skip
        axis.vlines(row["angle_mean"], bottom, top, color="black", linewidth=1.4,
                    label="mean of the group's filled points" if first else None)  # fmt: skip
    axis.set_xlim(left=0)
    axis.set_xlabel("angle between the first principal component and the mean direction (degrees)")
    axis.set_ylabel("R² of SAME − R² of Direct Bias")
    figure.legend(*axis.get_legend_handles_labels(), loc="outside lower center", ncols=2, frameon=False, fontsize=8)
    figure.suptitle("Where Direct Bias falls behind SAME: “similar” below, “worse” above the lines")
    return figure


if __name__ == "__main__":
    logs.start(snakemake.log[0])
    main(
        correlations=snakemake.input.correlations,
        summary=snakemake.input.summary,
        differences=snakemake.input.differences,
        angles=snakemake.input.angles,
        words_out=snakemake.output.words,
        angles_out=snakemake.output.angles,
    )
