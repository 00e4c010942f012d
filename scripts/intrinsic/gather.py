"""Gather the training attempts and the unmasking probabilities of the intrinsic study's models."""

import logging
from pathlib import Path

import pandas as pd

from biassay.core import scripts
from biassay.language_models.planted.distributions import GRID
from biassay.language_models.planted.training import read_attempts
from biassay.studies.intrinsic import scores, tables


def main(plan: str, bias: str, encoded: list[str], min_r: float, models: str, attempts_out: str, out: str) -> None:
    planned = tables.read_plan(plan, chunks=len(encoded))
    probabilities = tables.read_probabilities(bias, planned["model"])
    chunks = (planned["model"][planned["chunk"] == chunk] for chunk in range(len(encoded)))
    attempts = pd.concat([read_attempts(folder, numbers) for folder, numbers in zip(encoded, chunks, strict=True)])
    best = attempts[attempts["best"]].drop(columns=["attempt", "row", "best"])
    n_attempts = attempts.groupby("model")["attempt"].max().add(1).rename("attempts").reset_index()
    table = planned.merge(n_attempts, on="model").merge(best, on="model")
    table["learned"] = table["r"] >= min_r
    parts = []
    for (model, attribute), of_model in probabilities.groupby(["model", "attribute"], sort=False):
        folder = Path(encoded[planned.set_index("model")["chunk"][model]])
        shape = of_model["occupation"].nunique(), of_model["group"].nunique()
        p = scores.read_unmasking(folder / str(model), attribute, *shape).mean(axis=1)
        parts.append(of_model.assign(unmasking=p.ravel()))
    grid = table[table["purpose"] == GRID]
    logging.info("%d of %d models learned their bias (r ≥ %g); minimum r %.3f", grid["learned"].sum(), len(grid), min_r,
                 grid["r"].min())  # fmt: skip
    attempts.drop(columns="row").to_csv(attempts_out, index=False, float_format="%.6g")
    table.drop(columns="chunk").to_csv(models, index=False, float_format="%.6g")
    pd.concat(parts).to_csv(out, index=False, float_format="%.6g")


if __name__ == "__main__":
    scripts.run(main, snakemake, out=snakemake.output.bias)
