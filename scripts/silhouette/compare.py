"""Test which of two metrics has the larger accuracy, AUC or steadiness on the same shuffles."""

import numpy as np
import pandas as pd

from biassay.core import scripts
from biassay.measurement import metric as metrics
from biassay.measurement.metric import Range
from biassay.report import curves
from biassay.statistics import paired_tests
from biassay.studies import ranking
from biassay.studies.silhouette import scores, shuffles
from biassay.studies.silhouette import tables as study_tables

SCORES = ("accuracy", "auc", "steadiness")
BOUNDED = (
    "accuracy",
    "steadiness",
)  # scores relative to a metric's range; unbounded metrics cannot be compared by them


def main(values: list[str], names: list[str], variants: list[dict], seed: int, out: str) -> None:
    scores_by_place: dict[tuple[str, str], dict[str, dict[str, np.ndarray]]] = {}
    for file, name, variant in zip(values, names, variants, strict=True):
        declared = metrics.load(variant["metric"]).METRIC.range("set", 2)
        if variant["range"]:
            declared = Range(*variant["range"], declared.signed)
        arrays = study_tables.read_values(file)
        for place in dict.fromkeys(key.rpartition("/")[0] for key in arrays):
            rows = [arrays[f"{place}/{part}"] for part in ("biased", "unbiased", "words")]
            place_scores = scores_by_place.setdefault(tuple(place.split("/")), {score: {} for score in SCORES})
            for score, shuffle_scores in score_shuffles(*rows, declared).items():
                place_scores[score][name] = shuffle_scores
    tables = [
        compare_metrics(by_score, seed).assign(bias=bias, list=list_type)
        for (bias, list_type), by_score in scores_by_place.items()
    ]
    table = curves.sort_by_bias(pd.concat(tables))
    table[["bias", "list", "score", *paired_tests.COLUMNS, "p_holm"]].to_csv(out, index=False, float_format="%.4g")


def score_shuffles(
    biased: np.ndarray, unbiased: np.ndarray, words: np.ndarray, declared: Range
) -> dict[str, np.ndarray]:
    """Compute the scores of each shuffle by which the metric can be compared."""
    bounds = scores.complete_range(declared, biased, unbiased)
    all_scores = {
        "accuracy": shuffles.accuracy(biased, unbiased, words, bounds),
        "auc": shuffles.auc(biased, unbiased, words, bounds.b_0),
        "steadiness": shuffles.steadiness(biased, words, bounds),
    }
    is_relative = None in (declared.b_min, declared.b_max)
    return {
        score: values
        for score, values in all_scores.items()
        if np.isfinite(values).all() and not (is_relative and score in BOUNDED)
    }


def compare_metrics(by_score: dict[str, dict[str, np.ndarray]], seed: int) -> pd.DataFrame:
    """Compare all pairs of metrics by each score, for one bias and list; p_holm is corrected for all these tests."""
    tables = []
    for score, values in by_score.items():
        clusters = np.arange(len(next(iter(values.values()), [])))
        tables.append(paired_tests.compare_means(values, clusters, seed=seed).assign(score=score))
    return ranking.correct_family(pd.concat(tables))


if __name__ == "__main__":
    scripts.run(main, snakemake)
