"""Ask a chunk of fine-tuned models for all groups in all test sentences, and embed these sentences."""

import shutil
from collections.abc import Mapping
from pathlib import Path

from biassay.language_models import encoding, loading, planted_groups, template_selection
from biassay.language_models.group_templates import Templates
from biassay.language_models.stacked.files import load_into
from biassay.language_models.unmasking import Queries
from biassay.studies.intrinsic import tables
from biassay.support import logs


def main(
    base: str, trained: str, forms: str, material_of: dict, intersections: list[list[str]], seed: int, out: str
) -> None:
    best = tables.attempts(trained).query("best")
    chosen = template_selection.select(forms, **material_of, seed=seed)
    model = loading.load(base, kind="masked")
    asked = questions(model.tokenizer, chosen, intersections)
    embedded = {
        (name, part): sentences
        for name, attribute in chosen.attributes.items()
        for part, sentences in {
            "targets": planted_groups.target_sentences(model.tokenizer, chosen.test, name, chosen.occupations),
            "groups": planted_groups.group_sentences(model.tokenizer, chosen.test, name, attribute),
        }.items()
    }
    progress = logs.Progress("encoding", len(best), "models")
    for number, attempt, row in best[["model", "attempt", "row"]].itertuples(index=False):
        load_into(model.model, Path(trained) / str(attempt), row)
        folder = Path(out) / str(number)
        for (name, part), sentences in embedded.items():
            encoding.encode(model, sentences, 1 if part == "targets" else 0).save(folder / name / part)
        for name, (question, shape) in asked.items():
            encoding.save(folder / f"{name}.npy", question.run(model.model).reshape(shape))
        progress.add(1)
    shutil.copy(Path(trained) / "attempts.csv", Path(out) / "attempts.csv")


def questions(
    tokenizer: object, chosen: Templates, intersections: list[list[str]]
) -> Mapping[str, tuple[Queries, tuple]]:
    """What the models are asked, by the name of the answers' file, and the answers' shape."""
    sizes = {name: len(attribute.groups) for name, attribute in chosen.attributes.items()}
    found, n = {}, len(chosen.occupations)
    for name, attribute in chosen.attributes.items():
        question = planted_groups.queries(tokenizer, chosen.test, name, attribute, chosen.occupations)
        found[f"{name}/unmasking"] = question, (n, -1, sizes[name])
    for given, name in intersections:
        pair = [(which, chosen.attributes[which]) for which in (given, name)]
        question = planted_groups.joint_queries(tokenizer, chosen.test, *pair, chosen.occupations)
        found[f"{name}/given_{given}"] = question, (n, -1, sizes[given] + 1, sizes[name])
    return found


if __name__ == "__main__":
    logs.start(snakemake.log[0])
    main(
        base=snakemake.params.base,
        trained=snakemake.input.trained,
        forms=snakemake.input.templates,
        material_of=snakemake.params.material,
        intersections=snakemake.params.intersections,
        seed=snakemake.params.seed,
        out=snakemake.output[0],
    )
