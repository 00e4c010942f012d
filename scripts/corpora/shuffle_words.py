"""Put the words of an encoded corpus in random order over the whole text."""

import zlib
from pathlib import Path

from biassay.core import scripts
from biassay.corpora import shuffled


def main(source: str, corpus: str, seed: int, folder: str) -> None:
    shuffled.shuffle(source, folder, seed=[seed, zlib.crc32(corpus.encode())])  # corpora of other names differ


if __name__ == "__main__":
    scripts.run(
        main,
        snakemake,
        source=str(Path(snakemake.input.original[0]).parent),
        folder=str(Path(snakemake.output.tokens).parent),
    )
