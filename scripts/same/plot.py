"""Draw the figures of the SAME study (Figures 2 and 5 to 9, Tables 2 and 3 of same-2021), and write its findings."""

from collections.abc import Mapping

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from biassay.core import scripts
from biassay.core.csv_tables import select_rows
from biassay.measurement.metric import load
from biassay.report import plots
from biassay.report.findings import write_findings
from biassay.report.formatting import format_decimal, format_interval, metric_label
from biassay.studies.ranking import LEVEL
from biassay.studies.same import agreement, directions, tables
from biassay.studies.same.effect_size import MIN_EFFECT_SIZE
from biassay.studies.same.findings import describe_results, score_label

GROUND_TRUTHS = {"signed": "p, share of male pronouns", "unsigned": "|0.5 − p|"}
SUMMARIES = {"mean": "mean", "std": "standard\ndeviation", "absolute": "Σ|0.5 − p|"}
PUBLISHED_LABEL = "published (BERT-base, 330 models)"
COLUMNS = 3  # panels in a row of the figure of one model
PANELS = [("signed", "same"), ("unsigned", "same"), ("unsigned", "direct_bias")]  # of the figure of two models
STEP_METRICS = {  # columns of the table of effect sizes, with their label and look
    "same": ("SAME", {"marker": "o", "s": 28, "color": "#54278f"}),
    "same_skew": ("SAME skew", {"marker": "x", "s": 26, "color": "#666666", "linewidths": 1.2}),
    "same_stereotype": ("SAME stereotype", {"marker": "s", "s": 28, "facecolor": "none", "edgecolor": "#b35806"}),
}


def main(
    models: str, bias: str, scores: list[str], results: dict[str, str], metrics: dict[str, str],
    out: dict[str, list[str]], findings_out: str,
) -> None:  # fmt: skip
    grid, by_name = tables.load_grid(models, bias), {name: pd.read_csv(path) for name, path in results.items()}
    words = {name: tables.read_scores(grid, path).word for name, path in zip(metrics, scores, strict=True)}
    words = {name: values for name, values in words.items() if values is not None}
    words = agreement.orient_scores(words, "word", {name: load(metrics[name]) for name in words})
    learned = by_name["correlations"].query("learned")
    of_training, categories = select_rows(learned, against="training"), by_name["angles"].set_index("category")
    plots.save(draw_words(learned, by_name["summary"]), *out["words"])
    plots.save(draw_angles(by_name["differences"], categories), *out["angles"])
    plots.save(draw_example(grid, of_training, words), *out["example"])
    plots.save(draw_examples(grid, of_training, words, categories), *out["examples"])
    plots.save(draw_retraining_variability(by_name["retraining_variability"]), *out["retraining_variability"])
    plots.save(draw_subsampling_variability(by_name["subsampling_variability"]), *out["subsampling_variability"])
    plots.save(draw_sets(by_name["sets"]), *out["sets"])
    plots.save(draw_effect_size(by_name["effect_size"], grid), *out["effect_size"])
    write_findings(describe_results(by_name), findings_out)


def draw_words(correlations: pd.DataFrame, summary: pd.DataFrame) -> plt.Figure:
    """Draw R², signed as r, of every model with the means by metric, one row of panels per ground truth (Figure 6)."""
    metrics = {name: select_rows(summary, ground_truth=name)["metric"].unique() for name in GROUND_TRUTHS}
    sizes = [len(names) for names in metrics.values()]
    figure, axes = plt.subplots(
        2, 2, figsize=(plots.WIDTH, 2.1 + 0.38 * sum(sizes)), sharex=True, sharey="row", height_ratios=sizes
    )
    jitter = np.random.default_rng(0)
    for row, (ground_truth, names) in zip(axes, metrics.items(), strict=True):
        for axis, against in zip(row, ("training", "unmasking"), strict=True):
            panel = {"ground_truth": ground_truth, "against": against}
            draw_panel(axis, select_rows(correlations, **panel), select_rows(summary, **panel), names, jitter)
            axis.set_title(f"with {GROUND_TRUTHS[ground_truth].split(',')[0]} of {against} bias")
        signed = select_rows(summary, ground_truth=ground_truth).groupby("metric")["signed"].first()
        row[0].set_yticks(range(len(names)), [score_label(ground_truth, name, signed[name]) for name in names])
        row[0].set_ylim(len(names) - 0.4, -0.6)
    for axis in axes[-1]:
        axis.set_xlabel("R² over a model's occupations (− if r < 0)")
    axes[0, 0].set_xlim(min(-0.03, correlations["r2"].min() - 0.02), 1.03)
    plots.add_legend(figure)
    figure.suptitle(f"Do word-level scores follow the bias? {correlations['model'].nunique()} models")
    return figure


def draw_panel(
    axis: plt.Axes, models: pd.DataFrame, summary: pd.DataFrame, metrics: np.ndarray, jitter: np.random.Generator
) -> None:
    """Draw R², signed as r, with one bias: one point per model, the means, and a line at the upper bound."""
    means = models.groupby("metric")["r2"].agg(["mean", "std"]).reindex(metrics)
    for place, metric in enumerate(metrics):
        values = select_rows(models, metric=metric)["r2"].dropna()
        heights = place + 0.1 + 0.25 * jitter.random(len(values))
        axis.scatter(values, heights, s=12 if len(values) < 50 else 4, color="#9a9a9a", linewidths=0, alpha=0.7,
                     label="one model" if place == 0 else None)  # fmt: skip
    rows, places = summary.set_index("metric").reindex(metrics), np.arange(len(metrics)) - 0.12
    axis.errorbar(means["mean"], places, xerr=means["std"].fillna(0), fmt="D", color="black", markersize=4.5,
                  elinewidth=1.1, capsize=2.5, label="mean ± standard deviation")  # fmt: skip
    axis.scatter(rows["published"], places - 0.22, **plots.PUBLISHED, label="published mean (BERT-base, 330 models)")
    if rows["upper_bound"].notna().any():
        axis.axvline(rows["r2_mean"].get(agreement.UNMASKING), color="black", linewidth=0.9, linestyle=":",
                     label="upper bound: unmasking")  # fmt: skip


def draw_angles(differences: pd.DataFrame, categories: pd.DataFrame) -> plt.Figure:
    """Draw the R² of SAME minus that of Direct Bias against the angle between their directions (Figures 7, 8)."""
    figure, axis = plt.subplots(figsize=(plots.WIDTH, 4.4))
    differences = differences.dropna(subset=["difference", "angle"])
    is_followed = differences["r2_same"] >= directions.MIN_R2
    for rows, face, name in ((differences[is_followed], "black", f"SAME has R² ≥ {directions.MIN_R2:g}"),
                             (differences[~is_followed], "none", "SAME has a lower R²")):  # fmt: skip
        axis.scatter(rows["angle"], rows["difference"], s=20, facecolor=face, edgecolor="#555555", linewidths=0.7,
                     label=f"{name} ({len(rows)})", zorder=3)  # fmt: skip
    for height in (directions.SIMILAR_BELOW, directions.WORSE_ABOVE):
        axis.axhline(height, color="black", linewidth=0.8, linestyle=":")
    ends = {
        "similar": (np.fmin(differences["difference"].min(), 0), directions.SIMILAR_BELOW),
        "worse": (directions.WORSE_ABOVE, np.fmax(differences["difference"].max(), 0.6)),
    }
    for category, (bottom, top) in ends.items():
        row, first = categories.loc[category], category == "similar"
        axis.vlines(row["published"], bottom, top, color="#b2182b", linewidth=1.4, linestyle="--",
                    label="published mean (BERT-base, 330 models)" if first else None)  # fmt: skip
        axis.vlines(row["angle_mean"], bottom, top, color="black", linewidth=1.4,
                    label="mean of the category's filled points" if first else None)  # fmt: skip
    axis.set_xlim(left=0)
    axis.set_xlabel("angle between the first principal component and the mean direction (degrees)")
    axis.set_ylabel("R² of SAME − R² of Direct Bias")
    plots.add_legend(figure)
    figure.suptitle("SAME compared with Direct Bias: “similar” below, “worse” above the lines")
    return figure


def draw_example(grid: tables.Grid, rows: pd.DataFrame, words: Mapping[str, pd.DataFrame]) -> plt.Figure:
    """Draw the scores of the model with the median R² against its training bias (Figure 5)."""
    model = agreement.find_median_model(rows)
    metrics = {name: select_rows(rows, ground_truth=name)["metric"].unique() for name in GROUND_TRUTHS}
    heights = [-(-max(len(names), 1) // COLUMNS) for names in metrics.values()]
    figure, axes = plt.subplots(sum(heights), COLUMNS, figsize=(plots.WIDTH, 0.5 + 2.2 * sum(heights)), squeeze=False)
    for axis in axes.flat:
        axis.set_visible(False)
    for (ground_truth, names), panels in zip(metrics.items(), np.split(axes, [heights[0]]), strict=True):
        for axis, metric in zip(panels.flat, names, strict=False):
            draw_scores(axis, grid, rows, words, ground_truth, metric, model)
    about = "no model learned its bias" if model is None else f"the median one, {describe_model(grid, model)}"
    figure.suptitle(f"Scores of occupations against the training bias: {about}")
    return figure


def draw_examples(
    grid: tables.Grid, rows: pd.DataFrame, words: Mapping[str, pd.DataFrame], categories: pd.DataFrame
) -> plt.Figure:
    """Draw SAME and Direct Bias in the example models of the categories similar and worse (Figures 7, 8)."""
    figure, axes = plt.subplots(2, len(PANELS), figsize=(plots.WIDTH, 5.4))
    for line, category in zip(axes, ("similar", "worse"), strict=True):
        row, name = categories.loc[category], f"Direct Bias {category}"
        if np.isnan(row["example_model"]):
            for axis in line:
                axis.set_axis_off()
            line[0].text(0, 0.5, f"{name}: {row['note']}", transform=line[0].transAxes)
            continue
        model = int(row["example_model"])
        for axis, (ground_truth, metric) in zip(line, PANELS, strict=True):
            draw_scores(axis, grid, rows, words, ground_truth, metric, model)
        line[0].set_ylabel(f"{name}:\n{describe_model(grid, model)}", fontsize=8)
    figure.suptitle("Direct Bias similar to SAME, and worse than SAME: occupations of two models")
    return figure


def draw_scores(
    axis: plt.Axes, grid: tables.Grid, rows: pd.DataFrame, words: Mapping[str, pd.DataFrame], ground_truth: str,
    metric: str, model: int,
) -> None:  # fmt: skip
    """Draw a metric's scores against one ground truth of the training bias, one point per occupation of a model."""
    axis.set_visible(True)
    row = select_rows(rows, ground_truth=ground_truth, metric=metric, model=model).iloc[0]
    values = grid.unmasking if metric == agreement.UNMASKING else words[metric]
    comparable = agreement.comparable_scores(ground_truth, metric, values, row["signed"])
    bias = agreement.ground_truth_values(ground_truth, grid.training)
    axis.scatter(bias.loc[model], comparable.loc[model], s=9, color="#54278f", alpha=0.6, linewidths=0)
    axis.set_title(f"{score_label(ground_truth, metric, row['signed'])}, R² = {format_decimal(row['r2'])}")
    axis.set_xlabel(GROUND_TRUTHS[ground_truth])


def describe_model(grid: tables.Grid, model: int) -> str:
    """Name a model by its number and its planted distribution."""
    row = grid.models.loc[model]
    return f"model {model} (μ = {row['mean']:g}, σ = {row['spread']:g})"


def draw_retraining_variability(table: pd.DataFrame) -> plt.Figure:
    """Draw Table 2 as dots, next to the noise ratio of an occupation's score."""
    figure, axes = plt.subplots(1, 2, figsize=(plots.WIDTH, 1.4 + 0.34 * len(table)), sharey=True)
    draw_rows(axes[0], table, "difference")
    axes[0].set(title="Table 2: spread of a model's scores", xlabel="relative difference of standard deviations")
    axes[1].scatter(table["noise_ratio"], range(len(table)), color="black", marker="D", s=22, zorder=3)
    axes[1].set(title="score of an occupation", xlabel="std over repeats / std over occupations")
    for axis in axes:
        axis.set_xlim(left=0)
    if table["difference"].isna().all():
        note = "not computable: one model per distribution"
        axes[0].text(0.5, 0.5, note, transform=axes[0].transAxes, ha="center", va="center")
    plots.add_legend(figure)
    n = table["distributions"].max()
    figure.suptitle(f"Do models trained on the same bias get the same scores? {n} distributions")
    return figure


def draw_subsampling_variability(table: pd.DataFrame) -> plt.Figure:
    """Draw Table 3 as dots on a logarithmic axis."""
    figure, axis = plt.subplots(figsize=(plots.WIDTH, 1.5 + 0.34 * len(table)))
    draw_rows(axis, select_rows(table, relative=False), "deviation")
    if (table["deviation"] > 0).any():
        plots.use_log_axis(axis)
    axis.set_xlabel("mean |b(half of the occupations) − b(all)|, as a share of the metric's range")
    plots.add_legend(figure)
    figure.suptitle(f"Table 3: is half of the occupations enough? {describe_count(table['models'])}")
    return figure


def draw_rows(axis: plt.Axes, table: pd.DataFrame, column: str) -> None:
    """Draw one row per metric: its value with interval, and the published value."""
    places = np.arange(len(table))
    axis.hlines(places, table["low"], table["high"], color="black", linewidth=1.2)
    label = "ours, with 95 % interval if available"
    axis.scatter(table[column], places, color="black", marker="D", s=22, zorder=3, label=label)
    axis.scatter(table["published"], places, **plots.PUBLISHED, label=PUBLISHED_LABEL)
    axis.set_yticks(places, [metric_label(name) for name in table["metric"]])
    axis.set_ylim(len(table) - 0.4, -0.6)


def draw_sets(table: pd.DataFrame) -> plt.Figure:
    """Draw R², signed as r, of each metric with three summaries of the unmasking bias: shades, numbers (Figure 9)."""
    metrics = list(table["metric"].unique())
    figure, axis = plt.subplots(figsize=(plots.WIDTH, 1.7 + 0.46 * len(metrics)))
    wide = table.pivot(index="metric", columns="against", values="r2").reindex(index=metrics, columns=list(SUMMARIES))
    image = axis.imshow(wide.to_numpy(float), cmap="Greys", vmin=0, vmax=1, aspect="auto")
    for _, row in table.iterrows():
        place = list(SUMMARIES).index(row["against"]), metrics.index(row["metric"])
        ink = "white" if row["r2"] > 0.55 else "black"
        weight = "bold" if row["p"] < LEVEL else "normal"
        text = format_decimal(row["r2"]) + "*" * int(row["p_holm"] < LEVEL)
        axis.text(*place, text, ha="center", va="bottom", color=ink, fontsize=9, fontweight=weight)
        notes = [format_interval(row).strip()] if np.isfinite(row["low"]) else []
        notes += [f"published {format_decimal(row['published'])}"] if np.isfinite(row["published"]) else []
        axis.text(*place, "; ".join(notes), ha="center", va="top", color=ink, fontsize=7)
    axis.set_xticks(range(len(SUMMARIES)), SUMMARIES.values())
    axis.set_yticks(range(len(metrics)), [metric_label(name) for name in metrics])
    meaning = "−: falls; bold: p < 0.05; *: also after Holm's correction"
    axis.set_xlabel(f"summary of p(male) over the occupations. {meaning}", fontsize=8)
    axis.grid(False)
    axis.tick_params(length=0)
    figure.colorbar(image, label="R²", shrink=0.8)
    figure.suptitle(f"Figure 9: R² of set-level scores with the unmasking bias, {describe_count(table['n'])}")
    return figure


def draw_effect_size(steps: pd.DataFrame, grid: tables.Grid) -> plt.Figure:
    """Draw the words' associations (left) and the metrics (right), one row per step (Figure 2)."""
    if not len(steps):
        figure, axis = plt.subplots(figsize=(plots.WIDTH, 1.2))
        axis.set_axis_off()
        axis.text(0, 0.5, "too few occupations; 4 closer to each group are needed", transform=axis.transAxes)
        return figure
    figure, axes = plt.subplots(1, 3, figsize=(plots.WIDTH, 5), sharey=True, width_ratios=(1.8, 1.2, 1.2))
    places = np.arange(len(steps))
    for side, offset, marker, face in (("x", -0.14, "^", "black"), ("y", 0.14, "v", "white")):
        for i in (1, 2):
            axes[0].scatter(
                steps[f"s_{side}_{i}"], places + offset + 0.1 * (i - 1.5), marker=marker, s=34, c=face,
                edgecolors="black", linewidths=0.9, zorder=3, label=f"words of {side.upper()}" if i == 1 else None,
            )  # fmt: skip
    axes[0].axvline(0, color="black", linewidth=0.8)
    axes[0].set(title="the words", xlabel="s(w, A, B): closer to female  ←   → closer to male")
    axes[1].scatter(steps["effect_size"], places, marker="D", s=26, color="black", label="effect size d (WEAT)")
    axes[1].axvline(MIN_EFFECT_SIZE, color="black", linewidth=0.9, linestyle=":", label="lower bound of d, 2/√3")
    axes[1].set(title="WEAT", xlabel="effect size d", xlim=(1, 2.1))
    for column, (label, look) in STEP_METRICS.items():
        axes[2].scatter(steps[column], places, **look, label=label)
    axes[2].set(title="SAME", xlabel="value")
    names = [f"{row.step}\nX: {row.x_1}, {row.x_2}\nY: {row.y_1}, {row.y_2}" for row in steps.itertuples()]
    axes[0].set_yticks(places, names)
    axes[0].set_ylim(len(steps) - 0.5, -0.5)
    for axis in axes:
        axis.locator_params(axis="x", nbins=4)
    plots.add_legend(figure)
    about = describe_model(grid, steps["model"].iloc[0])
    figure.suptitle(f"Effect size and SAME of more stereotyped words: {about}")
    return figure


def describe_count(n_models: pd.Series) -> str:
    """Say how many models a figure shows, from the counts of its rows."""
    return f"{n_models.max()} models" if len(n_models) else "no metric has set-level scores"


if __name__ == "__main__":
    scripts.run(main, snakemake)
