"""Plot the correlations of all corpora by representation and word list (Table 1, Figure 2), and write the findings."""

from collections.abc import Mapping

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from biassay.core import csv_tables, scripts
from biassay.report import plots
from biassay.report.findings import write_findings
from biassay.studies.first_order.findings import collect_findings, statistics_label
from biassay.studies.first_order.tables import INTERVALS

COLUMNS = ["corpus", "word_list", "statistics", "embedding", "space", "method", "n", *INTERVALS]
KEYS = ["embedding", "space", "method"]
PUBLISHED = {"facecolors": "none", "edgecolors": "black", "linewidths": 0.7, "s": 18, "zorder": 4}


def main(
    correlations: str, comparisons: str, confounding: str, false_positives: str, main_list: str,
    generated: Mapping[str, list[str]], figures: list[str], findings_out: str,
) -> None:  # fmt: skip
    table = csv_tables.read(correlations, COLUMNS, {})
    table = table[~table["statistics"].str.startswith("planted_")]
    files = iter(np.array_split(figures, 2 * table["corpus"].nunique()))
    for corpus, rows in table.groupby("corpus", sort=False):
        names = {name: statistics_label(name, corpus, generated) for name in rows["statistics"].unique()}
        main_rows = rows[rows["word_list"] == main_list]
        plots.save(draw_representations(main_rows, corpus, main_list, names), *next(files))
        plots.save(draw_word_lists(rows, corpus, names), *next(files))
    paths = (comparisons, confounding, false_positives)
    tables = [csv_tables.read(path, ["corpus"], {}, allow_empty=True) for path in paths]
    write_findings(collect_findings(*tables, main_list, generated), findings_out)


def draw_representations(table: pd.DataFrame, corpus: str, main_list: str, names: dict[str, str]) -> plt.Figure:
    """Draw Spearman and Pearson correlations with 95 % intervals, one panel per statistics."""
    all_statistics = list(table["statistics"].unique())
    order = {name: place for place, name in enumerate(table["embedding"].unique())}
    keys = list(table[KEYS].drop_duplicates().itertuples(index=False, name=None))
    keys.sort(key=lambda key: order[key[0]])
    size = plots.WIDTH, 1.2 + 0.22 * len(keys)
    figure, axes = plt.subplots(1, len(all_statistics), figsize=size, sharey=True, squeeze=False)
    for axis, statistics in zip(axes[0], all_statistics, strict=True):
        rows = table[table["statistics"] == statistics].set_index(KEYS).loc[keys]
        colours = [plots.colour(space, method) for _, space, method in keys]
        for kind, marker, offset in (("spearman", "o", -0.2), ("pearson", "D", 0.2)):
            places = np.arange(len(keys)) + offset
            axis.hlines(places, rows[f"{kind}_low"], rows[f"{kind}_high"], colors=colours, linewidth=1.2, alpha=0.6)
            axis.scatter(rows[kind], places, c=colours, marker=marker, s=14, label=kind.capitalize(), zorder=3)
            published = rows[f"{kind}_published"]
            axis.scatter(published, places, marker=marker, **PUBLISHED, label=f"{kind.capitalize()}, published")
        axis.axvline(0, color="black", linewidth=0.8)
        for place in range(1, len(keys)):
            if keys[place][0] != keys[place - 1][0]:
                axis.axhline(place - 0.5, color="black", linewidth=0.5, alpha=0.4)
        axis.set_title(f"{names[statistics]} (n = {int(rows['n'].max())})")
        axis.set_xlabel("correlation with bias score")
    axes[0, 0].set_yticks(range(len(keys)), [plots.label(*key) for key in keys])
    axes[0, 0].set_ylim(len(keys) - 0.5, -0.5)
    plots.add_legend(figure)
    figure.suptitle(f"{corpus}: correlation of gender bias with the share of women, list “{main_list}”")
    return figure


def draw_word_lists(table: pd.DataFrame, corpus: str, names: dict[str, str]) -> plt.Figure:
    """Draw Spearman correlations with 95 % intervals by definitional word list: one line per representation."""
    table = table[(table["space"] == "vectors") | (table["method"] == "first_order")]
    table = table[table["method"] != "second_order_nnd"]
    all_statistics, lists = list(table["statistics"].unique()), list(table["word_list"].unique())
    keys = list(table[KEYS].drop_duplicates().itertuples(index=False, name=None))
    markers = dict(zip(keys, "osD^vP*XhpdH<>8" * len(keys), strict=False))
    figure, axes = plt.subplots(1, len(all_statistics), figsize=(plots.WIDTH, 4.6), sharey=True, squeeze=False)
    for axis, statistics in zip(axes[0], all_statistics, strict=True):
        for key, shift in zip(keys, np.linspace(-0.3, 0.3, len(keys)), strict=True):
            rows = table[(table["statistics"] == statistics) & (table[KEYS] == list(key)).all(axis=1)]
            rows, places = rows.set_index("word_list").reindex(lists), np.arange(len(lists)) + shift
            colour = plots.colour(*key[1:])
            axis.vlines(places, rows["spearman_low"], rows["spearman_high"], color=colour, linewidth=0.7, alpha=0.35)
            axis.plot(
                places, rows["spearman"], marker=markers[key], markersize=4, color=colour, alpha=0.8,
                linewidth=1.2, label=plots.label(*key),
            )  # fmt: skip
        axis.set_xticks(range(len(lists)), lists)
        axis.set_title(names[statistics])
        axis.set_xlabel("definitional word list")
    axes[0, 0].set_ylabel("Spearman correlation with the share of women")
    plots.add_legend(figure)
    figure.suptitle(f"{corpus}: effect of the choice of definitional words")
    return figure


if __name__ == "__main__":
    scripts.run(main, snakemake)
