"""Draw the values of a table by contender, a dot a seed."""

import matplotlib.pyplot as plt
import pandas as pd

from biassay.figures import plots
from biassay.studies.seeds import summary as seeds
from biassay.studies.seeds.tables import Table, find, read
from biassay.support import logs

PANELS = 6  # side by side


def main(tables: dict[int, str], table: str, only: dict[str, str], out: list[str]) -> None:
    kind = find(table)
    values = seeds.by_seed(seeds.gather({seed: read(file, kind) for seed, file in tables.items()}, kind), kind)
    for column, value in only.items():
        if column in kind.keys:
            values = values[values[column] == value]
    plots.save(draw(values, kind), *out)


def draw(values: pd.DataFrame, table: Table) -> plt.Figure:
    """Panels: a row a quantity, a column what it is of; in each a line a contender, a dot a seed, a bar their mean."""
    quantities = table.values[: table.drawn]
    of = list(dict.fromkeys(values[list(table.keys)].itertuples(index=False, name=None)))
    names = values[list(table.contenders)].apply(lambda row: named(*row), axis=1)
    order = {name: -row for row, name in enumerate(dict.fromkeys(names))}
    columns, rows = min(PANELS, max(1, len(of))), max(1, -(-len(of) // PANELS))
    figure, axes = plt.subplots(
        len(quantities) * rows, columns, sharey=True, sharex="row" if table.shared and rows == 1 else False,
        squeeze=False, figsize=(1.8 + 1.9 * columns, len(quantities) * rows * (0.8 + 0.19 * len(order))),
    )  # fmt: skip
    for panels, quantity in zip(axes.reshape(len(quantities), -1), quantities, strict=True):
        for axis in panels[len(of) :]:
            axis.set_visible(False)
        for axis, keys in zip(panels, of, strict=False):
            chosen = (values["quantity"] == quantity) & (values[list(table.keys)] == list(keys)).all(axis=1)
            heights = names[chosen].map(order)
            axis.scatter(values.loc[chosen, "value"], heights, s=9, color=plots.FIRST, alpha=0.6, linewidths=0)
            means = values.loc[chosen, "value"].groupby(heights).mean()
            axis.scatter(means, means.index, marker="|", s=70, color="black", linewidths=1)
            axis.set_title("\n".join(map(str, keys)), fontsize=8)
            axis.set_xlabel(quantity.replace("_", " "))
        for axis in panels[::columns]:
            axis.set_yticks(list(order.values()), list(order))
            axis.tick_params(axis="y", labelsize=7)
    return figure


def named(*contender: str) -> str:
    """A contender as figures name it."""
    return plots.label(*contender) if len(contender) == 3 else " ".join(map(str, contender))


if __name__ == "__main__":
    logs.start(snakemake.log[0])
    main(
        tables=dict(zip(snakemake.params.seeds, snakemake.input.tables, strict=True)),
        table=snakemake.wildcards.table,
        only={"word_list": snakemake.params.main_list},
        out=list(snakemake.output),
    )
