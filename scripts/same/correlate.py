"""Correlate word-level scores with the planted bias (Figures 6 to 8 of same-2021)."""

import logging

import pandas as pd

from biassay.core import scripts
from biassay.measurement import metric
from biassay.studies.same import agreement, tables
from biassay.studies.same import directions as same_directions


def main(
    models: str, bias: str, scores: list[str], directions: str, published: str, metrics: dict[str, str],
    resamples: int, seed: int, out: dict[str, str],
) -> None:  # fmt: skip
    grid, printed = tables.load_grid(models, bias), tables.read(published, tables.PRINTED, comment="#")
    scores_by_metric = {name: tables.read_scores(grid, path).word for name, path in zip(metrics, scores, strict=True)}
    word_scores = {name: word for name, word in scores_by_metric.items() if word is not None}
    signed = {name: metric.load(metrics[name]).METRIC.range("word", 2).signed for name in word_scores}
    logging.info(
        "%d of %d models learned their bias; %d word-level metrics",
        len(grid.learned_models),
        len(grid.models),
        len(word_scores),
    )

    correlations = agreement.correlate_words(grid, word_scores, signed)
    summary = agreement.summarise_correlations(correlations, resamples, seed)
    summary["published"] = published_r2(summary, printed)
    angles = tables.read(directions, tables.DIRECTIONS)
    differences = same_directions.compare_with_direct_bias(grid, correlations, angles)
    categories = same_directions.summarise_categories(differences)
    categories["published"] = ("angle_" + categories["category"]).map(
        published_values(printed, ["F7", "F8"], "quantity")
    )

    comparisons = agreement.compare_metrics(correlations, seed)
    results = {"correlations": correlations, "summary": summary, "comparisons": comparisons,
               "differences": differences, "angles": categories,
               "directions": same_directions.summarise_angles(grid, angles)}  # fmt: skip
    for name, table in results.items():
        table.to_csv(out[name], index=False, float_format="%.6g")


def published_r2(summary: pd.DataFrame, published: pd.DataFrame) -> pd.Series:
    """Published R² for the rows of the training bias and of the ground truth that the paper compares with."""
    is_published = summary["signed"] == (summary["ground_truth"] == agreement.SIGNED)
    is_published &= summary["against"] == "training"
    return summary["metric"].map(published_values(published, ["F6"], "metric")).where(is_published)


def published_values(published: pd.DataFrame, outputs: list[str], key: str) -> dict[str, float]:
    """Published values of some figures or tables (`outputs`), by a column."""
    rows = published[published["output"].isin(outputs)]
    return dict(zip(rows[key], rows["value"], strict=True))


if __name__ == "__main__":
    scripts.run(main, snakemake, out=dict(snakemake.output.items()))
