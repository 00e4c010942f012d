"""Correlate word-level scores with the bias in the data and in the model (Figure 2 of intrinsic-2023)."""

import logging

from biassay.core import scripts
from biassay.measurement import metric
from biassay.studies.intrinsic import agreement, tables


def main(
    models: str, bias: str, scores: list[str], published: str, metrics: dict[str, str], resamples: int, seed: int,
    out: dict[str, str],
) -> None:  # fmt: skip
    study = tables.load_study(models, bias)
    word_scores: dict[str, dict] = {attribute: {} for attribute in study.attributes}
    signed: dict[str, dict] = {}
    for (name, file), path in zip(metrics.items(), scores, strict=True):
        for attribute, (values, is_signed) in tables.read_word_scores(study, path, metric.load(file)).items():
            word_scores[attribute][name] = values.abs() if is_signed else values
            if is_signed:
                signed.setdefault(attribute, {})[name] = values
    counts = ", ".join(f"{len(by_metric)} for {attribute}" for attribute, by_metric in word_scores.items())
    logging.info("%d models; word-level metrics: %s", len(study.grid), counts)
    correlations = agreement.correlate_words(study, word_scores)
    words = agreement.summarise_correlations(correlations, resamples, seed)
    published_r = tables.read_published(published, "F2").set_index("metric")["value"]
    words["published_max"] = words["second"].map(published_r).where(words["first"] == agreement.DATA)
    signs = agreement.summarise_correlations(agreement.correlate_signs(study, signed), resamples, seed)
    comparisons = agreement.compare_words(correlations, seed)
    results = {"correlations": correlations, "words": words, "signs": signs, "comparisons": comparisons}
    for name, table in results.items():
        table.to_csv(out[name], index=False, float_format="%.6g")


if __name__ == "__main__":
    scripts.run(main, snakemake, out=dict(snakemake.output.items()))
