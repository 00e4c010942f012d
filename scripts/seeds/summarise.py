"""Summarise a table over the seeds: means, spreads, and how often an order of two contenders holds."""

import pandas as pd

from biassay.studies.seeds import summary as seeds
from biassay.studies.seeds.tables import find
from biassay.support import logs


def main(tables: dict[int, str], path: str, summary: str, orders: str) -> None:
    table = find(path)
    values = seeds.gather({seed: pd.read_csv(file) for seed, file in tables.items()}, table)
    seeds.summarise(values, table).to_csv(summary, index=False, float_format="%.6g")
    seeds.orders(values, table).to_csv(orders, index=False, float_format="%.6g")


if __name__ == "__main__":
    logs.start(snakemake.log[0])
    main(
        tables=dict(zip(snakemake.params.seeds, snakemake.input.tables, strict=True)),
        path=snakemake.wildcards.table,
        summary=snakemake.output.summary,
        orders=snakemake.output.orders,
    )
