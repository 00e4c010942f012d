"""Tabulate the verdicts on all metrics with the published ones, write the findings, and plot the counterexamples."""

import json

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from biassay.core import csv_tables, scripts
from biassay.report import plots
from biassay.report.findings import write_findings
from biassay.report.formatting import metric_label
from biassay.studies.properties.findings import collect_findings
from biassay.studies.properties.verdicts import NOT_APPLICABLE, PROPERTIES, YES, read_verdicts

KEYS = ["metric", "level", "property"]
SIGNS = {"yes": "✓", "conditional": "(✓)", "no": "✗"}
MEANINGS = {
    "yes": "no counterexample found",
    "conditional": "none if labels follow the stereotypes",
    "no": "counterexample found",
}
HEADS = {"skew": "sensitive to skew", "stereotype": "sensitive to stereotypes"}
LEVELS = {"word": "word level", "set": "set level"}
TITLES = {
    "comparable": "Not comparable: the extremes depend on the groups' words",
    "trustworthy": "Not trustworthy: “no bias” for biased words, or bias for unbiased words",
    "skew": "Not sensitive to skew: “no bias” for words that are biased towards one group on average",
    "stereotype": "Not sensitive to stereotypes: “no bias” for words that are biased towards different groups",
}
COLUMNS = 4


def main(verdicts: dict[str, str], published: str, table: str, findings: str, out: dict[str, list[str]]) -> None:
    all_verdicts = [(metric, verdict) for metric, path in verdicts.items() for verdict in read_verdicts(path)]
    verdict_table = tabulate(all_verdicts, csv_tables.read(published, [*KEYS, "published"], {}, comment="#"))
    verdict_table.to_csv(table, index=False, float_format="%.3g")
    write_findings(collect_findings(verdict_table), findings)
    plots.save(draw_table(verdict_table), *out["properties"])
    for name in PROPERTIES:
        plots.save(draw_counterexamples(select_counterexamples(all_verdicts, name), TITLES[name]), *out[name])


def tabulate(verdicts: list[tuple[str, dict]], published: pd.DataFrame) -> pd.DataFrame:
    """Tabulate the verdicts on all metrics with the published ones, which are of two groups."""
    rows = [
        {"metric": metric, **verdict, "examples": json.dumps(verdict["examples"]) if verdict["examples"] else ""}
        for metric, verdict in verdicts
    ]
    table = pd.DataFrame(rows).rename(columns={"examples": "counterexamples"})
    table = table.merge(published.assign(n_groups=2), on=[*KEYS, "n_groups"], how="left")
    is_published = table["published"].notna()
    return table.assign(agrees=(table["verdict"] == table["published"]).where(is_published))


def select_counterexamples(verdicts: list[tuple[str, dict]], name: str) -> list[tuple[str, dict, dict]]:
    """Select the two-dimensional counterexamples to a property, of each metric's set level if there are any."""
    examples = {}
    for metric, verdict in verdicts:
        flat = [example for example in verdict["examples"] if len(example["targets"][0]) == 2]
        if verdict["property"] == name and flat and (verdict["level"] == "set" or metric not in examples):
            examples[metric] = [(metric, verdict, example) for example in flat]
    return [example for metric_examples in examples.values() for example in metric_examples]


def draw_table(table: pd.DataFrame) -> plt.Figure:
    """Draw the verdicts, one panel per number of groups and level; a cell also names a published verdict that differs.

    Metrics with more properties come first. Metrics to which the properties do not apply are left out.
    """
    applied = table[table["verdict"] != NOT_APPLICABLE]
    shares = (applied["verdict"] == YES).groupby(applied["metric"]).mean()
    metrics = sorted(applied["metric"].unique(), key=lambda name: -shares[name])
    panels = [
        (n_groups, level, [name for name in PROPERTIES if name in set(part["property"])])
        for (n_groups, level), part in sorted(
            applied.groupby(["n_groups", "level"], sort=False), key=lambda pair: pair[0][0]
        )
    ]
    wide = [len(properties) for *_, properties in panels] or [1]
    figure, axes = plt.subplots(
        1, len(wide), figsize=(plots.WIDTH, 2 + 0.3 * len(metrics)), squeeze=False, sharey=True,
        width_ratios=wide,
    )  # fmt: skip
    for axis, (n_groups, level, properties) in zip(axes[0], panels, strict=False):
        draw_cells(axis, applied.query("n_groups == @n_groups and level == @level"), metrics, properties)
        axis.set_title(f"{n_groups} groups,\n{LEVELS[level]}")
    axes[0, 0].set_yticks(range(len(metrics)), [metric_label(name) for name in metrics])
    axes[0, 0].set_ylim(max(len(metrics), 1) - 0.5, -0.5)
    handles = [
        Patch(facecolor=plots.VERDICTS[name], label=f"{SIGNS[name]} {meaning}") for name, meaning in MEANINGS.items()
    ]
    handles.append(Patch(color="none", label="≠ the published verdict differs"))
    plots.add_legend(figure, handles)
    figure.suptitle("Which metrics have the properties of a good bias score?")
    return figure


def draw_cells(axis: plt.Axes, rows: pd.DataFrame, metrics: list[str], properties: list[str]) -> None:
    """Draw verdicts as coloured cells with signs."""
    for cell in rows.itertuples():
        place = properties.index(cell.property), metrics.index(cell.metric)
        is_different = cell.published in SIGNS and cell.published != cell.verdict
        axis.add_patch(
            plt.Rectangle(np.subtract(place, 0.5), 1, 1, facecolor=plots.VERDICTS[cell.verdict], edgecolor="white")
        )
        axis.text(*place, SIGNS[cell.verdict] + " ≠" * is_different, ha="center", va="center")
    heads = [HEADS.get(name, name).replace(" to ", "\nto ") for name in properties]
    axis.set_xlim(-0.5, len(properties) - 0.5)
    axis.set_xticks(range(len(properties)), heads, fontsize=7.5, rotation=35, ha="right", rotation_mode="anchor")
    axis.tick_params(length=0)
    axis.grid(False)
    axis.spines[:].set_visible(False)


def draw_counterexamples(examples: list[tuple[str, dict, dict]], title: str) -> plt.Figure:
    """Draw one panel per example: group words as broad coloured lines, targets as thin black lines."""
    rows = max(1, -(-len(examples) // COLUMNS))
    figure, axes = plt.subplots(rows, COLUMNS, figsize=(plots.WIDTH, 1 + 1.8 * rows), squeeze=False)
    for axis, (metric, verdict, example) in zip(axes.flat, examples, strict=False):
        for words, colour in zip(example["groups"], (plots.FIRST, plots.SECOND), strict=True):
            draw_arrows(axis, np.array(words), colour, width=6, length=1, alpha=0.45)
        labels = example["labels"] or [0] * len(example["targets"])
        styles = [("-", (0, (3, 2)))[label] for label in labels]
        draw_arrows(axis, np.array(example["targets"]), "black", width=1.1, length=0.8, styles=styles)
        axis.set_title(make_heading(metric, verdict, example))
        axis.set(xlim=(-1.15, 1.15), ylim=(-1.15, 1.15), aspect="equal", xticks=[], yticks=[])
        axis.spines[:].set_visible(False)
    for axis in axes.flat[len(examples) :]:
        axis.set_visible(False)
    if not examples:
        figure.text(0.5, 0.5, "No two-dimensional counterexample was found.", ha="center", va="center", fontsize=10)
    plots.add_legend(figure, legend(examples))
    figure.suptitle(title)
    return figure


def make_heading(metric: str, verdict: dict, example: dict) -> str:
    """Make a title of the metric, its level if it is the word level, and the value, marked if it is an extreme."""
    level = ", word level" if verdict["level"] == "word" else ""
    end = next((f"{end} " for end in ("largest", "smallest") if verdict["reason"].startswith(f"the {end} value")), "")
    value = f"{round(example['value'], 4) + 0:.3g}".replace("-", "−")
    return f"{metric_label(metric)}{level}\n{end}b = {value}"


def legend(examples: list[tuple[str, dict, dict]]) -> list[Line2D]:
    """Return the legend; it includes the second target set if an example has one."""
    groups = [
        Line2D([], [], color=colour, linewidth=6, alpha=0.45, label=f"words of the {name} group")
        for name, colour in (("first", plots.FIRST), ("second", plots.SECOND))
    ]
    has_two = any(any(example["labels"]) for *_, example in examples)
    targets = [("-", "targets" + (", set X" if has_two else "")), ((0, (3, 2)), "targets, set Y")][: 1 + has_two]
    return groups + [Line2D([], [], color="black", linewidth=1.1, linestyle=style, label=name) for style, name in
                     targets]  # fmt: skip


def draw_arrows(
    axis: plt.Axes, vectors: np.ndarray, colour: str, *, width: float, length: float, alpha: float = 1, styles=None
) -> None:
    """Draw the directions of vectors from the origin; equal directions are fanned out by a few degrees."""
    angles = np.arctan2(vectors[:, 1], vectors[:, 0])
    for i, angle in enumerate(angles):
        drawn_angle = angle + np.radians(5) * (np.cos(angles[:i] - angle) > np.cos(1e-3)).sum()
        end = length * np.array([np.cos(drawn_angle), np.sin(drawn_angle)])
        style = styles[i] if styles else "-"
        axis.plot(*zip((0, 0), end, strict=True), color=colour, linewidth=width, linestyle=style, alpha=alpha)
        axis.scatter(*end, color=colour, s=12, alpha=alpha)


if __name__ == "__main__":
    scripts.run(main, snakemake)
