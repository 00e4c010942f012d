"""How far scores of sets follow what unmasking says of all occupations: F9 of the study of planted bias, as tables."""

import logging

from biassay.measurement import metric
from biassay.studies.same import sets as of_sets
from biassay.studies.same import tables
from biassay.support import logs

PERMUTATIONS = 9999


def main(
    models: str, bias: str, scores: list[str], published: str, metrics: dict[str, str], resamples: int, seed: int,
    sets: str, set_comparisons: str,
) -> None:  # fmt: skip
    grid, printed = tables.load(models, bias), tables.read(published, tables.PRINTED, comment="#")
    found = {name: tables.scores(grid, path).set for name, path in zip(metrics, scores, strict=True)}
    values = {name: value for name, value in found.items() if value is not None}
    signed = {name: metric.load(metrics[name]).METRIC.range("set", 2).signed for name in values}
    logging.info("%d kept models, %d metrics of sets", len(grid.learned_models), len(values))

    table = of_sets.set_correlations(grid, values, signed, resamples, seed)
    nine = printed[printed["output"] == "F9"]
    theirs = dict(zip(nine["metric"] + " " + nine["quantity"], nine["value"], strict=True))
    table["published"] = (table["metric"] + " r2_" + table["against"]).map(theirs)
    table.to_csv(sets, index=False, float_format="%.6g")
    tests = of_sets.compare(grid, values, signed, PERMUTATIONS, seed)
    tests.to_csv(set_comparisons, index=False, float_format="%.6g")


if __name__ == "__main__":
    logs.start(snakemake.log[0])
    main(
        models=snakemake.input.models,
        bias=snakemake.input.bias,
        scores=snakemake.input.scores,
        published=snakemake.input.published,
        metrics=snakemake.params.metrics,
        resamples=snakemake.params.resamples,
        seed=snakemake.params.seed,
        sets=snakemake.output.sets,
        set_comparisons=snakemake.output.set_comparisons,
    )
