"""Convert a Wikipedia dump to plain text: all articles or a sample."""

from biassay.core import scripts
from biassay.corpora import wikipedia


def main(dumps: list[str], options: dict, seed: int, threads: int, out: str) -> None:
    paths = [path.removesuffix(".checked") for path in dumps]
    wikipedia.extract(paths, out, **options, seed=seed, threads=threads)


if __name__ == "__main__":
    scripts.run(main, snakemake)
