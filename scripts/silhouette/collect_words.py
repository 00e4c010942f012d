"""Collect the words of a pair's lists that both models have, with their vectors."""

from pathlib import Path

from biassay.studies.silhouette import reference
from biassay.support import logs
from biassay.words import concepts


def main(models: dict[str, str], word_lists: dict[str, str], folder: str, missing: str) -> None:
    found, table = reference.collect({bias: concepts.read(path) for bias, path in word_lists.items()}, models)
    found.save(folder)
    table.to_csv(missing, index=False)


if __name__ == "__main__":
    logs.start(snakemake.log[0])
    main(
        models={"biased": snakemake.input.biased, "unbiased": snakemake.input.unbiased},
        word_lists=snakemake.params.lists,
        folder=str(Path(snakemake.output.vectors).parent),
        missing=snakemake.output.missing,
    )
