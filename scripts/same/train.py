"""Fine-tune a chunk of the SAME study's models, each on its own sentences; resumes after an interruption."""

import logging
import shutil
from pathlib import Path

import pandas as pd

from biassay.core import guard, scripts
from biassay.language_models import distributions, loading, template_sentences, templates
from biassay.language_models.stacked.training import train
from biassay.studies.same import tables


def main(
    base: str, forms: str, groups: dict, occupations: str, plan: str, sentences: str, chunk: int, training: dict,
    working: str, out: str,
) -> None:  # fmt: skip
    models = tables.read_plan(plan, chunk=chunk)
    sentence_templates = templates.read(forms, groups)["training"]
    words, _ = templates.occupations(occupations)
    tokenizer = loading.load(base, kind="masked", device="cpu").tokenizer
    masked = template_sentences.mask(tokenizer, templates.fill(sentence_templates, words))
    filters = [("model", "in", models["model"].tolist()), ("held_out", "==", False)]
    with guard.reading(sentences, "table of sentences"):
        parts = dict(list(pd.read_parquet(sentences, filters=filters).groupby("model")))
        data = [
            masked.take(distributions.sentence_rows(parts[model], len(sentence_templates))) for model in models["model"]
        ]
    logging.info("%d models, %d sentences each", len(data), len(data[0]))
    # Snakemake deletes the output folder of a killed job, so the checkpoint is in a folder of its own.
    train(base, data, seeds=models["seed"].tolist(), folder=working, **training)
    Path(out).mkdir(parents=True, exist_ok=True)
    for name in ("weights.safetensors", "losses.csv"):
        shutil.move(Path(working) / name, Path(out) / name)
    shutil.rmtree(working)


if __name__ == "__main__":
    scripts.run(main, snakemake, forms=snakemake.input.templates)
