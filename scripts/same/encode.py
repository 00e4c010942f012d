"""Compute the pronoun probabilities and embeddings of all test sentences with a chunk of fine-tuned models."""

from pathlib import Path

from biassay.core import logs, scripts
from biassay.language_models import encoding, loading, template_sentences, templates, unmasking
from biassay.language_models.stacked.files import load_into
from biassay.studies.same import tables


def main(base: str, trained: str, forms: str, groups: dict, occupations: str, plan: str, chunk: int, out: str) -> None:
    numbers = tables.read_plan(plan, chunk=chunk)["model"].tolist()
    chosen = templates.read(forms, groups)["test"]
    words, _ = templates.occupations(occupations)
    model = loading.load(base, kind="masked")
    variants = range(len(chosen[0].forms[0]))
    queries = [template_sentences.mask(model.tokenizer, templates.fill(chosen, words, form)) for form in variants]
    targets = encoding.target_sentences(model.tokenizer, chosen, words)
    pronouns = encoding.group_sentences(model.tokenizer, chosen)
    progress = logs.Progress("encoding", len(numbers), "models")
    for row, number in enumerate(numbers):
        load_into(model.model, trained, row)
        folder = Path(out) / str(number)
        encoding.encode(model, targets, 1).save(folder / "targets")
        encoding.encode(model, pronouns, 0).save(folder / "groups")
        encoding.save(folder / "pronouns.npy", unmasking.pronoun_log_probabilities(model.model, *queries))
        progress.add(1)


if __name__ == "__main__":
    scripts.run(main, snakemake, forms=snakemake.input.templates)
