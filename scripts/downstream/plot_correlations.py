"""Draw correlations of scores with downstream bias within each model (Figure 1) and over all models (Figure 2)."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from biassay.core import scripts
from biassay.report import plots
from biassay.report.formatting import metric_label
from biassay.report.sizes import fit_size
from biassay.studies.downstream import tables
from biassay.studies.downstream.agreement import ALL, LEVEL

VERSIONS = {"scrubbed": plots.FIRST, "raw": plots.SECOND, "": plots.FIRST}
MARKERS = "osD^v<>pP*Xh"


def main(by_class: str, by_pair: str, cases: str, classes_out: list[str], sets_out: list[str]) -> None:
    classes, pairs, set_cases = (
        tables.read_table(path, tables.RESULTS[name].split())
        for path, name in ((by_class, "by_class"), (by_pair, "by_pair"), (cases, "cases"))
    )
    chosen = classes[(classes["n_directions"] == 0) & (classes["classes"] == ALL)].assign(
        kind=lambda table: table["version"]
    )
    pairs = pairs[~pairs["signed"].astype(bool)].assign(kind="")
    plots.save(draw_spreads(chosen, pairs), *classes_out)
    plots.save(draw_sets(set_cases), *sets_out)


def draw_spreads(classes: pd.DataFrame, pairs: pd.DataFrame) -> plt.Figure:
    """Draw one panel per set of texts with r over classes, and one per set and attribute of pairs with r over pairs."""
    parts = [(f"{name}, {attribute}: classes", part) for (name, attribute), part in
             classes.groupby(["set", "attribute"], sort=False)]  # fmt: skip
    parts += [(f"{name}, {attribute}: pairs", part) for (name, attribute), part in
              pairs.groupby(["set", "attribute"], sort=False)]  # fmt: skip
    figure, axes = make_panels(len(parts), 2.9, 3.0)
    for axis, (title, part) in zip(axes, parts, strict=False):
        draw_strips(axis, part)
        axis.set(title=title, ylim=(-1.05, 1.05))
    axes[0].set_ylabel("Pearson's r of a model")
    draw_legend(axes[0], {kind for _, part in parts for kind in part["kind"]})
    figure.legend(loc="outside lower center", ncols=5, frameon=False)
    figure.suptitle("Agreement of scores with downstream bias within each model: r over classes or pairs (Figure 1)")
    return figure


def draw_legend(axis: plt.Axes, kinds: set[str]) -> None:
    """Add legend entries for colours, points and bars."""
    for label, face in ((f"model with p < {LEVEL}, not corrected", "#555555"), ("other model", "none")):
        axis.scatter([], [], s=16, facecolor=face, edgecolor="#555555", linewidth=0.8, label=label)
    axis.plot([], [], color="#555555", linewidth=2.5, label="median")
    for kind, colour in VERSIONS.items():
        if kind in kinds and kind:
            axis.plot([], [], "s", color=colour, label=f"{kind} texts" + (" or pairs" if kind == "scrubbed" else ""))


def make_panels(n: int, width: float, height: float) -> tuple[plt.Figure, list[plt.Axes]]:
    """Make a figure of n panels, at least one and at most four per row; unused panels are empty."""
    columns = max(1, min(4, n))
    rows = max(1, -(-n // columns))
    size = fit_size(0.6 + width * columns, 1 + height * rows)
    figure, axes = plt.subplots(rows, columns, squeeze=False, sharey=True, figsize=size)
    for axis in list(axes.flat)[n:]:
        axis.set_axis_off()
    return figure, list(axes.flat)


def draw_strips(axis: plt.Axes, table: pd.DataFrame) -> None:
    """Draw r of each model, by metric and kind of texts."""
    metrics, kinds = list(dict.fromkeys(table["metric"])), list(dict.fromkeys(table["kind"]))
    for place, metric in enumerate(metrics):
        for number, kind in enumerate(kinds):
            rows = table[(table["metric"] == metric) & (table["kind"] == kind)].dropna(subset="r")
            middle = place + 0.36 * (number - (len(kinds) - 1) / 2)
            x = middle + np.linspace(-0.11, 0.11, len(rows)) if len(rows) > 1 else np.full(len(rows), middle)
            significant = (rows["p"] < LEVEL).to_numpy()
            for chosen, face in ((significant, VERSIONS[kind]), (~significant, "none")):
                colours = {"facecolor": face, "edgecolor": VERSIONS[kind]}
                axis.scatter(x[chosen], rows["r"][chosen], s=16, linewidth=0.8, **colours)
            if len(rows):
                axis.plot([middle - 0.14, middle + 0.14], [rows["r"].median()] * 2, color=VERSIONS[kind], linewidth=2)
    axis.axhline(0, color="black", linewidth=0.6)
    axis.set_xticks(range(len(metrics)), [metric_label(name) for name in metrics], rotation=30, ha="right")
    axis.set_xlim(-0.6, len(metrics) - 0.4)


def draw_sets(cases: pd.DataFrame) -> plt.Figure:
    """Draw set-level scores and downstream bias, one panel per set, attribute and metric."""
    chosen = cases[(cases["group_words"] == "raw") & cases["version"].isin(["scrubbed", ""])]
    groups = list(chosen.groupby(["set", "attribute"], sort=False))
    metrics = list(dict.fromkeys(chosen["metric"]))
    shape = max(1, len(groups)), max(1, len(metrics))
    figure, axes = plt.subplots(*shape, squeeze=False, figsize=fit_size(2.5 * shape[1], 0.9 + 1.75 * shape[0]))
    for row, ((name, attribute), part) in zip(axes, groups, strict=False):
        for axis, metric in zip(row, metrics, strict=True):
            points = part[part["metric"] == metric].dropna(subset=["value", "bias"])
            for place, (n_directions, variant) in enumerate(points.groupby("n_directions")):
                marker = MARKERS[place % len(MARKERS)]
                axis.scatter(variant["value"], variant["bias"], s=18, marker=marker, alpha=0.8, label=str(n_directions),
                             color=plots.series(place))  # fmt: skip
            axis.set_title(f"{name}, {attribute}" if metric == metrics[0] else "", loc="left")
            axis.set_xlabel(f"|{metric_label(metric)}|")
            if not len(points):
                axis.text(0.5, 0.5, "no value", ha="center", va="center", transform=axis.transAxes, color="#777777")
        row[0].set_ylabel("downstream bias")
    handles = {
        label: handle for axis in axes.flat for handle, label in zip(*axis.get_legend_handles_labels(), strict=True)
    }
    if len(handles) > 1:
        figure.legend(handles.values(), handles.keys(), loc="outside lower center", ncols=len(handles), frameon=False,
                      title="bias directions removed from the vectors")  # fmt: skip
    figure.suptitle("Scores of all texts or pairs, and downstream bias: one point per classifier or model (Figure 2)")
    return figure


if __name__ == "__main__":
    scripts.run(main, snakemake)
