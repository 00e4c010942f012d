"""Count the word pairs that co-occur within a window."""

from pathlib import Path

from biassay.core import scripts
from biassay.corpora.corpus import Corpus
from biassay.counts import cooccurrence


def main(corpus: str, options: dict, seed: int, threads: int, out: str) -> None:
    Path(out).mkdir(parents=True)
    cooccurrence.count(Corpus.open(corpus), out, **options, seed=seed, threads=threads)


if __name__ == "__main__":
    scripts.run(main, snakemake, corpus=str(Path(snakemake.input.tokens).parent))
