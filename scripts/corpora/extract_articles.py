"""Convert a Wikipedia dump to plain text: all articles or a sample."""

from biassay.corpora import wikipedia
from biassay.support import logs


def main(dumps: list[str], options: dict, seed: int, threads: int, out: str) -> None:
    paths = [path.removesuffix(".checked") for path in dumps]
    wikipedia.extract(paths, out, **options, seed=seed, threads=threads)


if __name__ == "__main__":
    logs.start(snakemake.log[0])
    main(
        dumps=list(snakemake.input.dumps),
        options=snakemake.params.options,
        seed=snakemake.params.seed,
        threads=snakemake.threads,
        out=snakemake.output[0],
    )
