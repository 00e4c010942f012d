"""Draw the table of verdicts, and the counterexamples that lie in a plane."""

import json
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from biassay.figures import plots
from biassay.support import logs

PROPERTIES = ["comparable", "trustworthy", "skew", "stereotype"]
SIGNS = {
    "yes": ("✓", "#cfe8cf"),
    "no": ("✗", "#f4c7c3"),
    "conditional": ("(✓)", "#fdf0c4"),
    "not applicable": ("–", "white"),
}
COLUMNS = 6


def main(table: str, verdicts: dict[str, str], tables: list[str], counterexamples: list[str]) -> None:
    plots.save(draw_table(pd.read_csv(table)), *tables)
    examples = []
    for metric, path in verdicts.items():
        for verdict in json.loads(Path(path).read_text("utf-8")):
            examples += [(metric, verdict, e) for e in verdict["examples"] if len(e["targets"][0]) == 2]
    plots.save(draw_counterexamples(examples), *counterexamples)


def draw_table(table: pd.DataFrame) -> plt.Figure:
    """A cell a verdict, coloured; a printed verdict that differs stands beside it."""
    keys = list(table[["metric", "level", "groups"]].drop_duplicates().itertuples(index=False, name=None))
    figure, axis = plt.subplots(figsize=(6.5, 0.6 + 0.26 * len(keys)))
    cells = table.set_index(["metric", "level", "groups", "property"])
    for row, key in enumerate(keys):
        for column, name in enumerate(PROPERTIES):
            if (*key, name) not in cells.index:
                continue
            cell = cells.loc[(*key, name)]
            sign, colour = SIGNS[cell["verdict"]]
            differs = cell["published"] in SIGNS and cell["published"] != cell["verdict"]
            printed = f"  (printed {SIGNS[cell['published']][0]})" if differs else ""
            axis.add_patch(plt.Rectangle((column - 0.5, row - 0.5), 1, 1, facecolor=colour, edgecolor="white"))
            axis.text(column, row, sign + printed, ha="center", va="center", fontsize=8)
    axis.set_xlim(-0.5, len(PROPERTIES) - 0.5)
    axis.set_ylim(len(keys) - 0.5, -0.5)
    axis.set_xticks(range(len(PROPERTIES)), PROPERTIES)
    axis.xaxis.tick_top()
    axis.set_yticks(range(len(keys)), [f"{metric}, {level}, {groups} groups" for metric, level, groups in keys])
    axis.tick_params(length=0)
    axis.grid(False)
    axis.spines[:].set_visible(False)
    return figure


def draw_counterexamples(examples: list[tuple[str, dict, dict]]) -> plt.Figure:
    """A panel an example: attribute words broad in two colours, targets thin in black, equal ones fanned out."""
    rows = max(1, -(-len(examples) // COLUMNS))
    figure, axes = plt.subplots(rows, COLUMNS, figsize=(2.1 * COLUMNS, 2.6 * rows), squeeze=False)
    for axis, (metric, verdict, example) in zip(axes.flat, examples, strict=False):
        for words, colour in zip(example["attributes"], (plots.FIRST, plots.SECOND), strict=True):
            arrows(axis, np.array(words), colour, width=6, length=1, alpha=0.45)
        labels = example["labels"] or [0] * len(example["targets"])
        styles = [("-", (0, (3, 2)))[label] for label in labels]
        arrows(axis, np.array(example["targets"]), "black", width=1.1, length=0.8, styles=styles)
        value = f"{round(example['value'], 4) + 0:.3g}"
        axis.set_title(f"{metric}, {verdict['level']}\nnot {verdict['property']}: b = {value}", fontsize=8)
        axis.set(xlim=(-1.15, 1.15), ylim=(-1.15, 1.15), aspect="equal", xticks=[], yticks=[])
        axis.spines[:].set_visible(False)
    for axis in axes.flat[len(examples) :]:
        axis.set_visible(False)
    return figure


def arrows(
    axis: plt.Axes, vectors: np.ndarray, colour: str, *, width: float, length: float, alpha: float = 1, styles=None
) -> None:
    """Directions of vectors from the origin; one that was drawn before is turned by a few degrees."""
    angles = np.arctan2(vectors[:, 1], vectors[:, 0])
    for i, angle in enumerate(angles):
        shown = angle + np.radians(5) * (np.cos(angles[:i] - angle) > np.cos(1e-3)).sum()
        end = length * np.array([np.cos(shown), np.sin(shown)])
        style = styles[i] if styles else "-"
        axis.plot(*zip((0, 0), end, strict=True), color=colour, linewidth=width, linestyle=style, alpha=alpha)
        axis.scatter(*end, color=colour, s=12, alpha=alpha)


if __name__ == "__main__":
    logs.start(snakemake.log[0])
    main(
        table=snakemake.input.table,
        verdicts=dict(zip(snakemake.params.metrics, snakemake.input.verdicts, strict=True)),
        tables=snakemake.output.table,
        counterexamples=snakemake.output.counterexamples,
    )
