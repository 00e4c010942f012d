"""Collect the words of a pair's lists that are in both models, with their vectors."""

import logging
from pathlib import Path

from biassay.core import csv_tables, scripts
from biassay.studies.silhouette import group_selection, reference
from biassay.words import target_lists


def main(
    biased: str, unbiased: str, lists: dict[str, str], ground_truth: list[str], vectors: str, missing: str
) -> None:
    word_lists = {bias: target_lists.read(path) for bias, path in lists.items()}
    for bias, bias_lists in word_lists.items():
        if bias_lists.choose:
            planted = csv_tables.read(ground_truth[0], "word group probability", {"probability": "number"})
            try:
                word_lists[bias] = group_selection.select_groups(bias_lists, planted)
            except ValueError as error:
                raise ValueError(f"{lists[bias]}: {error}") from error
            all_groups, selected = (", ".join(part.groups) for part in (bias_lists, word_lists[bias]))
            logging.info("%s: selected %s from %s", bias, selected, all_groups)
    words, table = reference.collect_words(word_lists, {"biased": biased, "unbiased": unbiased})
    words.save(Path(vectors).parent)
    table.to_csv(missing, index=False)


if __name__ == "__main__":
    scripts.run(main, snakemake)
