"""Summarise a table over seeds: means, standard deviations, and the consistency of pairwise orders."""

from biassay.core import scripts
from biassay.studies.seeds import summary as seeds
from biassay.studies.seeds.tables import find_table, read_table


def main(tables: dict[int, str], table: str, summary: str, pairwise: str) -> None:
    roles = find_table(table)
    values = seeds.gather_values({seed: read_table(file, roles) for seed, file in tables.items()}, roles)
    seeds.summarise(values, roles).to_csv(summary, index=False, float_format="%.6g")
    seeds.compare_pairs(values, roles).to_csv(pairwise, index=False, float_format="%.6g")


if __name__ == "__main__":
    scripts.run(main, snakemake, tables=dict(zip(snakemake.params.seeds, snakemake.input.tables, strict=True)))
