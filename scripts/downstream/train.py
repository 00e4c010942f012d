"""Fine-tune copies of a language model with planted bias of known strength; goes on after a break."""

import logging
import shutil
from pathlib import Path

import pandas as pd

from biassay.language_models import loading, planted_groups
from biassay.language_models.stacked.files import load_into
from biassay.language_models.stacked.training import train
from biassay.studies.downstream import planted, tables
from biassay.support import logs


def main(base: str, plan: str, settings: dict, seed: int, working: str, out: str) -> None:
    models = tables.plan(plan)
    chosen = planted.material_of(settings, seed=seed)
    model = loading.load(base, kind="masked")
    of_models = [
        (planted.probabilities(chosen, settings, row.strength, seed=seed), row.seed) for row in models.itertuples()
    ]
    data = planted.training(model.tokenizer, chosen, of_models)
    logging.info("%d models, %d sentences each", len(data), len(data[0]))
    # Not in the output's folder: Snakemake removes what a killed job has left there, and with it the checkpoint.
    train(base, data, seeds=models["seed"].tolist(), folder=working, **settings["training"])
    asked = {name: planted_groups.queries(model.tokenizer, chosen.test, name, attribute, chosen.occupations)
             for name, attribute in chosen.attributes.items()}  # fmt: skip
    full, rows = planted.probabilities(chosen, settings, 1.0, seed=seed), []
    for number in models["model"]:
        load_into(model.model, working, number)
        found = {}
        for name, questions in asked.items():
            shape = len(chosen.occupations), len(chosen.attributes[name].groups)
            found[name] = planted_groups.probabilities(questions.run(model.model), *shape).mean(axis=1)
        rows.append({f"learned_{name}": slope for name, slope in
                     planted.learned(found, full, chosen.attributes).items()})  # fmt: skip
    Path(out).mkdir(parents=True, exist_ok=True)
    for name in ("weights.safetensors", "losses.csv"):
        shutil.move(Path(working) / name, Path(out) / name)
    models.join(pd.DataFrame(rows)).to_csv(Path(out) / "models.csv", index=False, float_format="%.6g")
    shutil.rmtree(working)


if __name__ == "__main__":
    logs.start(snakemake.log[0])
    main(
        base=snakemake.params.base,
        plan=snakemake.input.plan,
        settings=snakemake.params.settings,
        seed=snakemake.params.seed,
        working=snakemake.params.working,
        out=snakemake.output[0],
    )
