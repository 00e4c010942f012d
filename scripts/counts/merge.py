"""Sum the counts of the shards of a corpus."""

from pathlib import Path

from biassay.core import scripts
from biassay.counts import cooccurrence


def main(shards: list[str], options: dict, out: str) -> None:
    Path(out).mkdir(parents=True)
    cooccurrence.merge(shards, out, window=options["window"], weighting=options["weighting"])


if __name__ == "__main__":
    scripts.run(main, snakemake)
