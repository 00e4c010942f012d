"""Select the models of the SAME study that learned their bias, and measure their bias directions and effect sizes."""

import logging
from itertools import combinations
from pathlib import Path

import numpy as np
import pandas as pd

from biassay.core import arrays, scripts
from biassay.language_models import templates, unmasking
from biassay.language_models.planted.grids import model_folders
from biassay.statistics.correlation import pearson, signed_r2
from biassay.studies.same import directions, effect_size, tables


def main(
    plan: str, training: str, occupations: str, forms: str, groups: dict, encoded: list[str], min_r2: float,
    pooling: str, table: str, bias: str, angles_out: str, effect_size_out: str,
) -> None:  # fmt: skip
    models = pd.read_csv(plan).drop(columns=["chunk", "place"])
    trained = pd.read_csv(training, dtype={"occupation": str})
    folders, chosen = model_folders(plan, encoded), tables.read_occupations(occupations)
    trained["unmasking"] = np.concatenate([p_male(folders[m] / "pronouns.npy", len(chosen)) for m in models["model"]])
    by_model = trained.groupby("model")
    models["r2"] = [signed_r2(pearson(part["unmasking"], part["training"])[0]) for _, part in by_model]
    models["learned"] = models["r2"] >= min_r2
    check_learned(models, min_r2)
    models.to_csv(table, index=False, float_format="%.6g")
    trained.drop(columns="planted").to_csv(bias, index=False, float_format="%.6g")

    test_templates = templates.read(forms, groups)["test"]
    kinds = np.tile([template.kind for template in test_templates], len(test_templates[0].forms[0]))
    measure_angles(folders, pooling, chosen["stereotype"], kinds).to_csv(angles_out, index=False, float_format="%.6g")
    model = effect_size.select_model(tables.load_grid(table, bias))
    embedded = tables.read_embeddings(folders[model], pooling, chosen["stereotype"])
    steps = effect_size.demonstrate(chosen["word"].tolist(), embedded.targets.mean(axis=1), embedded.groups)
    steps.assign(model=model).to_csv(effect_size_out, index=False, float_format="%.6g")


def p_male(path: Path, n_occupations: int) -> np.ndarray:
    """Compute a model's mean p(male) of each occupation from its log-probabilities of the pronouns."""
    values = arrays.open_array(path, "f", (None, len(templates.GROUPS)), finite=True)
    shares = unmasking.normalise(values)[:, templates.GROUPS.index("male")]
    return arrays.split_rows(path, shares, n_occupations).mean(axis=1)


def check_learned(models: pd.DataFrame, min_r2: float) -> None:
    """Log how well the models learned their bias; raise ValueError if none did."""
    n_learned, quartiles = int(models["learned"].sum()), models["r2"].quantile([0, 0.25, 0.5, 0.75, 1]).tolist()
    logging.info("R² of unmasking with training bias: minimum %.3f, quartiles %.3f %.3f %.3f, maximum %.3f", *quartiles)
    logging.info("%d models learned their bias (R² ≥ %g), %d did not", n_learned, min_r2, len(models) - n_learned)
    if not n_learned:
        raise ValueError(
            f"same.min_r2: none of {len(models)} models reaches R² ≥ {min_r2}, the maximum is {quartiles[-1]:.3f}; "
            "train for more epochs or with another learning_rate (same.training), or lower same.min_r2"
        )


def measure_angles(folders: dict[int, Path], pooling: str, stereotypes: pd.Series, kinds: np.ndarray) -> pd.DataFrame:
    """Measure the angles between each pair of a model's bias directions."""
    rows = []
    for model, folder in folders.items():
        embedded = tables.read_embeddings(folder, pooling, stereotypes)
        by_name = directions.bias_directions(embedded.groups, kinds)
        for (first, left), (second, right) in combinations(by_name.items(), 2):
            cosine = float(np.clip(left @ right, -1, 1))
            rows.append((model, first, second, cosine, np.degrees(np.arccos(cosine))))
    return pd.DataFrame(rows, columns=["model", "first", "second", "cosine", "angle"])


if __name__ == "__main__":
    scripts.run(
        main, snakemake, forms=snakemake.input.templates, table=snakemake.output.models, bias=snakemake.output.bias
    )
