"""Collect labelled texts from one of the sources, and write their datasheet."""

import logging

from biassay.core import registry, scripts
from biassay.studies.downstream import biographies, bios, comments, generated, jigsaw, tables
from biassay.studies.downstream.texts import Texts
from biassay.words import defining_sets

SOURCES = ("generated", "wikipedia", "bios", "jigsaw", "comments")


def main(
    source: str,
    files: list[str],
    options: dict,
    ground_truth: str | None,
    defining: str,
    seed: int,
    out: str,
    sheet: str,
) -> None:
    registry.check_names("source of texts", [source], SOURCES)
    if source == "generated":
        options = options | planted_options(ground_truth)
    texts = collect(source, files, options, defining_sets.read(defining), seed)
    texts.save(out)
    table = texts.make_datasheet()
    table.to_csv(sheet, index=False, float_format="%.6g")
    logging.info("%d texts, %d classes, %s", len(texts), len(texts.classes), count_by_group(texts))
    small = table["class"][table["too_small"] & (table["class"] != "")]
    logging.info("classes with too few texts of a group: %s", ", ".join(small) or "none")


def collect(source: str, files: list[str], options: dict, defining: dict, seed: int) -> Texts:
    """Collect the texts of a source from its files."""
    if source == "wikipedia":
        return biographies.read(files, defining=defining, **options)
    if source == "jigsaw":
        return jigsaw.read(files, defining=defining, **options)
    if source == "comments":
        return comments.read(only_file(source, files), defining=defining, **options)
    if source == "bios":
        return bios.read(only_file(source, files), defining=defining, **options)
    return generated.generate(only_file(source, files), defining=defining, seed=seed, **options)


def planted_options(ground_truth: str) -> dict:
    """Return occupations and planted probabilities of gender, by which texts are generated."""
    table = tables.read_ground_truth(ground_truth).query("attribute == @generated.ATTRIBUTE")
    groups, occupations = table["group"].drop_duplicates(), table["occupation"].drop_duplicates()
    wide = table.pivot(index="occupation", columns="group", values="probability").loc[occupations, groups]
    return {"occupations": occupations.tolist(), "probabilities": wide.to_numpy()}


def only_file(source: str, files: list[str]) -> str:
    if len(files) != 1:
        raise ValueError(f"texts of the source {source}: expected one file, got {len(files)}")
    return files[0]


def count_by_group(texts: Texts) -> str:
    """Return the number of texts of each group."""
    return ", ".join(f"{name} {(texts.groups == number).sum()}" for number, name in enumerate(texts.names))


if __name__ == "__main__":
    scripts.run(
        main,
        snakemake,
        ground_truth=next(iter(snakemake.input.ground_truth), None),
        defining=snakemake.input.words,
        out=snakemake.output.texts,
    )
