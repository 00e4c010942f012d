"""How far scores of sets follow the bias in the data and in the model: F3 of the intrinsic study, as tables."""

from biassay.measurement import metric
from biassay.studies.intrinsic import agreement, tables
from biassay.support import logs

PERMUTATIONS = 9999
LEAKING = " (leaking)"


def main(
    models: str, bias: str, scores: list[str], metrics: dict[str, str], resamples: int, seed: int,
    sets: str, set_comparisons: str,
) -> None:  # fmt: skip
    study = tables.load(models, bias)
    values: dict[tuple, dict] = {(attribute, labels): {} for attribute in study.attributes
                                 for labels in (tables.NOISY, tables.IDEAL)}  # fmt: skip
    for (name, file), path in zip(metrics.items(), scores, strict=True):
        for (attribute, labels, level), found in tables.set_answers(study, path, metric.load(file)).items():
            values[attribute, labels][name + LEAKING * (level == tables.LEAKING)] = found
    agreement.of_sets(study, values, resamples, seed).to_csv(sets, index=False, float_format="%.6g")
    honest = {key: {name: of for name, of in found.items() if LEAKING not in name} for key, found in values.items()}
    tests = agreement.compare_sets(study, honest, PERMUTATIONS, seed)
    tests.to_csv(set_comparisons, index=False, float_format="%.6g")


if __name__ == "__main__":
    logs.start(snakemake.log[0])
    main(
        models=snakemake.input.models,
        bias=snakemake.input.bias,
        scores=list(snakemake.input.scores),
        metrics=snakemake.params.metrics,
        resamples=snakemake.params.resamples,
        seed=snakemake.params.seed,
        sets=snakemake.output.sets,
        set_comparisons=snakemake.output.set_comparisons,
    )
