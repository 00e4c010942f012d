"""Draw R² of word-level scores with the bias, and Direct Bias by angle (Figures 6 to 8 of same-2021)."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from biassay.core import scripts
from biassay.report import curves, plots
from biassay.report.sizes import fit_size
from biassay.studies.same import agreement, tables, verdicts
from biassay.studies.same import directions as same_directions

BIASES = {"training": "training bias", "unmasking": "unmasking bias"}
GROUND_TRUTHS = {"signed": "p", "unsigned": "|0.5 − p|"}
PUBLISHED = {"marker": "x", "color": "#b2182b", "s": 34, "linewidths": 1.4, "zorder": 5}


def main(
    correlations: str, summary: str, differences: str, angles: str, words_out: list[str], angles_out: list[str]
) -> None:
    table = tables.read_result(correlations, "correlations")
    plots.save(draw_words(table[table["learned"]], tables.read_result(summary, "summary")), *words_out)
    plots.save(
        draw_angles(tables.read_result(differences, "differences"), tables.read_result(angles, "angles")), *angles_out
    )


def draw_words(correlations: pd.DataFrame, summary: pd.DataFrame) -> plt.Figure:
    """Draw R² of every model with the means by metric, one row of panels per ground truth (Figure 6)."""
    metrics = {
        ground_truth: list(summary.loc[summary["ground_truth"] == ground_truth, "metric"].unique())
        for ground_truth in GROUND_TRUTHS
    }
    n_metrics = [len(names) for names in metrics.values()]
    figure, axes = plt.subplots(
        2, 2, figsize=fit_size(8.6, 2.1 + 0.38 * sum(n_metrics)), sharex=True, sharey="row", height_ratios=n_metrics
    )
    jitter = np.random.default_rng(0)
    for row, (ground_truth, names) in zip(axes, metrics.items(), strict=True):
        for axis, (against, name) in zip(row, BIASES.items(), strict=True):
            panel = {"ground_truth": ground_truth, "against": against}
            draw_panel(
                axis, curves.select_rows(correlations, **panel), curves.select_rows(summary, **panel), names, jitter
            )
            axis.set_title(f"with {GROUND_TRUTHS[ground_truth]} of {name}")
        signed = curves.select_rows(summary, ground_truth=ground_truth).groupby("metric")["signed"].first()
        row[0].set_yticks(
            range(len(names)), [verdicts.score_label(ground_truth, metric, signed[metric]) for metric in names]
        )
        row[0].set_ylim(len(names) - 0.4, -0.6)
    for axis in axes[-1]:
        axis.set_xlabel("R² over the occupations of a model")
    axes[0, 0].set_xlim(min(-0.03, (summary["r2_mean"] - summary["r2_std"]).min() - 0.02), 1.03)
    figure.legend(
        *axes[0, 0].get_legend_handles_labels(), loc="outside lower center", ncols=2, frameon=False, fontsize=8
    )
    figure.suptitle(f"Do word-level scores follow the bias? {correlations['model'].nunique()} models")
    return figure


def draw_panel(
    axis: plt.Axes, models: pd.DataFrame, summary: pd.DataFrame, metrics: list[str], jitter: np.random.Generator
) -> None:
    """Draw R² with one bias: one point per model, the means, and a line at the upper bound."""
    for place, metric in enumerate(metrics):
        values = curves.select_rows(models, metric=metric)["r2"].dropna()
        heights = place + 0.1 + 0.25 * jitter.random(len(values))
        size = 12 if len(values) < 50 else 4
        axis.scatter(values, heights, s=size, color="#9a9a9a", linewidths=0, alpha=0.7,
                     label="one model" if place == 0 else None)  # fmt: skip
    rows = summary.set_index("metric").reindex(metrics)
    places = np.arange(len(metrics)) - 0.12
    axis.errorbar(
        rows["r2_mean"], places, xerr=rows["r2_std"].fillna(0), fmt="D", color="black", markersize=4.5,
        elinewidth=1.1, capsize=2.5, label="mean ± standard deviation",
    )  # fmt: skip
    axis.scatter(rows["published"], places - 0.22, **PUBLISHED, label="published mean (BERT-base, 330 models)")
    if rows["upper_bound"].notna().any():
        axis.axvline(rows["r2_mean"].get(agreement.UNMASKING), color="black", linewidth=0.9, linestyle=":",
                     label="upper bound: unmasking")  # fmt: skip


def draw_angles(differences: pd.DataFrame, categories: pd.DataFrame) -> plt.Figure:
    """Draw the R² of SAME minus that of Direct Bias against the angle between their directions (Figures 7, 8)."""
    figure, axis = plt.subplots(figsize=(6.6, 4.4))
    differences = differences.dropna(subset=["difference", "angle"])
    is_followed = differences["r2_same"] >= same_directions.MIN_R2
    classes = (
        (is_followed, "black", f"SAME has R² ≥ {same_directions.MIN_R2:g}"),
        (~is_followed, "none", "SAME has a lower R²"),
    )
    for in_class, face, name in classes:
        rows = differences[in_class]
        axis.scatter(rows["angle"], rows["difference"], s=20, facecolor=face, edgecolor="#555555", linewidths=0.7,
                     label=f"{name} ({len(rows)})", zorder=3)  # fmt: skip
    for height in (same_directions.SIMILAR_BELOW, same_directions.WORSE_ABOVE):
        axis.axhline(height, color="black", linewidth=0.8, linestyle=":")
    lowest, highest = (value(differences["difference"], default=0) for value in (min, max))
    ends = {
        "similar": (min(lowest, 0), same_directions.SIMILAR_BELOW),
        "worse": (same_directions.WORSE_ABOVE, max(highest, 0.6)),
    }
    for category, (bottom, top) in ends.items():
        row = categories.set_index("category").loc[category]
        first = category == "similar"
        axis.vlines(row["published"], bottom, top, color="#b2182b", linewidth=1.4, linestyle="--",
                    label="published mean (BERT-base, 330 models)" if first else None)  # fmt: skip
        axis.vlines(row["angle_mean"], bottom, top, color="black", linewidth=1.4,
                    label="mean of the category's filled points" if first else None)  # fmt: skip
    axis.set_xlim(left=0)
    axis.set_xlabel("angle between the first principal component and the mean direction (degrees)")
    axis.set_ylabel("R² of SAME − R² of Direct Bias")
    figure.legend(*axis.get_legend_handles_labels(), loc="outside lower center", ncols=2, frameon=False, fontsize=8)
    figure.suptitle("SAME compared with Direct Bias: “similar” below, “worse” above the lines")
    return figure


if __name__ == "__main__":
    scripts.run(main, snakemake)
