"""Compare the scores of all metrics with the bias in the data and in the model: the tables of the intrinsic study."""

from biassay.core import scripts
from biassay.language_models.planted.grids import model_folders
from biassay.measurement import metric
from biassay.studies.intrinsic import agreement, detection, tables, templates, variability


def main(
    plan: str, models: str, bias: str, encoded: list[str], scores: list[str], subsets: list[str], published: str,
    variants: dict[str, dict], reliability: dict, n_subsets: int, resamples: int, seed: int,
    out: dict[str, str],
) -> None:  # fmt: skip
    study = tables.load_study(models, bias)
    modules = {name: metric.load(variant["metric"]) for name, variant in variants.items()}
    by_metric = {name: tables.read_scores(path) for name, path in zip(variants, scores, strict=True)}
    folders = model_folders(plan, encoded)

    words, signed = tables.select_word_scores(study, by_metric, modules)
    correlations = agreement.correlate_words(study, words)
    summary = agreement.summarise_correlations(correlations, resamples, seed)
    rows = tables.read(published, tables.PRINTED, comment="#")
    printed = dict(list(rows.groupby("output")))
    published_r = printed["F2"].set_index("metric")["value"]
    summary["published_max"] = summary["second"].map(published_r).where(summary["first"] == agreement.DATA)

    options = {name: variant["options"] for name, variant in variants.items()}
    sets = tables.select_set_scores(study, by_metric, modules, options)

    subset_tables = {
        name: tables.read(path, tables.SUBSETS, allow_empty=True) for name, path in zip(variants, subsets, strict=True)
    }
    power = detection.power_by_strength(study, subset_tables, modules, options, n_subsets, seed)
    by_template, curve = templates.measure_reliability(study, folders, **reliability, seed=seed)
    by_template["published"] = by_template["attribute"].map(printed["T3"].set_index("attribute")["value"])

    retraining = variability.retraining_variability(study, by_metric, resamples, seed)
    keys = printed["T4"]["attribute"] + " " + printed["T4"]["metric"]
    by_key = dict(zip(keys, printed["T4"]["value"], strict=True))
    retraining["published"] = (retraining["attribute"] + " " + retraining["metric"]).map(by_key)

    signs = agreement.correlate_words(study, signed, with_sign=True)
    results = {
        "correlations": correlations,
        "words": summary,
        "signs": agreement.summarise_correlations(signs, resamples, seed),
        "comparisons": agreement.compare_words(correlations, seed),
        "attribute_comparisons": agreement.compare_attributes(study, correlations, seed),
        "sets": agreement.correlate_sets(study, sets, resamples, seed),
        "set_comparisons": agreement.compare_sets(study, sets, seed),
        "reliability": by_template,
        "reliability_curve": curve,
        "retraining_variability": retraining,
        "power": power,
        "min_detectable_effect": detection.min_detectable_effects(power),
    }
    for name, table in results.items():
        table.to_csv(out[name], index=False, float_format="%.6g")


if __name__ == "__main__":
    scripts.run(main, snakemake)
