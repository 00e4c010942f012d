"""Count the word pairs that co-occur within a window, in one shard of a corpus."""

from pathlib import Path

from biassay.core import scripts
from biassay.corpora.corpus import Corpus
from biassay.counts import cooccurrence


def main(corpus: str, shard: int, shards: int, options: dict, seed: int, threads: int, out: str) -> None:
    Path(out).mkdir(parents=True)
    cooccurrence.count_shard(Corpus.open(corpus), out, shard, shards, **options, seed=seed, threads=threads)


if __name__ == "__main__":
    scripts.run(main, snakemake, corpus=str(Path(snakemake.input.tokens).parent))
