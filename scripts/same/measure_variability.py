"""Measure retraining and subsampling variability of scores (Tables 2 and 3 of same-2021)."""

from biassay.core import scripts
from biassay.measurement import metric
from biassay.studies.same import tables, variability


def main(
    models: str, bias: str, scores: list[str], subsets: list[str], published: str, metrics: dict[str, str],
    resamples: int, seed: int, retraining_variability: str, subsampling_variability: str,
) -> None:  # fmt: skip
    grid, printed = tables.load_grid(models, bias), tables.read(published, tables.PRINTED, comment="#")
    scores_by_metric = {name: tables.read_scores(grid, path).word for name, path in zip(metrics, scores, strict=True)}
    samples = {name: word for name, word in scores_by_metric.items() if word is not None}
    retraining = variability.retraining_variability(grid, samples, resamples, seed)
    subset_tables = {name: tables.read_subsets(grid, path) for name, path in zip(metrics, subsets, strict=True)}
    declared = {name: metric.load(file).METRIC for name, file in metrics.items()}
    subset_tables = {name: table for name, table in subset_tables.items() if "set" in declared[name].levels}
    bounds = {name: declared[name].range("set", 2)[:2] for name in subset_tables}
    subsampling = variability.subsampling_variability(grid, subset_tables, bounds, resamples, seed)
    for table, output, out in (
        (retraining, "T2", retraining_variability),
        (subsampling, "T3", subsampling_variability),
    ):
        published_values = printed[printed["output"] == output].set_index("metric")["value"]
        table.assign(published=table["metric"].map(published_values)).to_csv(out, index=False, float_format="%.6g")


if __name__ == "__main__":
    scripts.run(main, snakemake)
