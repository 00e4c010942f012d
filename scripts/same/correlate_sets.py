"""Correlate set-level scores with the unmasking bias of all occupations (Figure 9 of same-2021)."""

import logging

from biassay.core import scripts
from biassay.measurement import metric
from biassay.studies.same import sets as set_level
from biassay.studies.same import tables

PERMUTATIONS = 9999


def main(
    models: str, bias: str, scores: list[str], published: str, metrics: dict[str, str], resamples: int, seed: int,
    sets: str, set_comparisons: str,
) -> None:  # fmt: skip
    grid, printed = tables.load_grid(models, bias), tables.read(published, tables.PRINTED, comment="#")
    scores_by_metric = {name: tables.read_scores(grid, path).set for name, path in zip(metrics, scores, strict=True)}
    values = {name: value for name, value in scores_by_metric.items() if value is not None}
    signed = {name: metric.load(metrics[name]).METRIC.range("set", 2).signed for name in values}
    logging.info("%d models learned their bias; %d set-level metrics", len(grid.learned_models), len(values))

    table = set_level.correlate_sets(grid, values, signed, resamples, seed)
    figure = printed[printed["output"] == "F9"]
    published_r2 = dict(zip(figure["metric"] + " " + figure["quantity"], figure["value"], strict=True))
    table["published"] = (table["metric"] + " r2_" + table["against"]).map(published_r2)
    table.to_csv(sets, index=False, float_format="%.6g")
    tests = set_level.compare_metrics(grid, values, signed, PERMUTATIONS, seed)
    tests.to_csv(set_comparisons, index=False, float_format="%.6g")


if __name__ == "__main__":
    scripts.run(main, snakemake)
