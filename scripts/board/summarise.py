"""Summarise the boards of several seeds: means, standard deviations, and in how many seeds a metric is ahead."""

from biassay.studies.seeds import summary as over
from biassay.studies.seeds.tables import find_table, read_table
from biassay.support import logs


def main(boards: dict[int, str], summary: str, pairwise: str) -> None:
    table = find_table("board/board")
    values = over.gather_values({seed: read_table(path, table) for seed, path in boards.items()}, table)
    over.summarise(values, table).to_csv(summary, index=False, float_format="%.6g")
    over.compare_pairs(values, table).to_csv(pairwise, index=False, float_format="%.6g")


if __name__ == "__main__":
    logs.start(snakemake.log[0])
    main(
        boards=dict(zip(snakemake.params.seeds, snakemake.input.boards, strict=True)),
        summary=snakemake.output.summary,
        pairwise=snakemake.output.pairwise,
    )
