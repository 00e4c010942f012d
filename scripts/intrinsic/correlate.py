"""How far scores of words follow the bias in the data and in the model: F2 of the intrinsic study, as tables."""

import logging

from biassay.measurement import metric
from biassay.studies.intrinsic import agreement, tables
from biassay.support import logs


def main(
    models: str, bias: str, scores: list[str], published: str, metrics: dict[str, str], resamples: int, seed: int,
    out: dict[str, str],
) -> None:  # fmt: skip
    study = tables.load(models, bias)
    samples: dict[str, dict] = {attribute: {} for attribute in study.attributes}
    signed: dict[str, dict] = {}
    for (name, file), path in zip(metrics.items(), scores, strict=True):
        for attribute, (values, has_sign) in tables.word_scores(study, path, metric.load(file)).items():
            samples[attribute][name] = values.abs() if has_sign else values
            if has_sign:
                signed.setdefault(attribute, {})[name] = values
    logging.info("%d models; metrics of words: %s", len(study.grid),
                 ", ".join(f"{len(of)} of {attribute}" for attribute, of in samples.items()))  # fmt: skip
    correlations = agreement.of_words(study, samples)
    words = agreement.summarise(correlations, resamples, seed)
    printed = tables.printed(published, "F2").set_index("metric")["value"]
    words["published_max"] = words["second"].map(printed).where(words["first"] == agreement.DATA)
    signs = agreement.summarise(agreement.of_signs(study, signed), resamples, seed)
    comparisons = agreement.compare_words(correlations, seed)
    results = {"correlations": correlations, "words": words, "signs": signs, "comparisons": comparisons}
    for name, table in results.items():
        table.to_csv(out[name], index=False, float_format="%.6g")


if __name__ == "__main__":
    logs.start(snakemake.log[0])
    main(
        models=snakemake.input.models,
        bias=snakemake.input.bias,
        scores=list(snakemake.input.scores),
        published=snakemake.input.published,
        metrics=snakemake.params.metrics,
        resamples=snakemake.params.resamples,
        seed=snakemake.params.seed,
        out=dict(snakemake.output.items()),
    )
