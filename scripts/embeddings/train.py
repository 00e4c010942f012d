"""Train an embedding and compute the norms of its explicit vectors."""

from pathlib import Path

from biassay.core import registry, scripts
from biassay.corpora.corpus import Corpus
from biassay.counts import storage
from biassay.vectors import explicit_vectors


def main(algorithm: str, data: str, words: str, options: dict, out: str) -> None:
    plugin = registry.load("embeddings", algorithm)
    with registry.plugin_errors(algorithm if algorithm.endswith(".py") else None):
        if plugin.INPUT == "counts":
            embedding = plugin.train(Path(words).read_text("utf-8").split(), storage.load(data), **options)
        else:
            embedding = plugin.train(Corpus.open(Path(words).parent), **options)
    explicit_vectors.add_norms(embedding, options["threads"]).save(out)


if __name__ == "__main__":
    scripts.run(
        main,
        snakemake,
        options={**snakemake.params.options, "seed": snakemake.params.seed, "threads": snakemake.threads},
    )
