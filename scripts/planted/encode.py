"""Compute the group probabilities and embeddings of all test sentences with the models of a training job."""

import shutil
from pathlib import Path

import pandas as pd

from biassay.core import logs, scripts
from biassay.language_models import encoding, loading
from biassay.language_models.planted import material
from biassay.language_models.stacked.files import load_into


def main(base: str, trained: str, templates: str, occupations: list[str], settings: dict, seed: int, out: str) -> None:
    best = pd.read_csv(Path(trained) / "attempts.csv").query("best")
    chosen, model = material.read(templates, occupations, settings, seed=seed), loading.load(base, kind="masked")
    embedded = chosen.embedded_sentences(model.tokenizer)
    queries = chosen.queries(model.tokenizer)
    progress = logs.Progress("encoding", len(best), "models")
    for place, attempt, row in best[["place", "attempt", "row"]].itertuples(index=False):
        load_into(model.model, Path(trained) / str(attempt), row)
        folder = Path(out) / str(place)
        for name, (sentences, word) in embedded.items():
            for pooling, vectors in encoding.encode(model, sentences, word).items():
                encoding.save(folder / name / f"{pooling}.npy", vectors)
        for name, query in queries.items():
            encoding.save(folder / f"{name}.npy", query(model.model))
        progress.add(1)
    shutil.copy(Path(trained) / "attempts.csv", Path(out) / "attempts.csv")


if __name__ == "__main__":
    scripts.run(main, snakemake)
