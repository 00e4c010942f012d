"""Compute the group probabilities and embeddings of all test sentences with a chunk of fine-tuned models."""

import shutil
from collections.abc import Mapping
from pathlib import Path

from biassay.core import logs, scripts
from biassay.language_models import encoding, loading, planted_groups, template_selection
from biassay.language_models.group_templates import Templates
from biassay.language_models.stacked.files import load_into
from biassay.language_models.unmasking import Queries
from biassay.studies.intrinsic import tables


def main(
    base: str, trained: str, forms: str, selection: dict, intersections: list[list[str]], seed: int, out: str
) -> None:
    best = tables.read_attempts(trained).query("best")
    chosen = template_selection.select(forms, **selection, seed=seed)
    model = loading.load(base, kind="masked")
    queries = build_queries(model.tokenizer, chosen, intersections)
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
        for name, (query, shape) in queries.items():
            encoding.save(folder / f"{name}.npy", query.run(model.model).reshape(shape))
        progress.add(1)
    shutil.copy(Path(trained) / "attempts.csv", Path(out) / "attempts.csv")


def build_queries(
    tokenizer: object, chosen: Templates, intersections: list[list[str]]
) -> Mapping[str, tuple[Queries, tuple]]:
    """Build the queries of masked tokens and the shapes of their results, by the name of the results' file."""
    sizes = {name: len(attribute.groups) for name, attribute in chosen.attributes.items()}
    queries, n = {}, len(chosen.occupations)
    for name, attribute in chosen.attributes.items():
        query = planted_groups.queries(tokenizer, chosen.test, name, attribute, chosen.occupations)
        queries[f"{name}/unmasking"] = query, (n, -1, sizes[name])
    for condition, name in intersections:
        pair = [(attribute, chosen.attributes[attribute]) for attribute in (condition, name)]
        query = planted_groups.joint_queries(tokenizer, chosen.test, *pair, chosen.occupations)
        queries[f"{name}/given_{condition}"] = query, (n, -1, sizes[condition] + 1, sizes[name])
    return queries


if __name__ == "__main__":
    scripts.run(main, snakemake, forms=snakemake.input.templates)
