"""Draw retraining variability, set-level R² and subsampling variability (Table 2, Figure 9, Table 3 of same-2021)."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.ticker import FuncFormatter, LogLocator, NullLocator

from biassay.core import scripts
from biassay.report import plots
from biassay.report.formatting import format_decimal, metric_label
from biassay.report.sizes import fit_size
from biassay.studies.same import tables

SUMMARIES = {"mean": "mean", "std": "standard\ndeviation", "absolute": "Σ|0.5 − p|"}
PUBLISHED = {"marker": "x", "color": "#b2182b", "s": 34, "linewidths": 1.4, "zorder": 5}
LEVEL = 0.05


def main(
    retraining_variability: str, sets: str, subsampling_variability: str,
    retraining_variability_out: list[str], sets_out: list[str], subsampling_variability_out: list[str],
) -> None:  # fmt: skip
    plots.save(
        draw_retraining_variability(tables.read_result(retraining_variability, "retraining_variability")),
        *retraining_variability_out,
    )
    plots.save(draw_sets(tables.read_result(sets, "sets")), *sets_out)
    plots.save(
        draw_subsampling_variability(tables.read_result(subsampling_variability, "subsampling_variability")),
        *subsampling_variability_out,
    )


def draw_retraining_variability(table: pd.DataFrame) -> plt.Figure:
    """Draw Table 2 as dots, next to the noise ratio of an occupation's score."""
    figure, axes = plt.subplots(1, 2, figsize=fit_size(8.6, 1.4 + 0.34 * len(table)), sharey=True)
    draw_rows(axes[0], table, "difference")
    axes[0].set(title="Table 2: spread of a model's scores", xlabel="relative difference of standard deviations")
    axes[1].scatter(table["noise_ratio"], range(len(table)), color="black", marker="D", s=22, zorder=3)
    axes[1].set(title="score of an occupation", xlabel="std over repeats / std over occupations")
    for axis in axes:
        axis.set_xlim(left=0)
    if table["difference"].isna().all():
        axes[0].text(
            0.5,
            0.5,
            "not computable: one model per distribution",
            transform=axes[0].transAxes,
            ha="center",
            va="center",
        )
    figure.legend(*axes[0].get_legend_handles_labels(), loc="outside lower center", ncols=2, frameon=False, fontsize=8)
    figure.suptitle(
        f"Do models trained on the same bias get the same scores? {table['distributions'].max()} distributions"
    )
    return figure


def draw_subsampling_variability(table: pd.DataFrame) -> plt.Figure:
    """Draw Table 3 as dots on a logarithmic axis."""
    figure, axis = plt.subplots(figsize=fit_size(6.6, 1.5 + 0.34 * len(table)))
    draw_rows(axis, table, "deviation")
    if (table["deviation"] > 0).any():
        axis.set_xscale("log")
        axis.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
        axis.xaxis.set_minor_locator(NullLocator())
        axis.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    axis.set_xlabel("mean |b(half of the occupations) − b(all)|, as a share of the metric's range")
    figure.legend(*axis.get_legend_handles_labels(), loc="outside lower center", ncols=2, frameon=False, fontsize=8)
    figure.suptitle(f"Table 3: is half of the occupations enough? {count_models(table['models'])}")
    return figure


def draw_rows(axis: plt.Axes, table: pd.DataFrame, column: str) -> None:
    """Draw one row per metric: its value with interval, and the published value."""
    places = np.arange(len(table))
    relative = table["relative"].to_numpy(bool) if "relative" in table else np.zeros(len(table), bool)
    axis.hlines(places, table["low"], table["high"], color="black", linewidth=1.2)
    face_colours = np.where(relative, "white", "black")
    axis.scatter(table[column], places, c=face_colours, edgecolors="black", marker="D", s=22, zorder=3,
                 label="ours, with 95 % interval if available")  # fmt: skip
    axis.scatter(table["published"], places, **PUBLISHED, label="published (BERT-base, 330 models)")
    names = [metric_label(*pair) for pair in zip(table["metric"], relative, strict=True)]
    axis.set_yticks(places, names)
    axis.set_ylim(len(table) - 0.4, -0.6)


def draw_sets(table: pd.DataFrame) -> plt.Figure:
    """Draw R² of each metric with three summaries of the unmasking bias, as shades and numbers (Figure 9)."""
    metrics = list(table["metric"].unique())
    figure, axis = plt.subplots(figsize=fit_size(6.2, 1.7 + 0.46 * len(metrics)))
    wide = table.pivot(index="metric", columns="against", values="r2").reindex(index=metrics, columns=list(SUMMARIES))
    image = axis.imshow(wide.to_numpy(float), cmap="Greys", vmin=0, vmax=1, aspect="auto")
    for _, row in table.iterrows():
        place = list(SUMMARIES).index(row["against"]), metrics.index(row["metric"])
        ink = "white" if row["r2"] > 0.55 else "black"
        star = "*" if row["p_holm"] < LEVEL else ""
        axis.text(*place, format_decimal(row["r2"]) + star, ha="center", va="bottom", color=ink, fontsize=9,
                  fontweight="bold" if row["p"] < LEVEL else "normal")  # fmt: skip
        notes = []
        if np.isfinite(row["low"]):
            notes.append(f"{format_decimal(row['low'])} to {format_decimal(row['high'])}")
        if np.isfinite(row["published"]):
            notes.append(f"published {format_decimal(row['published'])}")
        axis.text(*place, "; ".join(notes), ha="center", va="top", color=ink, fontsize=7)
    axis.set_xticks(range(len(SUMMARIES)), SUMMARIES.values())
    axis.set_yticks(range(len(metrics)), [metric_label(name) for name in metrics])
    axis.set_xlabel(
        "summary of p(male) over the occupations. Bold: p < 0.05; *: also after Holm's correction", fontsize=8
    )
    axis.grid(False)
    axis.tick_params(length=0)
    figure.colorbar(image, label="R²", shrink=0.8)
    figure.suptitle(f"Figure 9: R² of set-level scores with the unmasking bias, {count_models(table['n'])}")
    return figure


def count_models(n_models: pd.Series) -> str:
    """Say how many models a figure shows, from the counts of its rows."""
    return f"{n_models.max()} models" if len(n_models) else "no metric has set-level scores"


if __name__ == "__main__":
    scripts.run(main, snakemake)
