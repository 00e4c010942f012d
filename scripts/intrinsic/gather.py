"""Gather the training attempts and the unmasking probabilities of the intrinsic study's models."""

import logging
from pathlib import Path

import pandas as pd

from biassay.core import scripts
from biassay.language_models.planted.grids import GRID, model_folders
from biassay.studies.intrinsic import scores, tables


def main(plan: str, bias: str, encoded: list[str], min_r: float, models: str, attempts_out: str, out: str) -> None:
    planned, probabilities = pd.read_csv(plan), tables.read(bias, tables.PLANNED)
    of_jobs = {Path(folder).name: pd.read_csv(Path(folder) / "attempts.csv") for folder in encoded}
    attempts = pd.concat(of_jobs, names=["chunk"]).reset_index("chunk")
    attempts.insert(0, "model", attempts.merge(planned, on=["chunk", "place"])["model"].to_numpy())
    attempts = attempts.drop(columns=["chunk", "place", "row"]).sort_values(["attempt", "model"])
    best = attempts[attempts["best"]].drop(columns=["attempt", "best"])
    n_attempts = attempts.groupby("model")["attempt"].max().add(1).rename("attempts").reset_index()
    table = planned.merge(n_attempts, on="model").merge(best, on="model")
    table["learned"] = table["r"] >= min_r
    folders, parts = model_folders(plan, encoded), []
    for (model, attribute), of_model in probabilities.groupby(["model", "attribute"], sort=False):
        shape = of_model["occupation"].nunique(), of_model["group"].nunique()
        p = scores.read_unmasking(folders[model], attribute, *shape).mean(axis=1)
        parts.append(of_model.assign(unmasking=p.ravel()))
    grid = table[table["purpose"] == GRID]
    logging.info("%d of %d models learned their bias (r ≥ %g); minimum r %.3f", grid["learned"].sum(), len(grid), min_r,
                 grid["r"].min())  # fmt: skip
    attempts.to_csv(attempts_out, index=False, float_format="%.6g")
    table.drop(columns=["chunk", "place"]).to_csv(models, index=False, float_format="%.6g")
    pd.concat(parts).to_csv(out, index=False, float_format="%.6g")


if __name__ == "__main__":
    scripts.run(main, snakemake, out=snakemake.output.bias)
