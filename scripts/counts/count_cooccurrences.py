"""Count the word pairs that co-occur within a window."""

from pathlib import Path

from biassay.corpora.corpus import Corpus
from biassay.counts import cooccurrence
from biassay.support import logs


def main(corpus: str, options: dict, seed: int, threads: int, out: str) -> None:
    Path(out).mkdir(parents=True)
    cooccurrence.count(Corpus.open(corpus), out, **options, seed=seed, threads=threads)


if __name__ == "__main__":
    logs.start(snakemake.log[0])
    main(
        corpus=str(Path(snakemake.input.tokens).parent),
        options=snakemake.params.options,
        seed=snakemake.params.seed,
        threads=snakemake.threads,
        out=snakemake.output[0],
    )
