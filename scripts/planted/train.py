"""Fine-tune models until they learned their planted bias, and encode all test sentences; resumes when interrupted."""

import logging
import shutil
from pathlib import Path

import numpy as np

from biassay.core import scripts
from biassay.language_models import encoding, loading
from biassay.language_models.planted import material, training
from biassay.language_models.planted.distributions import correlate, group_frequencies
from biassay.language_models.planted.grids import GRID
from biassay.language_models.stacked.files import load_into


def main(
    base: str, templates: str, occupations: list[str], settings: dict, models: list[dict], options: dict,
    min_r: float | None, attempts: int, seed: int, working: str, out: str,
) -> None:  # fmt: skip
    chosen, model = material.read(templates, occupations, settings, seed=seed), loading.load(base, kind="masked")
    groups = [chosen.draw_groups(each, seed=seed)[1] for each in models]
    data = chosen.training_sentences(model.tokenizer, groups)
    logging.info("%d models, %d sentences each", len(data), len(data[0]))
    options = options | {"vocabulary": material.vocabulary(options["vocabulary"], model.tokenizer, chosen)}
    queries = chosen.queries(model.tokenizer)

    def evaluate(folder: Path, row: int, i: int) -> dict[str, float]:
        if min_r is None:
            return {"r": np.nan}
        load_into(model.model, folder, row)
        frequencies = group_frequencies(groups[i], chosen.columns, chosen.sizes)
        return correlate(frequencies, chosen.unmasked_probabilities(queries, model.model))

    required = [-1.0 if min_r is None or each["purpose"] != GRID else min_r for each in models]
    table = training.train(base, data, seeds=[each["seed"] for each in models], evaluate=evaluate, min_r=required,
                           attempts=attempts, folder=working, **options)  # fmt: skip
    table = table.rename(columns={"model": "place"})
    embedded, best = chosen.embedded_sentences(model.tokenizer), table[table["best"]]
    logging.info("encoding %d models", len(best))
    for place, attempt, row in best[["place", "attempt", "row"]].itertuples(index=False):
        load_into(model.model, Path(working) / str(attempt), row)
        folder = Path(out) / str(place)
        for name, (sentences, word) in embedded.items():
            for pooling, vectors in encoding.encode(model, sentences, word).items():
                encoding.save(folder / name / f"{pooling}.npy", vectors)
        for name, query in queries.items():
            encoding.save(folder / f"{name}.npy", query(model.model))
    table.to_csv(Path(out) / "attempts.csv", index=False)
    # Weights are outside the output folder, which Snakemake removes when a job is killed.
    shutil.rmtree(working)


if __name__ == "__main__":
    scripts.run(main, snakemake, options=snakemake.params.training)
