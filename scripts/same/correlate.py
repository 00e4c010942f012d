"""How far scores follow the bias that was planted: F6, F7/F8 and F9 of the study of planted bias, as tables."""

import logging

import pandas as pd

from biassay.measurement import metric
from biassay.studies.same import agreement, tables
from biassay.studies.same import directions as same_directions
from biassay.studies.same import sets as of_sets
from biassay.support import logs

PERMUTATIONS = 9999


def main(
    models: str, bias: str, scores: list[str], directions: str, published: str, metrics: dict[str, str],
    bootstrap: int, seed: int, out: dict[str, str],
) -> None:  # fmt: skip
    grid, printed = tables.load(models, bias), pd.read_csv(published, comment="#")
    found = {name: tables.scores(grid, path) for name, path in zip(metrics, scores, strict=True)}
    samples = {name: levels.sample for name, levels in found.items() if levels.sample is not None}
    sets = {name: levels.set for name, levels in found.items() if levels.set is not None}
    of_words, signed_sets = (
        {name: metric.load(metrics[name]).METRIC.range(level, 2).signed for name in of_level}
        for level, of_level in (("sample", samples), ("set", sets))
    )
    logging.info("%d models, %d of them kept; %d metrics of words, %d of sets",
                 len(grid.models), len(grid.kept), len(samples), len(sets))  # fmt: skip

    correlations = agreement.word_correlations(grid, samples, of_words)
    summary = agreement.summarise(correlations, bootstrap, seed)
    summary["published"] = beside(summary, printed)
    angles = tables.read(directions, tables.DIRECTIONS)
    differences = same_directions.differences(grid, correlations, angles)
    groups = same_directions.angle_groups(differences)
    groups["published"] = ("angle_" + groups["group"]).map(values(printed, ["F7", "F8"], "quantity"))
    found_sets = of_sets.set_correlations(grid, sets, signed_sets, bootstrap, seed)
    keys = found_sets["metric"] + " r2_" + found_sets["against"]
    nine = printed[printed["output"] == "F9"]
    found_sets["published"] = keys.map(dict(zip(nine["metric"] + " " + nine["quantity"], nine["value"], strict=True)))

    results = {"correlations": correlations, "summary": summary, "comparisons": agreement.compare(correlations, seed),
               "differences": differences, "angles": groups, "directions": same_directions.directions(grid, angles),
               "sets": found_sets,
               "set_comparisons": of_sets.compare(grid, sets, signed_sets, PERMUTATIONS, seed)}  # fmt: skip
    for name, table in results.items():
        table.to_csv(out[name], index=False, float_format="%.6g")


def beside(summary: pd.DataFrame, published: pd.DataFrame) -> pd.Series:
    """Published R² of words beside the rows that they are of: the training bias, and a truth with a sign if the metric
    has one."""
    theirs = summary["signed"] == (summary["truth"] == agreement.SIGNED)
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
        bootstrap=snakemake.params.bootstrap,
        seed=snakemake.params.seed,
        out=dict(snakemake.output.items()),
    )
