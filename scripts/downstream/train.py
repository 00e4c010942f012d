"""Fine-tune copies of a language model with planted bias of known strength; resume after an interruption."""

import logging
import shutil
from pathlib import Path

import pandas as pd

from biassay.core import scripts
from biassay.language_models import loading
from biassay.language_models.planted import material
from biassay.language_models.stacked.files import load_into
from biassay.language_models.stacked.training import train
from biassay.studies.downstream import planted


def main(base: str, plan: str, settings: dict, seed: int, working: str, out: str) -> None:
    models = pd.read_csv(plan)
    templates = planted.select_templates(settings, seed=seed)
    model = loading.load(base, kind="masked")
    groups = [templates.draw_groups(settings | row, seed=seed)[1] for row in models.to_dict("records")]
    # Each sentence is there with its group word masked and with its occupation masked, so that models learn which
    # groups an occupation suggests and which occupations a group suggests; pseudo-log-likelihoods depend on the latter.
    data = templates.training_sentences(model.tokenizer, groups, with_occupations=True)
    logging.info("%d models, %d sentences each", len(data), len(data[0]))
    # The checkpoint is outside the output folder, which Snakemake removes when a job is killed.
    options = settings["training"]
    options = options | {"vocabulary": material.vocabulary(options["vocabulary"], model.tokenizer, templates)}
    train(base, data, seeds=models["seed"].tolist(), folder=working, **options)
    queries, full = templates.queries(model.tokenizer), planted.probabilities(templates, settings, seed=seed)
    rows = []
    for number in models["model"]:
        load_into(model.model, working, number)
        predicted = templates.unmasked_probabilities(queries, model.model)
        slopes = planted.learned_strengths(predicted, full)
        rows.append({f"learned_{name}": slope for name, slope in slopes.items()})
    Path(out).mkdir(parents=True, exist_ok=True)
    shutil.move(Path(working) / "weights.safetensors", Path(out) / "weights.safetensors")
    models.join(pd.DataFrame(rows)).to_csv(Path(out) / "models.csv", index=False, float_format="%.6g")
    shutil.rmtree(working)


if __name__ == "__main__":
    scripts.run(main, snakemake)
