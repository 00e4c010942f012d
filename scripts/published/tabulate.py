"""Recompute published numbers from the vectors that they are published for, and draw both, one row per number."""

import logging

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from biassay.core import scripts
from biassay.report import plots
from biassay.studies.published import numbers as recomputation
from biassay.words import published_numbers

NAMES = {"d": "WEAT d", "direct_bias": "Direct Bias"}  # p spans orders of magnitude and is only in the table


def main(
    vectors: dict[str, str], numbers: str, word_lists: str, permutations: int, seed: int, table: str, figure: list[str]
) -> None:
    published = published_numbers.read(numbers, word_lists)
    rows = []
    for name, path in vectors.items():
        of_vectors = [number for number in published if number.vectors == name]
        computed = recomputation.compute_rows(of_vectors, path, permutations=permutations, seed=seed)
        agreements = [row["agrees"] for row in computed if row["agrees"] is not None]
        logging.info("%s: %d of %d published numbers are reproduced", name, sum(agreements), len(agreements))
        rows += computed
    results = pd.DataFrame(rows)
    results.to_csv(table, index=False, float_format="%.4g")
    plots.save(draw(results), *figure)


def draw(table: pd.DataFrame) -> plt.Figure:
    """Draw recomputed numbers, filled if they agree with the published digits."""
    table = table[table["quantity"].isin(list(NAMES))]
    figure, axis = plt.subplots(figsize=(plots.WIDTH, 1.3 + 0.27 * len(table)))
    places = np.arange(len(table))
    faces = np.where(table["agrees"].eq(True), "black", "white")
    axis.scatter(table["computed"], places, c=faces, edgecolors="black", marker="D", s=24, zorder=3,
                 label="recomputed (filled: agrees with the published digits)")  # fmt: skip
    axis.scatter(pd.to_numeric(table["published"]), places, **plots.PUBLISHED, label="published")
    axis.axvline(0, color="#555555", linewidth=0.8)
    names = table["test"].str.replace("_", " ") + ", " + table["quantity"].map(NAMES) + ", " + table["vectors"]
    status = table["computed"].isna().map({True: " (not computed)", False: ""})
    axis.set_yticks(places, names + status)
    axis.set_ylim(len(table) - 0.4, -0.6)
    plots.add_legend(figure)
    figure.suptitle("Published numbers, recomputed from the same vectors")
    return figure


if __name__ == "__main__":
    scripts.run(main, snakemake)
