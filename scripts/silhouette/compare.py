"""Test which of two metrics is more accurate, separates the models more surely, or is steadier, on the same orders."""

import numpy as np
import pandas as pd

from biassay.figures import curves
from biassay.measurement import metric as metrics
from biassay.measurement.metric import Range
from biassay.numerics import paired_tests
from biassay.numerics import statistics as stats
from biassay.studies.silhouette import scores, shuffles
from biassay.studies.silhouette import tables as study_tables
from biassay.support import logs

SCORES = ("accuracy", "auc", "steadiness")
BOUNDED = ("accuracy", "steadiness")  # of a metric's range: those without one compare with no other


def main(values: list[str], names: list[str], variants: list[dict], seed: int, out: str) -> None:
    found: dict[tuple[str, str], dict[str, dict[str, np.ndarray]]] = {}
    for file, name, variant in zip(values, names, variants, strict=True):
        declared = metrics.load(variant["metric"]).METRIC.range("set", 2)
        if variant["range"]:
            declared = Range(*variant["range"], declared.signed)
        arrays = study_tables.measured(file)
        for place in dict.fromkeys(key.rpartition("/")[0] for key in arrays):
            rows = [arrays[f"{place}/{part}"] for part in ("biased", "unbiased", "words")]
            of_place = found.setdefault(tuple(place.split("/")), {score: {} for score in SCORES})
            for score, scored in of_orders(*rows, declared).items():
                of_place[score][name] = scored
    tables = [compared(by_score, seed).assign(bias=bias, list=which) for (bias, which), by_score in found.items()]
    table = curves.sort_by_bias(pd.concat(tables))
    table[["bias", "list", "score", *paired_tests.COLUMNS, "p_holm"]].to_csv(out, index=False, float_format="%.4g")


def of_orders(biased: np.ndarray, unbiased: np.ndarray, words: np.ndarray, declared: Range) -> dict[str, np.ndarray]:
    """Scores of each order on which metrics can be compared."""
    bounds = scores.complete_range(declared, biased, unbiased)
    found = {
        "accuracy": shuffles.accuracy(biased, unbiased, words, bounds),
        "auc": shuffles.auc(biased, unbiased, words, bounds.b_0),
        "steadiness": shuffles.steadiness(biased, words, bounds),
    }
    relative = None in (declared.b_min, declared.b_max)
    return {
        score: values
        for score, values in found.items()
        if np.isfinite(values).all() and not (relative and score in BOUNDED)
    }


def compared(by_score: dict[str, dict[str, np.ndarray]], seed: int) -> pd.DataFrame:
    """Each two metrics by each score, for one bias and list; p_holm is corrected for all of these tests."""
    tables = []
    for score, values in by_score.items():
        clusters = np.arange(len(next(iter(values.values()), [])))
        tables.append(paired_tests.compare(values, clusters, seed=seed).assign(score=score))
    table = pd.concat(tables)
    return table.assign(p_holm=stats.correct_holm(table["p"].to_numpy(float)))


if __name__ == "__main__":
    logs.start(snakemake.log[0])
    main(
        values=list(snakemake.input.values),
        names=snakemake.params.names,
        variants=snakemake.params.variants,
        seed=snakemake.params.seed,
        out=snakemake.output[0],
    )
