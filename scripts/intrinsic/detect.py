"""Compute each metric's power by strength of the planted bias, and its minimum detectable effect."""

import pandas as pd

from biassay.core import scripts
from biassay.measurement import metric, occupation_embeddings
from biassay.studies.intrinsic import detection, tables


def main(
    models: str, bias: str, subsets: list[str], metrics: dict[str, str], n_subsets: int, seed: int,
    power: str, min_detectable_effect: str,
) -> None:  # fmt: skip
    study, parts = tables.load_study(models, bias), []
    models_index = study.detection.index
    for attribute in study.attributes if len(models_index) else []:
        divergences = study.divergence(attribute, "data", models_index)
        halves = occupation_embeddings.draw_halves(divergences.shape[1], n_subsets, seed=seed)
        unmasking = study.divergence(attribute, "unmasking", models_index).to_numpy()
        scores = {"unmasking": pd.DataFrame(unmasking[:, halves].mean(axis=2), models_index)}
        for (name, file), path in zip(metrics.items(), subsets, strict=True):
            table = tables.read(path, tables.SUBSETS, allow_empty=True).query("attribute == @attribute")
            declared = metric.load(file).METRIC
            if len(table):
                wide = table.pivot(index="model", columns="subset", values="value").reindex(models_index)
                bounds = declared.range("set", len(study.groups(attribute)))
                scores[name] = wide.apply(detection.bias_magnitude, bounds=bounds, two_sided=declared.groups != (0, 0))
        strengths = study.detection["strength"]
        for name, values in scores.items():
            curve = detection.power_curve(values, divergences.mean(axis=1), strengths)
            parts.append(curve.assign(attribute=attribute, metric=name))
    curves = pd.concat(parts)[detection.COLUMNS] if parts else pd.DataFrame(columns=detection.COLUMNS)
    curves.to_csv(power, index=False, float_format="%.6g")
    detection.min_detectable_effects(curves).to_csv(min_detectable_effect, index=False, float_format="%.6g")


if __name__ == "__main__":
    scripts.run(main, snakemake)
