"""Collect pairs of sentences that differ in a group: the valid pairs of a file, or pairs made from templates."""

import logging

import pandas as pd

from biassay.core import scripts
from biassay.studies.downstream import pairs, planted
from biassay.words import defining_sets


def main(options: dict, files: list[str], words: str, settings: dict, seed: int, pairs_out: str, sheet: str) -> None:
    if options["source"] == "generated":
        templates = planted.select_templates(settings, seed=seed)
        probabilities = planted.probabilities(templates, settings, seed=seed)
        table = pairs.make_pairs(templates, probabilities, options["n"], seed=seed)
        counts = table["attribute"].value_counts(sort=False)
        report = pd.DataFrame({"attribute": counts.index, "n_pairs": counts.to_numpy(), "n_valid": counts.to_numpy()})
    else:
        table, report = pairs.read_crows_pairs(files[0].removesuffix(".checked"), defining_sets.read(words))
    for row in report.itertuples():
        logging.info("%s: %d of %d pairs are valid", row.attribute, row.n_valid, row.n_pairs)
    table.to_csv(pairs_out, index=False)
    report.to_csv(sheet, index=False)


if __name__ == "__main__":
    scripts.run(main, snakemake)
