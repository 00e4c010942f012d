"""Correlate set-level scores with the bias in the data and in the model (Figure 3 of intrinsic-2023)."""

from biassay.core import scripts
from biassay.measurement import metric
from biassay.studies.intrinsic import agreement, tables

PERMUTATIONS = 9999
LEAKING = " (leaking)"


def main(
    models: str, bias: str, scores: list[str], metrics: dict[str, str], resamples: int, seed: int,
    sets: str, set_comparisons: str,
) -> None:  # fmt: skip
    study = tables.load_study(models, bias)
    values: dict[tuple, dict] = {(attribute, labels): {} for attribute in study.attributes
                                 for labels in (tables.NOISY, tables.IDEAL)}  # fmt: skip
    for (name, file), path in zip(metrics.items(), scores, strict=True):
        for (attribute, labels, level), scores_of_sets in tables.read_set_scores(
            study, path, metric.load(file)
        ).items():
            values[attribute, labels][name + LEAKING * (level == tables.LEAKING)] = scores_of_sets
    agreement.correlate_sets(study, values, resamples, seed).to_csv(sets, index=False, float_format="%.6g")
    without_leaking = {key: {name: series for name, series in by_metric.items() if LEAKING not in name}
                       for key, by_metric in values.items()}  # fmt: skip
    tests = agreement.compare_sets(study, without_leaking, PERMUTATIONS, seed)
    tests.to_csv(set_comparisons, index=False, float_format="%.6g")


if __name__ == "__main__":
    scripts.run(main, snakemake)
