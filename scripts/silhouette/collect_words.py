"""Collect the words of a pair's lists that both models have, with their vectors."""

import logging
from pathlib import Path

from biassay.studies.silhouette import group_selection, reference, tables
from biassay.support import logs
from biassay.words import target_lists


def main(
    models: dict[str, str], word_lists: dict[str, str], ground_truth: list[str], folder: str, missing: str
) -> None:
    lists = {bias: target_lists.read(path) for bias, path in word_lists.items()}
    for bias, of_bias in lists.items():
        if of_bias.choose:
            try:
                lists[bias] = group_selection.most_different(of_bias, tables.ground_truth(ground_truth[0]))
            except ValueError as error:
                raise ValueError(f"{word_lists[bias]}: {error}") from error
            known, chosen = (", ".join(of.groups) for of in (of_bias, lists[bias]))
            logging.info("%s: of %s, %s are compared", bias, known, chosen)
    found, table = reference.collect(lists, models)
    found.save(folder)
    table.to_csv(missing, index=False)


if __name__ == "__main__":
    logs.start(snakemake.log[0])
    main(
        models={"biased": snakemake.input.biased, "unbiased": snakemake.input.unbiased},
        word_lists=snakemake.params.lists,
        ground_truth=list(snakemake.input.ground_truth),
        folder=str(Path(snakemake.output.vectors).parent),
        missing=snakemake.output.missing,
    )
