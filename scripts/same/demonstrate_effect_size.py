"""Show that the effect size is no amount of bias: a table and a figure, after F2 of the study of planted bias."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from biassay.figures import plots
from biassay.studies.same import effect_size
from biassay.support import logs


def main(table: str, figure: list[str]) -> None:
    steps = effect_size.demonstrate()
    steps.to_csv(table, index=False, float_format="%.6g")
    plots.save(draw(steps), *figure)


def draw(steps: pd.DataFrame) -> plt.Figure:
    """Left the associations of the words, right what the metrics say of them, a row a step."""
    figure, axes = plt.subplots(1, 3, figsize=(8.8, 3.6), sharey=True, width_ratios=(2, 1.3, 1.3))
    places = np.arange(len(steps))
    for columns, offset, marker, face, name in (
        (("x_1", "x_2"), -0.14, "^", "black", "words of X"),
        (("y_1", "y_2"), 0.14, "v", "white", "words of Y"),
    ):
        for i, column in enumerate(columns):
            axes[0].scatter(
                steps[column], places + offset + 0.1 * (i - 0.5), marker=marker, s=34, c=face, edgecolors="black",
                linewidths=0.9, zorder=3, label=name if i == 0 else None,
            )  # fmt: skip
    axes[0].axvline(0, color="black", linewidth=0.8)
    axes[0].set(title="the words", xlabel="s(w, A, B): nearer B  ←   → nearer A", xlim=(-1, 1))
    axes[1].scatter(
        steps["effect_size"], places, marker="D", s=26, color="black", zorder=3, label="effect size d (WEAT)"
    )
    axes[1].axvline(effect_size.LEAST, color="black", linewidth=0.9, linestyle=":", label="least possible d, 2/√3")
    axes[1].set(title="WEAT", xlabel="effect size d", xlim=(1, 2.1))
    axes[2].scatter(steps["same"], places, marker="o", s=28, color="#54278f", zorder=3, label="SAME")
    axes[2].scatter(steps["same_stereotype"], places, marker="s", s=28, facecolor="none", edgecolor="#b35806",
                    linewidths=1.2, zorder=4, label="SAME stereotype")  # fmt: skip
    axes[2].set(title="SAME", xlabel="value", xlim=(0, 0.5))
    axes[0].set_yticks(places, steps["step"])
    axes[0].set_ylim(len(steps) - 0.5, -0.5)
    handles = [handle for axis in axes for handle in zip(*axis.get_legend_handles_labels(), strict=True)]
    figure.legend(*zip(*handles, strict=True), loc="outside lower center", ncols=3, frameon=False, fontsize=8)
    figure.suptitle("The effect size can fall when more stereotyped words replace milder ones")
    return figure


if __name__ == "__main__":
    logs.start(snakemake.log[0])
    main(
        table=snakemake.output.table,
        figure=snakemake.output.figure,
    )
