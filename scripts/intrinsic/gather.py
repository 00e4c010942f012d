"""Gather the training attempts and the unmasking probabilities of the intrinsic study's models."""

import logging
from pathlib import Path

import pandas as pd

from biassay.core import scripts
from biassay.language_models.planted.distributions import GRID, model_folders
from biassay.studies.intrinsic import scores, tables


def main(plan: str, bias: str, encoded: list[str], min_r: float, models: str, attempts_out: str, out: str) -> None:
    planned, probabilities = pd.read_csv(plan), tables.read(bias, tables.PLANNED)
    attempts = pd.concat([pd.read_csv(Path(folder) / "attempts.csv") for folder in encoded])
    best = attempts[attempts["best"]].drop(columns=["attempt", "row", "best"])
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
    attempts.drop(columns="row").to_csv(attempts_out, index=False, float_format="%.6g")
    table.drop(columns="chunk").to_csv(models, index=False, float_format="%.6g")
    pd.concat(parts).to_csv(out, index=False, float_format="%.6g")


if __name__ == "__main__":
    scripts.run(main, snakemake, out=snakemake.output.bias)
