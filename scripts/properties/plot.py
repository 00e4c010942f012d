"""Draw the table of verdicts, and for each property the counterexamples that lie in a plane."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from biassay.figures import curves, plots
from biassay.figures.formatting import metric_label
from biassay.studies.properties.verdicts import NOT_APPLICABLE, PROPERTIES, YES, read
from biassay.studies.properties.verdicts import table as read_table
from biassay.support import logs

SIGNS = {"yes": "✓", "conditional": "(✓)", "no": "✗"}
MEANINGS = {
    "yes": "no counterexample found",
    "conditional": "none if stereotypes are followed",
    "no": "counterexample found",
}
HEADS = {"skew": "sensitive to skew", "stereotype": "sensitive to stereotypes"}
LEVELS = {"word": "of single words", "set": "of sets of words"}
TITLES = {
    "comparable": "Not comparable: a greatest or least value that other words of the groups change",
    "trustworthy": "Not trustworthy: words that the metric misjudges",
    "skew": "Not sensitive to skew: “no bias”, although words lean to one group on average",
    "stereotype": "Not sensitive to stereotypes: “no bias”, although words lean to different groups",
}
COLUMNS = 4


def main(table: str, verdicts: dict[str, str], tables: list[str], counterexamples: dict[str, list[str]]) -> None:
    plots.save(draw_table(read_table(table)), *tables)
    found = [(metric, verdict) for metric, path in verdicts.items() for verdict in read(path)]
    for name, paths in counterexamples.items():
        plots.save(draw_counterexamples(chosen(found, name), TITLES[name]), *paths)


def chosen(verdicts: list[tuple[str, dict]], name: str) -> list[tuple[str, dict, dict]]:
    """Counterexamples to a property in a plane: of a metric's sets of words if it has some, else of single words."""
    examples = {}
    for metric, verdict in verdicts:
        flat = [example for example in verdict["examples"] if len(example["targets"][0]) == 2]
        if verdict["property"] == name and flat and (verdict["level"] == "set" or metric not in examples):
            examples[metric] = [(metric, verdict, example) for example in flat]
    return [example for of_metric in examples.values() for example in of_metric]


def draw_table(table: pd.DataFrame) -> plt.Figure:
    """A panel a number of groups and level, a cell a verdict; a printed verdict that differs stands beside it.

    Metrics to which nothing applies are left out; the others are ordered by how many properties they have.
    """
    applied = table[table["verdict"] != NOT_APPLICABLE]
    kept = (applied["verdict"] == YES).groupby(applied["metric"]).mean()
    metrics = sorted(applied["metric"].unique(), key=lambda name: -kept[name])
    panels = [
        (groups, level, [name for name in PROPERTIES if name in set(part["property"])])
        for (groups, level), part in sorted(
            applied.groupby(["n_groups", "level"], sort=False), key=lambda pair: pair[0][0]
        )
    ]
    wide = [len(properties) for *_, properties in panels] or [1]
    figure, axes = plt.subplots(
        1, len(wide), figsize=(1.6 + 0.78 * sum(wide), 2 + 0.3 * len(metrics)), squeeze=False, sharey=True,
        width_ratios=wide,
    )  # fmt: skip
    for axis, (groups, level, properties) in zip(axes[0], panels, strict=False):
        draw_cells(axis, curves.select_rows(applied, n_groups=groups, level=level), metrics, properties)
        axis.set_title(f"{groups} groups,\n{LEVELS[level]}", fontsize=9)
    axes[0, 0].set_yticks(range(len(metrics)), [metric_label(name) for name in metrics])
    axes[0, 0].set_ylim(max(len(metrics), 1) - 0.5, -0.5)
    shown = [Patch(facecolor=plots.VERDICTS[name], label=f"{SIGNS[name]} {said}") for name, said in MEANINGS.items()]
    figure.legend(handles=shown, loc="outside lower center", ncols=3, frameon=False)
    figure.suptitle("Which metrics have the properties of a good bias score?")
    return figure


def draw_cells(axis: plt.Axes, rows: pd.DataFrame, metrics: list[str], properties: list[str]) -> None:
    """Verdicts on some metrics and properties, each a coloured cell with its sign."""
    for cell in rows.itertuples():
        place = properties.index(cell.property), metrics.index(cell.metric)
        differs = cell.published in SIGNS and cell.published != cell.verdict
        axis.add_patch(
            plt.Rectangle(np.subtract(place, 0.5), 1, 1, facecolor=plots.VERDICTS[cell.verdict], edgecolor="white")
        )
        printed = f"\nprinted {SIGNS[cell.published]}" if differs else ""
        axis.text(*place, SIGNS[cell.verdict] + printed, ha="center", va="center", fontsize=6 if printed else 9)
    heads = [HEADS.get(name, name).replace(" to ", "\nto ") for name in properties]
    axis.set_xlim(-0.5, len(properties) - 0.5)
    axis.set_xticks(range(len(properties)), heads, fontsize=7.5, rotation=35, ha="right", rotation_mode="anchor")
    axis.tick_params(length=0)
    axis.grid(False)
    axis.spines[:].set_visible(False)


def draw_counterexamples(examples: list[tuple[str, dict, dict]], title: str) -> plt.Figure:
    """A panel an example: group words broad in two colours, targets thin in black, equal ones fanned out."""
    rows = max(1, -(-len(examples) // COLUMNS))
    figure, axes = plt.subplots(rows, COLUMNS, figsize=(2.2 * COLUMNS, 1 + 1.8 * rows), squeeze=False)
    for axis, (metric, verdict, example) in zip(axes.flat, examples, strict=False):
        for words, colour in zip(example["groups"], (plots.FIRST, plots.SECOND), strict=True):
            arrows(axis, np.array(words), colour, width=6, length=1, alpha=0.45)
        labels = example["labels"] or [0] * len(example["targets"])
        styles = [("-", (0, (3, 2)))[label] for label in labels]
        arrows(axis, np.array(example["targets"]), "black", width=1.1, length=0.8, styles=styles)
        axis.set_title(heading(metric, verdict, example), fontsize=10)
        axis.set(xlim=(-1.15, 1.15), ylim=(-1.15, 1.15), aspect="equal", xticks=[], yticks=[])
        axis.spines[:].set_visible(False)
    for axis in axes.flat[len(examples) :]:
        axis.set_visible(False)
    if not examples:
        figure.text(0.5, 0.5, "No counterexample in a plane was found.", ha="center", va="center", fontsize=10)
    figure.legend(handles=legend(examples), loc="outside lower center", ncols=4, frameon=False, fontsize=9)
    figure.suptitle(title)
    return figure


def heading(metric: str, verdict: dict, example: dict) -> str:
    """Metric, its level if that is single words, and the value; of what is not comparable, which end of the range."""
    one = ", single words" if verdict["level"] == "word" else ""
    end = next((f"{end} " for end in ("greatest", "least") if verdict["reason"].startswith(f"the {end} value")), "")
    value = f"{round(example['value'], 4) + 0:.3g}".replace("-", "−")
    return f"{metric_label(metric)}{one}\n{end}b = {value}"


def legend(examples: list[tuple[str, dict, dict]]) -> list[Line2D]:
    """What lines are; of the second target set only where there is one."""
    groups = [
        Line2D([], [], color=colour, linewidth=6, alpha=0.45, label=f"words of the {name} group")
        for name, colour in (("first", plots.FIRST), ("second", plots.SECOND))
    ]
    two = any(any(example["labels"]) for *_, example in examples)
    targets = [("-", "words judged" + (", set X" if two else "")), ((0, (3, 2)), "words judged, set Y")][: 1 + two]
    return groups + [Line2D([], [], color="black", linewidth=1.1, linestyle=style, label=name) for style, name in
                     targets]  # fmt: skip


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
        counterexamples={
            "comparable": snakemake.output.comparable,
            "trustworthy": snakemake.output.trustworthy,
            "skew": snakemake.output.skew,
            "stereotype": snakemake.output.stereotype,
        },
    )
