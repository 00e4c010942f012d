"""Sum the counts of the shards of a corpus."""

from pathlib import Path

from biassay.counts import shards as count_shards
from biassay.support import logs


def main(shards: list[str], options: dict, threads: int, out: str) -> None:
    Path(out).mkdir(parents=True)
    count_shards.merge(shards, out, window=options["window"], weighting=options["weighting"], threads=threads)


if __name__ == "__main__":
    logs.start(snakemake.log[0])
    main(
        shards=list(snakemake.input.shards),
        options=snakemake.params.options,
        threads=snakemake.threads,
        out=snakemake.output[0],
    )
