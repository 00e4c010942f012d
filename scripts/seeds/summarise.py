"""Summarise a table over the seeds: means, spreads, and how often an order of two contenders holds."""

from biassay.studies.seeds import summary as seeds
from biassay.studies.seeds.tables import find, read
from biassay.support import logs


def main(tables: dict[int, str], table: str, summary: str, pairwise: str) -> None:
    kind = find(table)
    values = seeds.gather({seed: read(file, kind) for seed, file in tables.items()}, kind)
    seeds.summarise(values, kind).to_csv(summary, index=False, float_format="%.6g")
    seeds.pairwise(values, kind).to_csv(pairwise, index=False, float_format="%.6g")


if __name__ == "__main__":
    logs.start(snakemake.log[0])
    main(
        tables=dict(zip(snakemake.params.seeds, snakemake.input.tables, strict=True)),
        table=snakemake.wildcards.table,
        summary=snakemake.output.summary,
        pairwise=snakemake.output.pairwise,
    )
