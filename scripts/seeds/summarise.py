"""Summarise a table over seeds: means, standard deviations, and the consistency of pairwise orders."""

from biassay.studies.seeds import summary as seeds
from biassay.studies.seeds.tables import find_table, read_table
from biassay.support import logs


def main(tables: dict[int, str], table: str, summary: str, pairwise: str) -> None:
    roles = find_table(table)
    values = seeds.gather_values({seed: read_table(file, roles) for seed, file in tables.items()}, roles)
    seeds.summarise(values, roles).to_csv(summary, index=False, float_format="%.6g")
    seeds.compare_pairs(values, roles).to_csv(pairwise, index=False, float_format="%.6g")


if __name__ == "__main__":
    logs.start(snakemake.log[0])
    main(
        tables=dict(zip(snakemake.params.seeds, snakemake.input.tables, strict=True)),
        table=snakemake.wildcards.table,
        summary=snakemake.output.summary,
        pairwise=snakemake.output.pairwise,
    )
