"""Measure retraining variability: differences between models of one distribution (Table 4 of intrinsic-2023)."""

import pandas as pd

from biassay.core import scripts
from biassay.measurement import metric
from biassay.studies.intrinsic import tables, variability


def main(
    models: str, bias: str, scores: list[str], metrics: dict[str, str], published: str, retraining_variability: str
) -> None:
    study, rows = tables.load_study(models, bias), []
    distributions = study.grid["distribution"]
    for attribute in study.attributes:
        divergences = {name: study.divergence(attribute, name, study.grid.index) for name in ("data", "unmasking")}
        for name, values in divergences.items():
            rows.append(
                {"attribute": attribute, "metric": name, **variability.retraining_variability(values, distributions)}
            )
            rows.append({"attribute": attribute, "metric": f"{name} (root)",
                         **variability.retraining_variability(values**0.5, distributions)})  # fmt: skip
        for (name, file), path in zip(metrics.items(), scores, strict=True):
            if "word" not in metric.load(file).METRIC.levels:
                continue
            values = tables.select_word_scores(tables.read_scores(study, path), attribute, divergences["data"])
            if values is not None:
                rows.append(
                    {
                        "attribute": attribute,
                        "metric": name,
                        **variability.retraining_variability(values, distributions),
                    }
                )
    printed = tables.read_published(published, "T4")
    printed = dict(zip(printed["attribute"] + " " + printed["metric"], printed["value"], strict=True))
    table = pd.DataFrame(rows)
    table["published"] = (table["attribute"] + " " + table["metric"]).map(printed)
    table.to_csv(retraining_variability, index=False, float_format="%.6g")


if __name__ == "__main__":
    scripts.run(main, snakemake, retraining_variability=snakemake.output[0])
