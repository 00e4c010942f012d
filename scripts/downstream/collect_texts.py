"""Collect labelled texts from one of the sources, and write their datasheet."""

import logging

from biassay.core import scripts
from biassay.studies.downstream import biographies, bios, comments, generated, tables
from biassay.studies.downstream.texts import Texts
from biassay.words import defining_sets

READERS = {"wikipedia": biographies.read, "bios": bios.read, "jigsaw": comments.read_jigsaw,
           "comments": comments.read_labelled}  # fmt: skip
SEVERAL_FILES = ("wikipedia", "jigsaw")


def main(
    source: str, files: list[str], options: dict, ground_truth: list[str], words: str, seed: int, texts_out: str,
    sheet: str,
) -> None:  # fmt: skip
    texts = collect(source, files, options, ground_truth, defining_sets.read(words), seed)
    if missing := sorted(set(texts.names) - {texts.names[number] for number in texts.groups}):
        raise ValueError(
            f"{', '.join(map(str, files))}: no text is about the group {missing[0]}, so its rates are undefined; "
            f"expected texts of each group of {texts.attribute} in {words} (or leave the group out, in your own file)"
        )
    texts.save(texts_out)
    table = texts.make_datasheet()
    table.to_csv(sheet, index=False, float_format="%.6g")
    counts = ", ".join(f"{name} {table[f'n_texts_{name}'].iloc[0]}" for name in texts.names)
    logging.info("%d texts, %d classes, %s", len(texts), len(texts.classes), counts)
    small = table["class"][table["too_small"] & (table["class"] != "")]
    logging.info("classes with too few texts of a group: %s", ", ".join(small) or "none")


def collect(source: str, files: list[str], options: dict, ground_truth: list[str], defining: dict, seed: int) -> Texts:
    """Collect the texts of a source from its files."""
    if source not in SEVERAL_FILES and len(files) != 1:
        raise ValueError(f"texts of the source {source}: expected one file, got {len(files)}")
    if source == "generated":
        table = tables.read(ground_truth[0]).query("attribute == @generated.ATTRIBUTE")
        wide = table.pivot(index="occupation", columns="group", values="probability")
        wide = wide.loc[table["occupation"].unique()]
        return generated.generate(files[0], wide, defining=defining, seed=seed, **options)
    return READERS[source](files if source in SEVERAL_FILES else files[0], defining=defining, **options)


if __name__ == "__main__":
    scripts.run(main, snakemake)
