"""Plot factors of occupations before and after debiasing (F3–F5), and effects and weights of contexts (T2, T3)."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from biassay.core import scripts
from biassay.report import plots
from biassay.studies.first_order import tables
from biassay.studies.first_order.diagnosis import UNBIASED, UNDEFINED

COLUMNS = 4  # of panels with bars
PANELS = {"second_order_cosine": "cosine of vectors", "first_order": "Λ1, first order"}


def main(
    corpus: str, factors: str, bands: str, contexts: str, top_features: str, accuracies: str, n_named: int,
    occupations: list[str], histograms: list[str], debiased: list[str], effects: list[str], weights: list[str],
) -> None:  # fmt: skip
    table = tables.read_result(factors, "factors")
    groups = [column.removeprefix("factor_") for column in table if column.startswith("factor_")]
    shades = dict(zip(groups, plots.SIDES, strict=True))
    shades |= dict.fromkeys((UNBIASED, UNDEFINED), (plots.UNBIASED, plots.UNBIASED))
    table["colour"] = [
        shades[side][int(neutral)] for side, neutral in zip(table["side"], table["neutral"], strict=True)
    ]
    before, after = (table[table["state"] == state] for state in ("original", "debiased"))
    band = tables.read_result(bands, "bands").query("state == 'original'").set_index("method")["band"]
    plots.save(draw_factors(before, band, groups, n_named, f"{corpus}: factors of occupations"), *occupations)
    plots.save(draw_histograms(before, band, groups, corpus), *histograms)
    # colours show the side before debiasing, so that the moves of biased occupations are visible
    after = after.drop(columns="colour").merge(before[["method", "word", "colour"]], on=["method", "word"])
    title = f"{corpus}: factors of occupations after hard debiasing, colours from before debiasing"
    plots.save(draw_factors(after, None, groups, n_named, title), *debiased)
    panels = {
        f"{word} ({rows['bias'].iloc[0]:+.3f})": rows.rename(columns={"effect": "value"})
        for word, rows in tables.read_result(contexts, "contexts").groupby("occupation", sort=False)
    }
    title = f"{corpus}: effects of context words on the second-order bias (eq 8); dark: definitional words"
    plots.save(draw_bars(panels, title, "effect on the bias"), *effects)
    results = tables.read_result(accuracies, "accuracies").query("space == 'explicit'").set_index("state")
    features = tables.read_result(top_features, "top_features").rename(columns={"weight": "value"})
    panels = {
        f"{state} (accuracy {row.accuracy:.2f}, majority {row.majority:.2f})\npublished accuracy "
        f"{row.accuracy_published:.2f}, majority {row.majority_published:.2f}": features[features["state"] == state]
        for state, row in results.iterrows()
    }
    title = f"{corpus}: context words that predict the perceived gender of neutral occupations"
    plots.save(draw_bars(panels, title, "weight in the classifier"), *weights)


def draw_factors(
    table: pd.DataFrame, band: pd.Series | None, groups: list[str], n_named: int, title: str
) -> plt.Figure:
    """Draw the factor of the second group against that of the first, one panel per method, with the unbiased band."""
    figure, axes = plt.subplots(1, len(PANELS), figsize=(6 * len(PANELS), 7))
    columns = [f"factor_{group}" for group in groups]
    for axis, (method, name) in zip(axes, PANELS.items(), strict=True):
        rows = table[table["method"] == method].dropna(subset="bias")
        points = rows[columns].to_numpy()
        low, high = points.min(), points.max()
        line = np.array([low, high]) + np.array([-0.08, 0.08]) * (high - low)
        if band is not None:
            axis.fill_between(line, line - band[method], line + band[method], color="#dddddd", zorder=0, linewidth=0)
        axis.plot(line, line, color="black", linewidth=0.6, zorder=1)
        for neutral, marker, size in ((True, "o", 12), (False, "^", 24)):
            part = rows[rows["neutral"] == neutral]
            axis.scatter(part[columns[0]], part[columns[1]], c=part["colour"], marker=marker, s=size, linewidth=0)
        axis.set(xlim=line, ylim=line, aspect="equal", xlabel=f"{groups[0]} factor", ylabel=f"{groups[1]} factor")
        axis.set_title(name if band is None else f"{name} (band ±{band[method]:.3f})")
    figure.legend(handles=legend(groups), loc="outside lower center", ncols=4, frameon=False)
    figure.suptitle(title)
    for axis, method in zip(axes, PANELS, strict=True):
        rows = table[table["method"] == method].dropna(subset="bias").sort_values("bias", kind="stable")
        extremes = pd.concat([rows[rows["bias"] < 0].head(n_named), rows[rows["bias"] > 0].tail(n_named)])
        extremes = extremes.sort_values("bias", key=np.abs, ascending=False, kind="stable")
        away = np.sign(extremes["bias"].to_numpy())[:, None] * np.array([1, -1])  # from the diagonal
        points, others = (part[columns].to_numpy() for part in (extremes, rows))
        plots.name_points(axis, points, extremes["word"].tolist(), others, away)
    return figure


def draw_histograms(table: pd.DataFrame, band: pd.Series, groups: list[str], corpus: str) -> plt.Figure:
    """Draw the number of occupations by bias, one panel per method; gender-neutral ones are lighter."""
    figure, axes = plt.subplots(1, len(PANELS), figsize=(5 * len(PANELS), 3.6), sharex=True, sharey=True)
    limit = table["bias"].abs().max()
    edges = np.linspace(-limit, limit, 42)
    colours = [plots.UNBIASED, *(colour for side in plots.SIDES for colour in reversed(side))]
    for axis, (method, name) in zip(axes, PANELS.items(), strict=True):
        rows = table[table["method"] == method]
        values = [rows.loc[rows["colour"] == colour, "bias"] for colour in colours]
        axis.hist(values, edges, stacked=True, color=colours)
        axis.axvline(0, color="black", linewidth=0.6)
        axis.set(title=f"{name} (band ±{band[method]:.3f})", xlabel=f"bias, positive towards {groups[0]}")
    axes[0].set_ylabel("occupations")
    figure.legend(handles=legend(groups)[:5], loc="outside lower center", ncols=3, frameon=False)
    figure.suptitle(f"{corpus}: bias of occupations")
    return figure


def legend(groups: list[str]) -> list[Patch | Line2D]:
    """Return the legend of colours and markers."""
    handles = [Patch(color=plots.UNBIASED, label=UNBIASED)]
    for group, (dark, light) in zip(groups, plots.SIDES, strict=True):
        handles.append(Patch(color=light, label=f"biased {group}, gender-neutral"))
        handles.append(Patch(color=dark, label=f"biased {group}, gender-specific"))
    for marker, label in (("o", "gender-neutral word"), ("^", "gender-specific word")):
        handles.append(Line2D([], [], marker=marker, color="#555555", linewidth=0, label=label))
    return handles


def draw_bars(panels: dict[str, pd.DataFrame], title: str, label: str) -> plt.Figure:
    """Draw bars of context words, one panel per table; the column definitional (dark bars) is optional."""
    columns = min(COLUMNS, len(panels))
    height = max(len(rows) for rows in panels.values())
    lines = -(-len(panels) // columns)
    size = plots.size(max(3.2 * columns, 7.5), lines * (0.9 + 0.18 * height) + 0.6)
    figure, axes = plt.subplots(lines, columns, figsize=size, squeeze=False)
    for axis in axes.flat[len(panels) :]:
        axis.set_visible(False)
    for axis, (name, rows) in zip(axes.flat, panels.items(), strict=False):
        axis.set_title(name, fontsize=9)
        rows = rows.sort_values("value", ascending=False, kind="stable")
        is_light = ~rows["definitional"] if "definitional" in rows else np.ones(len(rows), bool)
        dark = np.where(rows["value"] > 0, plots.SIDES[0][0], plots.SIDES[1][0])
        light = np.where(rows["value"] > 0, plots.SIDES[0][1], plots.SIDES[1][1])
        axis.barh(range(len(rows)), rows["value"], color=np.where(is_light, light, dark))
        axis.set_yticks(range(len(rows)), rows["context"], fontsize=8)
        axis.set_ylim(max(len(rows), 1) - 0.5, -0.5)
        axis.axvline(0, color="black", linewidth=0.6)
        axis.grid(axis="y", visible=False)
        axis.locator_params(axis="x", nbins=4)
        axis.tick_params(axis="x", labelsize=8)
        axis.set_xlabel(label, fontsize=8)
    figure.suptitle(title)
    return figure


if __name__ == "__main__":
    scripts.run(main, snakemake)
