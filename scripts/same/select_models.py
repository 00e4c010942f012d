"""Select the models of the SAME study that learned the bias of their training sentences."""

import logging
from pathlib import Path

import pandas as pd

from biassay.core import arrays, scripts
from biassay.core.csv_tables import check_rows
from biassay.language_models import templates, unmasking
from biassay.statistics.correlation import pearson
from biassay.studies.same import tables


def main(plan: str, training: str, encoded: list[str], min_r2: float, table: str, bias: str) -> None:
    models, trained = tables.read_plan(plan, chunks=len(encoded)), tables.read(training, tables.TRAINING)
    check_rows(training, trained, {"model": models["model"], "occupation": trained["occupation"].unique()})
    male = templates.GROUPS.index("male")
    parts = []
    for model, of_model in trained.groupby("model"):
        chunk = models.set_index("model")["chunk"][model]
        path = Path(encoded[chunk]) / str(model) / "pronouns.npy"
        values = unmasking.normalise(arrays.open_array(path, "f", (None, len(templates.GROUPS)), finite=True))[:, male]
        means = arrays.split_rows(path, values, len(of_model)).mean(axis=1)
        parts.append(of_model[["model", "occupation", "training"]].assign(unmasking=means))
    models["r2"] = [float(pearson(part["unmasking"], part["training"])[0] ** 2) for part in parts]
    models["learned"] = models["r2"] >= min_r2
    n_learned, quartiles = int(models["learned"].sum()), models["r2"].quantile([0, 0.25, 0.5, 0.75, 1]).tolist()
    logging.info("R² of unmasking with training bias: minimum %.3f, quartiles %.3f %.3f %.3f, maximum %.3f", *quartiles)
    logging.info("%d models learned their bias (R² ≥ %g), %d did not", n_learned, min_r2, len(models) - n_learned)
    if not n_learned:
        raise ValueError(
            f"same.min_r2: none of {len(models)} models reaches R² ≥ {min_r2}, the maximum is {quartiles[-1]:.3f}; "
            "train for more epochs or with another learning_rate (same.training), or lower same.min_r2"
        )
    models.drop(columns="chunk").to_csv(table, index=False, float_format="%.6g")
    pd.concat(parts).to_csv(bias, index=False, float_format="%.6g")


if __name__ == "__main__":
    scripts.run(main, snakemake, table=snakemake.output.models)
