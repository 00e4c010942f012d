"""Show that WEAT's effect size does not measure the amount of bias: a table and a figure (Figure 2 of same-2021)."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from biassay.core import scripts
from biassay.report import plots
from biassay.studies.same import effect_size, scores, tables


def main(
    models: str, bias: str, plan: str, occupations: str, encoded: list[str], pooling: str,
    table: str, figure: list[str],
) -> None:  # fmt: skip
    grid = tables.load_grid(models, bias)
    model = effect_size.select_model(grid)
    occupation_table = tables.read_occupations(occupations)
    chunk = tables.read_plan(plan, chunks=len(encoded)).set_index("model")["chunk"][model]
    embedded = scores.read_embeddings(f"{encoded[chunk]}/{model}", pooling, occupation_table["stereotype"].tolist())
    words = occupation_table["word"].tolist()
    steps = effect_size.demonstrate(words, embedded.targets.mean(axis=1), embedded.groups)
    steps.assign(model=model).to_csv(table, index=False, float_format="%.6g")
    row = grid.models.loc[model]
    plots.save(draw(steps, f"model {model} (μ = {row['mean']:g}, σ = {row['spread']:g})"), *figure)


def draw(steps: pd.DataFrame, model: str) -> plt.Figure:
    """Draw the words' associations (left) and the metrics (right), one row per step."""
    if not len(steps):
        figure, axis = plt.subplots(figsize=(8.8, 1.2))
        axis.set_axis_off()
        axis.text(0, 0.5, f"{model}: too few occupations; 4 closer to each group are needed", transform=axis.transAxes)
        return figure
    figure, axes = plt.subplots(1, 3, figsize=(9.6, 4.6), sharey=True, width_ratios=(1.8, 1.2, 1.2))
    draw_words(axes[0], steps)
    places = np.arange(len(steps))
    axes[1].scatter(
        steps["effect_size"], places, marker="D", s=26, color="black", zorder=3, label="effect size d (WEAT)"
    )
    axes[1].axvline(
        effect_size.MIN_EFFECT_SIZE, color="black", linewidth=0.9, linestyle=":", label="lower bound of d, 2/√3"
    )
    axes[1].set(title="WEAT", xlabel="effect size d", xlim=(1, 2.1))
    axes[2].scatter(steps["same"], places, marker="o", s=28, color="#54278f", zorder=3, label="SAME")
    axes[2].scatter(steps["same_skew"], places, marker="x", s=26, color="#666666", linewidths=1.2, zorder=4,
                    label="SAME skew")  # fmt: skip
    axes[2].scatter(steps["same_stereotype"], places, marker="s", s=28, facecolor="none", edgecolor="#b35806",
                    linewidths=1.2, zorder=4, label="SAME stereotype")  # fmt: skip
    axes[2].set(title="SAME", xlabel="value")
    axes[0].set_yticks(places, [step_label(row) for _, row in steps.iterrows()])
    axes[0].set_ylim(len(steps) - 0.5, -0.5)
    for axis in axes:
        axis.locator_params(axis="x", nbins=5)
    handles = [handle for axis in axes for handle in zip(*axis.get_legend_handles_labels(), strict=True)]
    figure.legend(*zip(*handles, strict=True), loc="outside lower center", ncols=4, frameon=False, fontsize=8)
    figure.suptitle(f"{title(steps)}: {model}")
    return figure


def draw_words(axis: plt.Axes, steps: pd.DataFrame) -> None:
    """Draw the associations of the four words of each step."""
    places = np.arange(len(steps))
    for columns, offset, marker, face, name in (
        (("s_x_1", "s_x_2"), -0.14, "^", "black", "words of X"),
        (("s_y_1", "s_y_2"), 0.14, "v", "white", "words of Y"),
    ):
        for i, column in enumerate(columns):
            axis.scatter(
                steps[column], places + offset + 0.1 * (i - 0.5), marker=marker, s=34, c=face, edgecolors="black",
                linewidths=0.9, zorder=3, label=name if i == 0 else None,
            )  # fmt: skip
    axis.axvline(0, color="black", linewidth=0.8)
    axis.set(title="the words", xlabel="s(w, A, B): closer to female  ←   → closer to male")


def step_label(row: pd.Series) -> str:
    """Name a step and its words."""
    return f"{row['step']}\nX: {row['x_1']}, {row['x_2']}\nY: {row['y_1']}, {row['y_2']}"


def title(steps: pd.DataFrame) -> str:
    """Say whether the effect size falls when single words are replaced by stronger ones."""
    d = steps.set_index("step")["effect_size"]
    falls = d[["one of Y replaced", "one of X replaced"]] < d["mild words"]
    return f"More stereotyped words {'lower' if falls.all() else 'do not lower'} the effect size"


if __name__ == "__main__":
    scripts.run(main, snakemake)
