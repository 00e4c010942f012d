"""Count the word pairs that co-occur within a window, in a corpus or in one shard of it."""

from pathlib import Path

from biassay.core import scripts
from biassay.corpora.corpus import Corpus
from biassay.counts import cooccurrence


def main(corpus: str, options: dict, seed: int, threads: int, out: str, shard: int = 0, shards: int = 1) -> None:
    Path(out).mkdir(parents=True)
    cooccurrence.count(Corpus.open(corpus), out, **options, seed=seed, threads=threads, shard=shard, n_shards=shards)


if __name__ == "__main__":
    scripts.run(main, snakemake, corpus=str(Path(snakemake.input.tokens).parent))
