"""Collect the words of a pair's lists that are in both models, with their vectors."""

import logging
from pathlib import Path

from biassay.core import scripts
from biassay.studies.silhouette import group_selection, reference, tables
from biassay.words import target_lists


def main(
    models: dict[str, str], word_lists: dict[str, str], ground_truth: list[str], folder: str, missing: str
) -> None:
    lists = {bias: target_lists.read(path) for bias, path in word_lists.items()}
    for bias, bias_lists in lists.items():
        if bias_lists.choose:
            try:
                lists[bias] = group_selection.select_groups(bias_lists, tables.read_ground_truth(ground_truth[0]))
            except ValueError as error:
                raise ValueError(f"{word_lists[bias]}: {error}") from error
            all_groups, selected = (", ".join(part.groups) for part in (bias_lists, lists[bias]))
            logging.info("%s: selected %s from %s", bias, selected, all_groups)
    words, table = reference.collect_words(lists, models)
    words.save(folder)
    table.to_csv(missing, index=False)


if __name__ == "__main__":
    scripts.run(
        main,
        snakemake,
        models={"biased": snakemake.input.biased, "unbiased": snakemake.input.unbiased},
        word_lists=snakemake.params.lists,
        folder=str(Path(snakemake.output.vectors).parent),
    )
