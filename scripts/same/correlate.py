"""How far scores of words follow the bias that was planted: F6 and F7/F8 of the study of planted bias, as tables."""

import logging

import pandas as pd

from biassay.measurement import metric
from biassay.studies.same import agreement, tables
from biassay.studies.same import directions as same_directions
from biassay.support import logs


def main(
    models: str, bias: str, scores: list[str], directions: str, published: str, metrics: dict[str, str],
    resamples: int, seed: int, out: dict[str, str],
) -> None:  # fmt: skip
    grid, printed = tables.load(models, bias), tables.read(published, tables.PRINTED, comment="#")
    found = {name: tables.scores(grid, path).word for name, path in zip(metrics, scores, strict=True)}
    samples = {name: word for name, word in found.items() if word is not None}
    signed = {name: metric.load(metrics[name]).METRIC.range("word", 2).signed for name in samples}
    logging.info(
        "%d models, %d of them kept; %d metrics of words", len(grid.models), len(grid.learned_models), len(samples)
    )

    correlations = agreement.word_correlations(grid, samples, signed)
    summary = agreement.summarise(correlations, resamples, seed)
    summary["published"] = beside(summary, printed)
    angles = tables.read(directions, tables.DIRECTIONS)
    differences = same_directions.differences(grid, correlations, angles)
    groups = same_directions.angle_groups(differences)
    groups["published"] = ("angle_" + groups["category"]).map(values(printed, ["F7", "F8"], "quantity"))

    results = {"correlations": correlations, "summary": summary, "comparisons": agreement.compare(correlations, seed),
               "differences": differences, "angles": groups,
               "directions": same_directions.directions(grid, angles)}  # fmt: skip
    for name, table in results.items():
        table.to_csv(out[name], index=False, float_format="%.6g")


def beside(summary: pd.DataFrame, published: pd.DataFrame) -> pd.Series:
    """Published R² of words beside the rows that they are of: the training bias, and a ground truth with a sign if the
    metric has one."""
    theirs = summary["signed"] == (summary["ground_truth"] == agreement.SIGNED)
    theirs &= summary["against"] == "training"
    return summary["metric"].map(values(published, ["F6"], "metric")).where(theirs)


def values(published: pd.DataFrame, outputs: list[str], key: str) -> dict[str, float]:
    """Published figures of some outputs by the values of a column."""
    rows = published[published["output"].isin(outputs)]
    return dict(zip(rows[key], rows["value"], strict=True))


if __name__ == "__main__":
    logs.start(snakemake.log[0])
    main(
        models=snakemake.input.models,
        bias=snakemake.input.bias,
        scores=snakemake.input.scores,
        directions=snakemake.input.directions,
        published=snakemake.input.published,
        metrics=snakemake.params.metrics,
        resamples=snakemake.params.resamples,
        seed=snakemake.params.seed,
        out=dict(snakemake.output.items()),
    )
