"""Draw published and recomputed numbers, one row per number."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from biassay.core import csv_tables, scripts
from biassay.report import plots

PUBLISHED = {"marker": "x", "color": "#b2182b", "s": 34, "linewidths": 1.4, "zorder": 5}
READ = "test quantity vectors computed published agrees"
KINDS = csv_tables.column_types(text="test quantity vectors", number="computed? published?", boolean="agrees?")
NAMES = {"d": "WEAT d", "direct_bias": "Direct Bias"}  # p spans orders of magnitude and is only in the table


def main(table: str, out: list[str]) -> None:
    plots.save(draw(csv_tables.read(table, READ, KINDS)), *out)


def draw(table: pd.DataFrame) -> plt.Figure:
    """Draw recomputed numbers, filled if they agree with the published digits."""
    table = table[table["quantity"].isin(list(NAMES))]
    figure, axis = plt.subplots(figsize=(7.6, 1.3 + 0.27 * len(table)))
    places = np.arange(len(table))
    faces = np.where(table["agrees"].eq(True), "black", "white")
    axis.scatter(table["computed"], places, c=faces, edgecolors="black", marker="D", s=24, zorder=3,
                 label="recomputed (filled: agrees with the published digits)")  # fmt: skip
    axis.scatter(table["published"], places, **PUBLISHED, label="published")
    axis.axvline(0, color="#555555", linewidth=0.8)
    names = table["test"].str.replace("_", " ") + ", " + table["quantity"].map(NAMES) + ", " + table["vectors"]
    status = table["computed"].isna().map({True: " (not computed)", False: ""})
    axis.set_yticks(places, names + status)
    axis.set_ylim(len(table) - 0.4, -0.6)
    figure.legend(*axis.get_legend_handles_labels(), loc="outside lower center", ncols=2, frameon=False, fontsize=8)
    figure.suptitle("Published numbers, recomputed from the same vectors")
    return figure


if __name__ == "__main__":
    scripts.run(main, snakemake, out=snakemake.output.figure)
