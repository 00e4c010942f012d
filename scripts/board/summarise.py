"""Summarise the boards of several seeds: means, standard deviations, and in how many seeds a metric is ahead."""

from biassay.core import scripts
from biassay.studies.seeds import summary as over
from biassay.studies.seeds.tables import find_table, read_table


def main(boards: dict[int, str], summary: str, pairwise: str) -> None:
    table = find_table("board/board")
    values = over.gather_values({seed: read_table(path, table) for seed, path in boards.items()}, table)
    over.summarise(values, table).to_csv(summary, index=False, float_format="%.6g")
    over.compare_pairs(values, table).to_csv(pairwise, index=False, float_format="%.6g")


if __name__ == "__main__":
    scripts.run(main, snakemake)
