"""Write the study's verdicts and draw its figures: correlations within models (Figure 1) and over models (Figure 2),
rankings of models (Table 3), and robustness to fewer texts (Figure 3)."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from biassay.core import scripts
from biassay.report import plots
from biassay.report.findings import write_findings
from biassay.report.formatting import format_count, metric_label
from biassay.studies.downstream import findings, tables
from biassay.studies.downstream.correlations import ALL, LEVEL

VERSIONS = {"scrubbed": plots.FIRST, "raw": plots.SECOND, "": plots.FIRST}
GROUND_TRUTHS = {"downstream": "downstream bias", "planted": "planted strength"}
BOUND = {"color": "#b2182b", "linewidth": 1.4, "zorder": 2}
CHANCE = {"color": "#dddddd", "linewidth": 9, "solid_capstyle": "butt", "zorder": 1}
INTERVAL = {"color": plots.FIRST, "linewidth": 1.4, "zorder": 2}


def main(results: dict[str, str], out: dict[str, list[str]]) -> None:
    by_name = {name: tables.read(path) for name, path in results.items()}
    write_findings(findings.describe_results(by_name), out["findings"])
    figures = {
        "classes": draw_spreads(by_name["by_class"], by_name["by_pair"]),
        "sets": draw_sets(findings.select_shown(by_name["cases"])),
        "ranking": draw_ranking(findings.select_shown(by_name["ranking"])),
        "robustness": draw_robustness(by_name["robustness"], by_name["titles"]),
    }
    for name, figure in figures.items():
        plots.save(figure, *out[name])


def draw_spreads(classes: pd.DataFrame, pairs: pd.DataFrame) -> plt.Figure:
    """Draw one panel per set of texts with r over classes, and one per set and attribute of pairs with r over pairs."""
    classes = classes[(classes["n_directions"] == 0) & (classes["classes"] == ALL)].assign(units="classes")
    pairs = pairs[~pairs["signed"].astype(bool)].assign(units="pairs", version="")
    both = pd.concat([part for part in (classes, pairs) if len(part)] or [classes])
    parts = list(both.groupby(["units", "set", "attribute"], sort=False))
    figure, axes = plots.make_panels(len(parts), 2, 2.6, 1.1, sharey=True)
    for axis, ((units, name, attribute), part) in zip(axes.flat, parts, strict=False):
        draw_strips(axis, part)
        axis.set(title=f"{name}, {attribute}: {units}", ylim=(-1.05, 1.05))
    start = axes[0, 0]
    start.set_ylabel("Pearson's r of a model")
    for label, face in ((f"model with p < {LEVEL}, not corrected", "#555555"), ("other model", "none")):
        start.scatter([], [], s=16, facecolor=face, edgecolor="#555555", linewidth=0.8, label=label)
    start.plot([], [], color="#555555", linewidth=2.5, label="median")
    for version in [version for version in VERSIONS if version and version in set(both["version"])]:
        label = f"{version} texts" + (" or pairs" if version == "scrubbed" else "")
        start.plot([], [], "s", color=VERSIONS[version], label=label)
    plots.add_legend(figure)
    figure.suptitle("Agreement of scores with downstream bias within each model: r over classes or pairs (Figure 1)")
    return figure


def draw_strips(axis: plt.Axes, table: pd.DataFrame) -> None:
    """Draw r of each model, by metric and version of the texts."""
    metrics, versions = list(table["metric"].unique()), list(table["version"].unique())
    for (metric, version), rows in table.dropna(subset="r").groupby(["metric", "version"], sort=False):
        middle = metrics.index(metric) + 0.36 * (versions.index(version) - (len(versions) - 1) / 2)
        x = middle + (np.linspace(-0.11, 0.11, len(rows)) if len(rows) > 1 else np.zeros(1))
        is_significant, colour = (rows["p"] < LEVEL).to_numpy(), VERSIONS[version]
        for chosen, face in ((is_significant, colour), (~is_significant, "none")):
            axis.scatter(x[chosen], rows["r"][chosen], s=16, linewidth=0.8, facecolor=face, edgecolor=colour)
        axis.plot([middle - 0.14, middle + 0.14], [rows["r"].median()] * 2, color=colour, linewidth=2)
    axis.axhline(0, color="black", linewidth=0.6)
    axis.set_xticks(range(len(metrics)), map(metric_label, metrics), rotation=30, ha="right")
    axis.set_xlim(-0.6, len(metrics) - 0.4)


def draw_sets(cases: pd.DataFrame) -> plt.Figure:
    """Draw set-level scores and downstream bias, one panel per set, attribute and metric."""
    groups, metrics = list(cases.groupby(["set", "attribute"], sort=False)), cases["metric"].unique()
    shape = max(1, len(metrics)), max(1, len(groups))
    figure, axes = plt.subplots(*shape, squeeze=False, figsize=(plots.WIDTH, 0.9 + 1.4 * shape[0]))
    for column, ((name, attribute), part) in zip(axes.T, groups, strict=False):
        for axis, metric in zip(column, metrics, strict=True):
            points = part[part["metric"] == metric].dropna(subset=["value", "bias"])
            axis.scatter(points["value"], points["bias"], s=18, alpha=0.8, color=plots.FIRST)
            axis.set_xlabel(f"|b − b₀|, {metric_label(metric)}")
            axis.locator_params(axis="x", nbins=4)
            if not len(points):
                axis.text(0.5, 0.5, "no value", ha="center", va="center", transform=axis.transAxes, color="#777777")
        column[0].set_title(f"{name}, {attribute}", loc="left")
    figure.supylabel("downstream bias")
    figure.suptitle("Scores of all texts or pairs, and downstream bias: one point per model (Figure 2)")
    return figure


def draw_ranking(table: pd.DataFrame) -> plt.Figure:
    """Draw accuracy, interval, middle 95 % of chance, and upper bound: one panel per ground truth and data set."""
    groups = list(table.groupby(["ground_truth", "set", "attribute"], sort=False))
    max_scores = max((len(part) for _, part in groups), default=1)
    figure, axes = plots.make_panels(len(groups), 2, 0.8 + 0.25 * max_scores, 1.1, sharex=True)
    for axis, ((ground_truth, name, attribute), part) in zip(axes.flat, groups, strict=False):
        for place, row in enumerate(part.itertuples()):
            if np.isnan(row.ranking_accuracy):
                axis.text(0.5, place, "not ranked", ha="center", va="center", color="#777777", fontsize=8)
                continue
            axis.plot([row.chance_low, row.chance_high], [place, place], **CHANCE)
            axis.plot([row.low, row.high], [place, place], **INTERVAL)
            axis.scatter(row.ranking_accuracy, place, color=plots.FIRST, s=26, zorder=3)
            axis.plot([row.upper_bound] * 2, [place - 0.3, place + 0.3], **BOUND)
        axis.axvline(0.5, color="black", linewidth=0.6)
        axis.set_yticks(range(len(part)), part["score"].map(metric_label))
        axis.set(xlim=(-0.04, 1.04), ylim=(len(part) - 0.4, -0.6))
        title = f"{name}, {attribute}\n{GROUND_TRUTHS[ground_truth]}, {format_count(part['n_pairs'].max(), 'pair')}"
        axis.set_title(title, loc="left", fontsize=8.5)
    for axis in axes.flat[max(0, len(groups) - 2) : max(1, len(groups))]:
        axis.tick_params(labelbottom=True)
        axis.set_xlabel("pairwise ranking accuracy")
    axes[0, 0].plot([], [], "o-", **INTERVAL, label="score, with 95 % interval over models")
    axes[0, 0].plot([], [], **CHANCE, label="middle 95 % of chance")
    axes[0, 0].plot([], [], **BOUND, label="upper bound by the reliability of the bias")
    plots.add_legend(figure)
    figure.suptitle("How often does a score rank two models by their bias?")
    return figure


def draw_robustness(table: pd.DataFrame, titles: pd.DataFrame) -> plt.Figure:
    """Draw mean deviations of scores with a range, one column per set: subsets by their number of texts above, titles
    alone below."""
    sets = list(table.groupby(["set", "attribute"], sort=False)) or [(("", ""), table)]
    figure, axes = plt.subplots(2, len(sets), squeeze=False, figsize=(plots.WIDTH, 6), height_ratios=(2, 1))
    metrics = list(table["metric"].unique())
    for upper, lower, ((name, attribute), part) in zip(*axes, sets, strict=True):
        for (metric, regrouped), line in part.dropna(subset="mean").groupby(["metric", "regrouped"], sort=False):
            look = plots.line_look(metrics.index(metric)) | {"linestyle": "--" if regrouped else "-"}
            upper.errorbar(line["n_texts"], line["mean"], line["std"], **look, capsize=2, markersize=4,
                           label=metric_label(metric) + (", regrouped" if regrouped else ""))  # fmt: skip
        upper.set(xscale="log", ylim=(0, None), title=f"{name}, {attribute}" if name else "", xlabel="texts",
                  ylabel="|b − b of all texts| / width of the range")  # fmt: skip
        ticks = sorted(part["n_texts"].unique())
        upper.set_xticks(ticks, [f"{n:.0f}" for n in ticks])
        upper.minorticks_off()
        if upper.containers:
            upper.legend(frameon=False, fontsize=8)
        chosen = titles[(titles["set"] == name) & (titles["attribute"] == attribute)].dropna(subset="mean")
        places = np.arange(len(chosen))
        lower.errorbar(chosen["mean"], places, xerr=chosen["std"], fmt="o", color="#555555", capsize=2,
                       label="mean ± standard deviation over models and permutations")  # fmt: skip
        lower.scatter(chosen["published"], places, **plots.PUBLISHED, label="published, other models")
        lower.set_yticks(places, chosen["metric"].map(metric_label))
        lower.set(
            xlim=(0, None),
            ylim=(len(chosen) - 0.4, -0.6),
            xlabel="|b of titles − b of half the texts| / width of the range",
        )
    plots.add_legend(figure, axes[1][0].get_legend_handles_labels()[0])
    figure.suptitle(
        "How much do scores of fewer texts (Figure 3), and of titles alone, differ from those of more texts?"
    )
    return figure


if __name__ == "__main__":
    scripts.run(main, snakemake)
