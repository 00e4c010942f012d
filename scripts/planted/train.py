"""Fine-tune a chunk of the models with planted bias until they learned it; resumes after an interruption."""

import logging
from pathlib import Path

import numpy as np
import pandas as pd

from biassay.core import arrays, scripts
from biassay.language_models import loading
from biassay.language_models.planted import material, training
from biassay.language_models.planted.distributions import GRID, correlate
from biassay.language_models.stacked.files import load_into
from biassay.studies.intrinsic import tables


def main(
    base: str, templates: str, occupations: list[str], settings: dict, plan: str, groups: str, bias: list[str],
    chunk: int, options: dict, min_r: float | None, attempts: int, seed: int, working: str, out: str,
) -> None:  # fmt: skip
    models = pd.read_csv(plan).query("chunk == @chunk")
    chosen, model = material.read(templates, occupations, settings, seed=seed), loading.load(base, kind="masked")
    drawn = arrays.open_array(groups, "i", (None, len(chosen.occupations), None))
    numbers = models["model"].tolist()
    data = chosen.training_sentences(model.tokenizer, [drawn[number] for number in numbers])
    logging.info("%d models, %d sentences each", len(data), len(data[0]))
    required = [-1.0] * len(models)
    if min_r is not None:
        probabilities = tables.read(bias[0], tables.PLANNED)
        queries = chosen.queries(model.tokenizer)
        required = [min_r if purpose == GRID else -1.0 for purpose in models["purpose"]]

    def evaluate(folder: Path, row: int, i: int) -> dict[str, float]:
        if min_r is None:
            return {"r": np.nan}
        load_into(model.model, folder, row)
        of_model = probabilities[probabilities["model"] == numbers[i]]
        data = {name: tables.select_probabilities(of_model, name, "data").to_numpy() for name in chosen.attributes}
        return correlate(data, chosen.unmasked_probabilities(queries, model.model))

    table = training.train(base, data, seeds=models["seed"].tolist(), evaluate=evaluate, min_r=required,
                           attempts=attempts, folder=working, **options)  # fmt: skip
    training.finish(table.assign(model=[numbers[i] for i in table["model"]]), working, out)


if __name__ == "__main__":
    scripts.run(main, snakemake, options=snakemake.params.training)
