"""Draw F1 and F2: how scores of classes and pairs correlate with bias downstream in each model, and of all models."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from biassay.figures import plots
from biassay.figures.formatting import metric_label
from biassay.figures.sizes import fitting
from biassay.studies.downstream import tables
from biassay.studies.downstream.agreement import ALL, LEVEL
from biassay.support import logs

VERSIONS = {"scrubbed": plots.FIRST, "raw": plots.SECOND, "": plots.FIRST}
MARKERS = "osD^v<>pP*Xh"


def main(by_class: str, by_pair: str, cases: str, classes_out: list[str], sets_out: list[str]) -> None:
    classes, pairs, found = (
        tables.read(path, tables.RESULTS[name].split())
        for path, name in ((by_class, "by_class"), (by_pair, "by_pair"), (cases, "cases"))
    )
    chosen = classes[(classes["k"] == 0) & (classes["classes"] == ALL)].assign(kind=lambda table: table["version"])
    pairs = pairs[~pairs["signed"].astype(bool)].assign(kind="")
    plots.save(draw_spreads(chosen, pairs), *classes_out)
    plots.save(draw_sets(found), *sets_out)


def draw_spreads(classes: pd.DataFrame, pairs: pd.DataFrame) -> plt.Figure:
    """F1: a panel a set of texts, r over classes, and a panel a set and attribute of pairs, r over pairs."""
    parts = [(f"{name}, {attribute}: classes", of) for (name, attribute), of in
             classes.groupby(["set", "attribute"], sort=False)]  # fmt: skip
    parts += [(f"{name}, {attribute}: pairs", of) for (name, attribute), of in
              pairs.groupby(["set", "attribute"], sort=False)]  # fmt: skip
    figure, axes = panels(len(parts), 2.9, 3.0)
    for axis, (title, of) in zip(axes, parts, strict=False):
        strip(axis, of)
        axis.set(title=title, ylim=(-1.05, 1.05))
    axes[0].set_ylabel("Pearson's r of a model")
    key(axes[0], {kind for _, of in parts for kind in of["kind"]})
    figure.legend(loc="outside lower center", ncols=5, frameon=False)
    figure.suptitle("Scores and bias downstream within each model: r over classes or pairs (Figure 1)")
    return figure


def key(axis: plt.Axes, kinds: set[str]) -> None:
    """What colours, full points and bars say, drawn nowhere."""
    said = f"p < {f'{LEVEL:.2f}'.removeprefix('0')}, not corrected"
    for label, face in ((f"a model, {said}", "#555555"), ("a model, p above that", "none")):
        axis.scatter([], [], s=16, facecolor=face, edgecolor="#555555", linewidth=0.8, label=label)
    axis.plot([], [], color="#555555", linewidth=2.5, label="median")
    for kind, colour in VERSIONS.items():
        if kind in kinds and kind:
            axis.plot([], [], "s", color=colour, label=f"{kind} texts" + (" or pairs" if kind == "scrubbed" else ""))


def panels(n: int, width: float, height: float) -> tuple[plt.Figure, list[plt.Axes]]:
    """A figure of at least one panel, at most four in a row; those not used are empty."""
    columns = max(1, min(4, n))
    rows = max(1, -(-n // columns))
    size = fitting(0.6 + width * columns, 1 + height * rows)
    figure, axes = plt.subplots(rows, columns, squeeze=False, sharey=True, figsize=size)
    for axis in list(axes.flat)[n:]:
        axis.set_axis_off()
    return figure, list(axes.flat)


def strip(axis: plt.Axes, table: pd.DataFrame) -> None:
    """r of each model beside each other, by metric and kind of texts."""
    metrics, kinds = list(dict.fromkeys(table["metric"])), list(dict.fromkeys(table["kind"]))
    for place, metric in enumerate(metrics):
        for number, kind in enumerate(kinds):
            of = table[(table["metric"] == metric) & (table["kind"] == kind)].dropna(subset="r")
            middle = place + 0.36 * (number - (len(kinds) - 1) / 2)
            x = middle + np.linspace(-0.11, 0.11, len(of)) if len(of) > 1 else np.full(len(of), middle)
            sure = (of["p"] < LEVEL).to_numpy()
            for chosen, face in ((sure, VERSIONS[kind]), (~sure, "none")):
                axis.scatter(x[chosen], of["r"][chosen], s=16, facecolor=face, edgecolor=VERSIONS[kind], linewidth=0.8)
            if len(of):
                axis.plot([middle - 0.14, middle + 0.14], [of["r"].median()] * 2, color=VERSIONS[kind], linewidth=2)
    axis.axhline(0, color="black", linewidth=0.6)
    axis.set_xticks(range(len(metrics)), [metric_label(name) for name in metrics], rotation=30, ha="right")
    axis.set_xlim(-0.6, len(metrics) - 0.4)


def draw_sets(cases: pd.DataFrame) -> plt.Figure:
    """F2: scores of all texts or pairs beside the bias downstream, a panel a set, attribute and metric."""
    chosen = cases[(cases["terms"] == "raw") & cases["version"].isin(["scrubbed", ""])]
    groups = list(chosen.groupby(["set", "attribute"], sort=False))
    metrics = list(dict.fromkeys(chosen["metric"]))
    shape = max(1, len(groups)), max(1, len(metrics))
    figure, axes = plt.subplots(*shape, squeeze=False, figsize=fitting(2.5 * shape[1], 0.9 + 1.75 * shape[0]))
    for row, ((name, attribute), of) in zip(axes, groups, strict=False):
        for axis, metric in zip(row, metrics, strict=True):
            points = of[of["metric"] == metric].dropna(subset=["value", "bias"])
            for place, (k, part) in enumerate(points.groupby("k")):
                marker = MARKERS[place % len(MARKERS)]
                axis.scatter(part["value"], part["bias"], s=18, marker=marker, alpha=0.8, label=f"k = {k}",
                             color=plots.series(place))  # fmt: skip
            axis.set_title(f"{name}, {attribute}" if metric == metrics[0] else "", loc="left")
            axis.set_xlabel(f"|{metric_label(metric)}|")
            if not len(points):
                axis.text(0.5, 0.5, "no value", ha="center", va="center", transform=axis.transAxes, color="#777777")
        row[0].set_ylabel("bias downstream")
    handles = {
        label: handle for axis in axes.flat for handle, label in zip(*axis.get_legend_handles_labels(), strict=True)
    }
    if len(handles) > 1:
        figure.legend(handles.values(), handles.keys(), loc="outside lower center", ncols=len(handles), frameon=False,
                      title="components taken out of the vectors")  # fmt: skip
    figure.suptitle("Scores of all texts or pairs, and bias downstream: a point a classifier or model (Figure 2)")
    return figure


if __name__ == "__main__":
    logs.start(snakemake.log[0])
    main(
        by_class=snakemake.input.by_class,
        by_pair=snakemake.input.by_pair,
        cases=snakemake.input.cases,
        classes_out=snakemake.output.classes,
        sets_out=snakemake.output.sets,
    )
