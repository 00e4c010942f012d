"""Summarise a table over seeds: means, consistency of pairwise orders, and a figure with one dot per seed."""

import matplotlib.pyplot as plt
import pandas as pd

from biassay.core import scripts
from biassay.report import plots
from biassay.studies.seeds import summary as seeds
from biassay.studies.seeds.tables import Table, find_table, read_table

MAX_COLUMNS = 3  # of panels


def main(
    tables: dict[int, str], table: str, main_list: str, summary: str, pairwise: str, figure: list[str] = ()
) -> None:
    roles = find_table(table)
    values = seeds.gather_values({seed: read_table(file, roles) for seed, file in tables.items()}, roles)
    seeds.summarise(values, roles).to_csv(summary, index=False, float_format="%.6g")
    seeds.compare_pairs(values, roles).to_csv(pairwise, index=False, float_format="%.6g")
    if not figure:  # the board has none
        return
    values = seeds.average_cases(values, roles)
    if "word_list" in roles.keys:
        values = values[values["word_list"] == main_list]
    plots.save(draw(values, roles), *figure)


def draw(values: pd.DataFrame, table: Table) -> plt.Figure:
    """Draw one row of panels per quantity and one panel per key, with one line per contender and a bar at the mean."""
    values = values.fillna(dict.fromkeys(table.keys, ""))  # an empty key, as the version of pairs, is read as NaN
    quantities = table.values[: table.n_plotted]
    all_keys = list(dict.fromkeys(values[list(table.keys)].itertuples(index=False, name=None)))
    names = values[list(table.contenders)].apply(lambda row: contender_label(*row), axis=1)
    order = {name: -row for row, name in enumerate(dict.fromkeys(names))}
    columns, rows = min(MAX_COLUMNS, max(1, len(all_keys))), max(1, -(-len(all_keys) // MAX_COLUMNS))
    figure, axes = plt.subplots(
        len(quantities) * rows, columns, sharey=True, sharex="row" if rows == 1 else False,
        squeeze=False,
        figsize=(plots.WIDTH, len(quantities) * rows * (0.5 + 0.16 * len(table.keys) + 0.19 * len(order))),
    )  # fmt: skip
    for panels, quantity in zip(axes.reshape(len(quantities), -1), quantities, strict=True):
        for axis in panels[len(all_keys) :]:
            axis.set_visible(False)
        for axis, keys in zip(panels, all_keys, strict=False):
            is_shown = (values["quantity"] == quantity) & (values[list(table.keys)] == list(keys)).all(axis=1)
            heights = names[is_shown].map(order)
            axis.scatter(values.loc[is_shown, "value"], heights, s=9, color=plots.FIRST, alpha=0.6, linewidths=0)
            means = values.loc[is_shown, "value"].groupby(heights).mean()
            axis.scatter(means, means.index, marker="|", s=70, color="black", linewidths=1)
            axis.set_title("\n".join(filter(None, map(str, keys))), fontsize=8)
            axis.set_xlabel(quantity.replace("_", " "))
        for axis in panels[::columns]:
            axis.set_yticks(list(order.values()), list(order))
            axis.tick_params(axis="y", labelsize=7)
    return figure


def contender_label(*contender: str) -> str:
    """Return the label of a contender in figures."""
    return plots.label(*contender) if len(contender) == 3 else " ".join(map(str, contender))


if __name__ == "__main__":
    scripts.run(main, snakemake)
