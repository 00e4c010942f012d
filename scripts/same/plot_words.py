"""Draw F5 to F8 of the study of planted bias: do the scores of occupations follow it, and why not those by PCA?"""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from biassay.figures import curves, plots
from biassay.studies.same import agreement, tables
from biassay.support import logs

AGAINST = {"training": "the bias trained on", "unmasking": "the model's unmasking bias"}
PUBLISHED = {"marker": "x", "color": "#b2182b", "s": 34, "linewidths": 1.4, "zorder": 5}
COLUMNS = 3


def main(
    models: str, bias: str, scores: dict[str, str], correlations: str, summary: str, differences: str, angles: str,
    example_out: list[str], words_out: list[str], angles_out: list[str],
) -> None:  # fmt: skip
    grid, table = tables.load(models, bias), pd.read_csv(correlations)
    plots.save(draw_example(grid, table, scores), *example_out)
    plots.save(draw_words(table[table["kept"]], pd.read_csv(summary)), *words_out)
    plots.save(draw_angles(pd.read_csv(differences), pd.read_csv(angles)), *angles_out)


def draw_words(correlations: pd.DataFrame, summary: pd.DataFrame) -> plt.Figure:
    """F6: R² of every model, a row a metric, with mean and standard deviation."""
    metrics = list(summary["metric"].unique())
    figure, axes = plt.subplots(1, 2, figsize=(8.6, 1.3 + 0.42 * len(metrics)), sharey=True, sharex=True)
    shift = np.random.default_rng(0)
    for axis, (against, name) in zip(axes, AGAINST.items(), strict=True):
        for place, metric in enumerate(metrics):
            values = curves.select(correlations, metric=metric, against=against)["r2"].dropna()
            heights = place + 0.1 + 0.25 * shift.random(len(values))
            size = 12 if len(values) < 50 else 4
            label = "a model" if (place, against) == (0, "training") else None
            axis.scatter(values, heights, s=size, color="#9a9a9a", linewidths=0, alpha=0.7, label=label)
        rows = summary[summary["against"] == against].set_index("metric").reindex(metrics)
        places = np.arange(len(metrics)) - 0.12
        axis.errorbar(
            rows["r2_mean"], places, xerr=rows["r2_std"].fillna(0), fmt="D", color="black", markersize=4.5,
            elinewidth=1.1, capsize=2.5, label="mean ± standard deviation",
        )  # fmt: skip
        axis.scatter(rows["published"], places - 0.22, **PUBLISHED, label="published mean (BERT-base, 330 models)")
        axis.set(title=f"with {name}", xlabel="R² over the occupations of a model")
    axes[0].set_yticks(range(len(metrics)), [curves.label(name) for name in metrics])
    axes[0].set_ylim(len(metrics) - 0.4, -0.6)
    axes[0].set_xlim(min(-0.03, (summary["r2_mean"] - summary["r2_std"]).min() - 0.02), 1.03)
    figure.legend(*axes[0].get_legend_handles_labels(), loc="outside lower center", ncols=3, frameon=False, fontsize=8)
    figure.suptitle(f"Do scores of words follow the bias? {correlations['model'].nunique()} kept models")
    return figure


def draw_example(grid: tables.Grid, correlations: pd.DataFrame, scores: dict[str, str]) -> plt.Figure:
    """F5: scores against training bias of one model, the one of median R² on average over the metrics."""
    rows = correlations[correlations["kept"] & (correlations["against"] == "training")]
    metrics = list(rows["metric"].unique())
    count = -(-max(len(metrics), 1) // COLUMNS)
    figure, axes = plt.subplots(count, COLUMNS, figsize=(8.6, 0.5 + 2.3 * count), squeeze=False)
    chosen = median_model(rows)
    for axis, metric in zip(axes.flat, metrics, strict=False):
        row = curves.select(rows, metric=metric, model=chosen).iloc[0]
        values = grid.unmasking if metric == agreement.UNMASKING else tables.scores(grid, scores[metric]).sample
        p_male = grid.training.loc[chosen]
        axis.scatter(p_male if row["signed"] else (0.5 - p_male).abs(), values.loc[chosen], s=9, color="#54278f",
                     alpha=0.6, linewidths=0)  # fmt: skip
        axis.set_title(f"{curves.label(metric)}, R² = {curves.decimal(row['r2'])}")
        axis.set_xlabel("p, share of male pronouns" if row["signed"] else "|0.5 − p|")
    for axis in axes.flat[len(metrics) :]:
        axis.set_visible(False)
    about = "no model was kept" if chosen is None else describe(grid, chosen)
    figure.suptitle(f"Scores of occupations against the bias trained on: {about}")
    return figure


def median_model(rows: pd.DataFrame) -> int | None:
    """The model of the (lower) median of R², averaged over metrics; None without models."""
    means = rows.groupby("model")["r2"].mean().dropna().sort_values(kind="stable")
    return means.index[(len(means) - 1) // 2] if len(means) else None


def describe(grid: tables.Grid, model: int) -> str:
    row = grid.models.loc[model]
    return f"model {model}, the median one (μ = {row['mean']:g}, σ = {row['spread']:g})"


def draw_angles(differences: pd.DataFrame, groups: pd.DataFrame) -> plt.Figure:
    """F7, F8: what Direct Bias loses on SAME against the angle between the directions that they use."""
    figure, axis = plt.subplots(figsize=(6.6, 4.4))
    differences = differences.dropna(subset=["difference", "angle"])
    sees = differences["r2_same"] >= agreement.SEES
    named = ((sees, "black", f"SAME has R² ≥ {agreement.SEES:g}"), (~sees, "none", "SAME has less"))
    for chosen, face, name in named:
        rows = differences[chosen]
        axis.scatter(rows["angle"], rows["difference"], s=20, facecolor=face, edgecolor="#555555", linewidths=0.7,
                     label=f"{name} ({len(rows)})", zorder=3)  # fmt: skip
    for height in (agreement.SIMILAR, agreement.WORSE):
        axis.axhline(height, color="black", linewidth=0.8, linestyle=":")
    lowest, highest = (value(differences["difference"], default=0) for value in (min, max))
    ends = {"similar": (min(lowest, 0), agreement.SIMILAR), "worse": (agreement.WORSE, max(highest, 0.6))}
    for group, (bottom, top) in ends.items():
        row = groups.set_index("group").loc[group]
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
        models=snakemake.input.models,
        bias=snakemake.input.bias,
        scores=dict(zip(snakemake.params.metrics, snakemake.input.scores, strict=True)),
        correlations=snakemake.input.correlations,
        summary=snakemake.input.summary,
        differences=snakemake.input.differences,
        angles=snakemake.input.angles,
        example_out=snakemake.output.example,
        words_out=snakemake.output.words,
        angles_out=snakemake.output.angles,
    )
