"""Compare the scores of all metrics with the planted bias: the tables of the SAME study."""

import logging

import pandas as pd

from biassay.core import scripts
from biassay.measurement import evaluation, metric
from biassay.measurement.occupation_embeddings import UNRATED
from biassay.studies.same import agreement, directions, tables, variability


def main(
    models: str, bias: str, scores: list[str], occupations: str, subsets: list[str], angles: str, published: str,
    metrics: dict[str, str], resamples: int, seed: int, out: dict[str, str],
) -> None:  # fmt: skip
    grid, printed = tables.load_grid(models, bias), tables.read(published, tables.PRINTED, comment="#")
    by_metric = {name: tables.read_scores(grid, path) for name, path in zip(metrics, scores, strict=True)}
    words = {name: values.word for name, values in by_metric.items() if values.word is not None}
    sets = {name: values.set for name, values in by_metric.items() if values.set is not None}
    modules = {name: metric.load(file) for name, file in metrics.items()}
    declared = {name: module.METRIC for name, module in modules.items()}
    signed = {name: declared[name].range("word", 2).signed for name in words}
    logging.info("%d of %d models learned their bias", len(grid.learned_models), len(grid.models))
    logging.info("%d word-level and %d set-level metrics", len(words), len(sets))

    correlations = agreement.correlate_words(grid, agreement.orient_scores(words, "word", modules), signed)
    summary = agreement.summarise_correlations(correlations, resamples, seed)
    is_published = (summary["signed"] == (summary["ground_truth"] == agreement.SIGNED)) & (
        summary["against"] == "training"
    )
    summary["published"] = summary["metric"].map(select_published(printed, "F6", "metric")).where(is_published)

    model_angles = tables.read(angles, tables.DIRECTIONS)
    differences = directions.compare_with_direct_bias(grid, correlations, model_angles)
    categories = directions.summarise_categories(differences)
    categories["published"] = ("angle_" + categories["category"]).map(select_published(printed, "F7 F8", "quantity"))

    signed_sets = {name: declared[name].range("set", 2).signed for name in sets}
    magnitudes = agreement.orient_scores(sets, "set", modules)
    set_table = agreement.correlate_sets(grid, magnitudes, signed_sets, resamples, seed)
    figure = printed[printed["output"] == "F9"]
    published_r2 = dict(zip(figure["metric"] + " " + figure["quantity"], figure["value"], strict=True))
    set_table["published"] = (set_table["metric"] + " r2_" + set_table["against"]).map(published_r2)

    retraining = variability.retraining_variability(grid, words, resamples, seed)
    subset_tables = {}
    for name, path in zip(metrics, subsets, strict=True):
        if "set" in declared[name].levels:
            table = tables.read(path, tables.SUBSETS, allow_empty=True)
            subset_tables[name] = table[table["model"].isin(grid.learned_models.index)]
    labels = tables.label_occupations(tables.read_occupations(occupations)["stereotype"])
    rated = labels[labels != UNRATED]
    widths = {name: evaluation.compute_range(modules[name], "set", 2, rated, {}).width for name in subset_tables}
    subsampling = variability.subsampling_variability(grid, subset_tables, widths, resamples, seed)
    retraining["published"] = retraining["metric"].map(select_published(printed, "T2", "metric"))
    subsampling["published"] = subsampling["metric"].map(select_published(printed, "T3", "metric"))

    results = {
        "correlations": correlations,
        "summary": summary,
        "comparisons": agreement.compare_words(correlations, seed),
        "differences": differences,
        "angles": categories,
        "directions": directions.summarise_angles(grid, model_angles),
        "sets": set_table,
        "set_comparisons": agreement.compare_sets(grid, magnitudes, signed_sets, seed),
        "retraining_variability": retraining,
        "subsampling_variability": subsampling,
    }
    for name, table in results.items():
        table.to_csv(out[name], index=False, float_format="%.6g")


def select_published(printed: pd.DataFrame, outputs: str, key: str) -> dict[str, float]:
    """Select the published values of some figures or tables, by a column."""
    rows = printed[printed["output"].isin(outputs.split())]
    return dict(zip(rows[key], rows["value"], strict=True))


if __name__ == "__main__":
    scripts.run(main, snakemake)
