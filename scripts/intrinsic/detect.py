"""The smallest planted bias that each metric detects: power curves over the strengths of the detection models."""

import pandas as pd

from biassay.measurement import metric
from biassay.studies.intrinsic import detection, tables
from biassay.support import logs


def main(
    models: str, bias: str, subsets: list[str], metrics: dict[str, str], n_subsets: int, seed: int,
    power: str, min_detectable_effect: str,
) -> None:  # fmt: skip
    study, parts = tables.load(models, bias), []
    numbers = study.detection.index
    for attribute in study.attributes if len(numbers) else []:
        divergences = study.divergence(attribute, "data", numbers)
        halves = occupation_embeddings.draw_halves(divergences.shape[1], n_subsets, seed=seed)
        unmasking = study.divergence(attribute, "unmasking", numbers).to_numpy()
        scores = {"unmasking": pd.DataFrame(unmasking[:, halves].mean(axis=2), numbers)}
        for (name, file), path in zip(metrics.items(), subsets, strict=True):
            table = tables.read(path, tables.SUBSETS, allow_empty=True).query("attribute == @attribute")
            declared = metric.load(file).METRIC
            if len(table):
                wide = table.pivot(index="model", columns="subset", values="value").reindex(numbers)
                bounds = declared.range("set", len(study.groups(attribute)))
                scores[name] = wide.apply(detection.as_bias, bounds=bounds, two_sided=declared.groups != (0, 0))
        strengths = study.detection["strength"]
        parts += [detection.powers(values, divergences.mean(axis=1), strengths).assign(attribute=attribute, metric=name)
                  for name, values in scores.items()]  # fmt: skip
    curves = pd.concat(parts)[detection.COLUMNS] if parts else pd.DataFrame(columns=detection.COLUMNS)
    curves.to_csv(power, index=False, float_format="%.6g")
    detection.smallest(curves).to_csv(min_detectable_effect, index=False, float_format="%.6g")


if __name__ == "__main__":
    logs.start(snakemake.log[0])
    main(
        models=snakemake.input.models,
        bias=snakemake.input.bias,
        subsets=list(snakemake.input.subsets),
        metrics=snakemake.params.metrics,
        n_subsets=snakemake.params.n_subsets,
        seed=snakemake.params.seed,
        power=snakemake.output.power,
        min_detectable_effect=snakemake.output.min_detectable_effect,
    )
