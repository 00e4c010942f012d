"""Collect labelled texts from one of the sources, and write their datasheet."""

import logging

from biassay.studies.downstream import biographies, bios, generated
from biassay.studies.downstream.texts import Texts
from biassay.support import logs, registry
from biassay.words import defining as defining_sets

SOURCES = ("generated", "wikipedia", "bios", "jigsaw", "comments")


def main(source: str, files: list[str], options: dict, defining: str, seed: int, out: str, sheet: str) -> None:
    registry.check_names("source of texts", [source], SOURCES)
    found = collect(source, files, options, defining_sets.read(defining), seed)
    found.save(out)
    table = found.datasheet()
    table.to_csv(sheet, index=False, float_format="%.6g")
    logging.info("%d texts, %d classes, %s", len(found), len(found.classes), counted(found))
    small = table["class"][table["too_small"] & (table["class"] != "")]
    logging.info("classes too small in a group: %s", ", ".join(small) or "none")


def collect(source: str, files: list[str], options: dict, defining: dict, seed: int) -> Texts:
    """The texts of a source, from its files."""
    if source == "wikipedia":
        return biographies.read(files, defining=defining, **options)
    if source in ("jigsaw", "comments"):
        from biassay.studies.downstream import comments, jigsaw

        given = {**options, "defining": defining}
        return jigsaw.read(files, **given) if source == "jigsaw" else comments.read(one(source, files), **given)
    if source == "bios":
        return bios.read(one(source, files), defining=defining, **options)
    return generated.generate(one(source, files), defining=defining, seed=seed, **options)


def one(source: str, files: list[str]) -> str:
    if len(files) != 1:
        raise ValueError(f"texts of {source}: {len(files)} files; give one")
    return files[0]


def counted(found: Texts) -> str:
    """How many texts each group has."""
    return ", ".join(f"{name} {(found.groups == number).sum()}" for number, name in enumerate(found.names))


if __name__ == "__main__":
    logs.start(snakemake.log[0])
    main(
        source=snakemake.params.source,
        files=list(snakemake.input.files),
        options=snakemake.params.options,
        defining=snakemake.input.defining,
        seed=snakemake.params.seed,
        out=snakemake.output.texts,
        sheet=snakemake.output.sheet,
    )
