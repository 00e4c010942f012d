"""Plot context words for a corpus: effects on second-order bias and classifier weights (Tables 2 and 3)."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from biassay.core import scripts
from biassay.report import plots
from biassay.studies.first_order import tables

COLUMNS = 4


def main(
    corpus: str, contexts: str, top_features: str, accuracies: str, effects: list[str], weights: list[str]
) -> None:
    table = tables.read_result(contexts, "contexts")
    panels = {
        f"{word} ({rows['bias'].iloc[0]:+.3f})": rows.rename(columns={"effect": "value"})
        for word, rows in table.groupby("occupation", sort=False)
    }
    title = f"{corpus}: effects of context words on the second-order bias (eq 8); dark: definitional words"
    plots.save(draw(panels, title, "effect on the bias"), *effects)
    results = tables.read_result(accuracies, "accuracies").query("space == 'explicit'").set_index("state")
    features = tables.read_result(top_features, "top_features").rename(columns={"weight": "value"})
    panels = {
        f"{state} (accuracy {row.accuracy:.2f}, majority {row.majority:.2f})\npublished accuracy "
        f"{row.accuracy_published:.2f}, majority {row.majority_published:.2f}": features[features["state"] == state]
        for state, row in results.iterrows()
    }
    title = f"{corpus}: context words that predict the perceived gender of neutral occupations"
    plots.save(draw(panels, title, "weight in the classifier"), *weights)


def draw(panels: dict[str, pd.DataFrame], title: str, label: str) -> plt.Figure:
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
