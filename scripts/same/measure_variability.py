"""How far scores depend on chance: T2 (repeats) and T3 (parts of the occupations) of the study of planted bias."""

from biassay.measurement import metric
from biassay.studies.same import tables, variability
from biassay.support import logs


def main(
    models: str, bias: str, scores: list[str], subsets: list[str], published: str, metrics: dict[str, str],
    resamples: int, seed: int, retraining_variability: str, subsampling_variability: str,
) -> None:  # fmt: skip
    grid, printed = tables.load(models, bias), tables.read(published, tables.PRINTED, comment="#")
    found = {name: tables.scores(grid, path).word for name, path in zip(metrics, scores, strict=True)}
    samples = {name: word for name, word in found.items() if word is not None}
    repeats = variability.retraining_variability(grid, samples, resamples, seed)
    drawn = {name: tables.subsets(grid, path) for name, path in zip(metrics, subsets, strict=True)}
    drawn = {name: table for name, table in drawn.items() if "set" in metric.load(metrics[name]).METRIC.levels}
    bounds = {name: metric.load(metrics[name]).METRIC.range("set", 2)[:2] for name in drawn}
    parts = variability.subsampling_variability(grid, drawn, bounds, resamples, seed)
    for table, output, out in ((repeats, "T2", retraining_variability), (parts, "T3", subsampling_variability)):
        known = printed[printed["output"] == output].set_index("metric")["value"]
        table.assign(published=table["metric"].map(known)).to_csv(out, index=False, float_format="%.6g")


if __name__ == "__main__":
    logs.start(snakemake.log[0])
    main(
        models=snakemake.input.models,
        bias=snakemake.input.bias,
        scores=snakemake.input.scores,
        subsets=snakemake.input.subsets,
        published=snakemake.input.published,
        metrics=snakemake.params.metrics,
        resamples=snakemake.params.resamples,
        seed=snakemake.params.seed,
        retraining_variability=snakemake.output.retraining_variability,
        subsampling_variability=snakemake.output.subsampling_variability,
    )
