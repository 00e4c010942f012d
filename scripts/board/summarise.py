"""Summarise the boards of several seeds: means, standard deviations, and in how many seeds a metric is ahead."""

from biassay.studies.seeds import summary as over
from biassay.studies.seeds.tables import find, read
from biassay.support import logs


def main(boards: dict[int, str], summary: str, pairwise: str) -> None:
    table = find("board/board")
    values = over.gather({seed: read(path, table) for seed, path in boards.items()}, table)
    over.summarise(values, table).to_csv(summary, index=False, float_format="%.6g")
    over.pairwise(values, table).to_csv(pairwise, index=False, float_format="%.6g")


if __name__ == "__main__":
    logs.start(snakemake.log[0])
    main(
        boards=dict(zip(snakemake.params.seeds, snakemake.input.boards, strict=True)),
        summary=snakemake.output.summary,
        pairwise=snakemake.output.pairwise,
    )
