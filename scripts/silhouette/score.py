"""Score all metrics on a pair of models: silhouettes, robustness, accuracy, convergence, error rates, comparisons."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import pandas as pd

from biassay.core import scripts
from biassay.measurement import metric as metrics
from biassay.measurement.metric import Range
from biassay.report import curves
from biassay.statistics import paired_tests
from biassay.studies import ranking
from biassay.studies.silhouette import false_positives, scores, shuffles, tables

KEYS = ["bias", "list", "metric"]
BOUNDED = ("accuracy", "steadiness")  # relative to a metric's range, so unbounded metrics cannot be compared by them


class Values(NamedTuple):
    """The values (n shuffles, steps) of a metric on one bias and list, with the numbers of words (steps,)."""

    bias: str
    list: str
    metric: str
    declared: Range
    bounds: Range
    biased: np.ndarray
    unbiased: np.ndarray
    words: np.ndarray

    @property
    def is_relative(self) -> bool:
        return self.declared.b_min is None or self.declared.b_max is None


def main(
    values: dict[str, str], tests: list[str], variants: list[dict], share: float, seed: int,
    silhouettes_out: str, scores_out: str, convergence_out: str, false_positives_out: str, comparisons_out: str,
) -> None:  # fmt: skip
    all_values = list(read_all(values, variants))
    summarise_values(all_values).to_csv(silhouettes_out, index=False, float_format="%.6g")
    results = [score_metric(one) for one in all_values]
    curves.sort_by_bias(pd.DataFrame(row for row, _ in results)).to_csv(scores_out, index=False, float_format="%.6g")
    pd.concat(course for _, course in results).to_csv(convergence_out, index=False, float_format="%.6g")
    permutation_tests = [
        tables.read_result(path, "tests").assign(metric=name) for name, path in zip(values, tests, strict=True)
    ]
    bands = [false_positives.test_bands(*one[5:], one.declared, share).assign(bias=one.bias, metric=one.metric)
             for one in all_values]  # fmt: skip
    rates = false_positives.summarise_tests(pd.concat(permutation_tests), pd.concat(bands), list(values))
    rates.to_csv(false_positives_out, index=False, float_format="%.4g")
    compare_metrics(all_values, seed).to_csv(comparisons_out, index=False, float_format="%.4g")


def read_all(paths: dict[str, str], variants: list[dict]) -> Iterator[Values]:
    """Read the values of all metrics, and complete their ranges."""
    for (name, path), variant in zip(paths.items(), variants, strict=True):
        declared = metrics.load(variant["metric"]).METRIC.range("set", 2)
        if variant["range"]:
            declared = Range(*variant["range"], declared.signed)
        arrays = tables.read_values(path)
        for place in dict.fromkeys(key.rpartition("/")[0] for key in arrays):
            biased, unbiased, words = (arrays[f"{place}/{part}"] for part in ("biased", "unbiased", "words"))
            try:
                bounds = scores.complete_range(declared, biased, unbiased)
            except ValueError as error:
                raise ValueError(f"{name}, {place.replace('/', ', ')}: {error}") from error
            yield Values(*place.split("/"), name, declared, bounds, biased, unbiased, words)


def summarise_values(all_values: list[Values]) -> pd.DataFrame:
    """Summarise the values of both models by number of words."""
    summaries = [
        scores.summarise_values(values, one.words).assign(bias=one.bias, list=one.list, metric=one.metric, model=model)
        for one in all_values for model, values in (("biased", one.biased), ("unbiased", one.unbiased))
    ]  # fmt: skip
    columns = [*KEYS, "model", "n_words", "min", "max", "mean", *scores.QUANTILES, "n_undefined"]
    return pd.concat(summaries)[columns]


def score_metric(one: Values) -> tuple[dict, pd.DataFrame]:
    """Return a row of scores.csv, and the scores by number of shuffles."""
    *_, bounds, biased, unbiased, words = one
    keys = {"bias": one.bias, "list": one.list, "metric": one.metric}
    course = pd.DataFrame(
        {
            "n_shuffles": np.arange(1, len(biased) + 1),
            "robustness_biased": scores.robustness(biased, words, bounds),
            "robustness_unbiased": scores.robustness(unbiased, words, bounds),
            "accuracy": scores.accuracy(biased, unbiased, words, bounds),
        }
    )
    published = scores.accuracy(biased, unbiased, words, bounds, published_code=True)
    row = {
        **keys, "relative": one.is_relative, "b_min": bounds.b_min, "b_max": bounds.b_max, "b_0": bounds.b_0,
        "n_words": words[-1], "n_shuffles": len(biased),
        "value_biased": biased[:, -1].mean(), "value_unbiased": unbiased[:, -1].mean(),
        **course.iloc[-1].drop("n_shuffles"), "accuracy_published_code": published[-1],
        "auc": scores.auc(biased, unbiased, words, bounds.b_0),
        "words_needed_biased": scores.count_words_needed(biased, words, bounds.b_0),
        "words_needed_unbiased": scores.count_words_needed(unbiased, words, bounds.b_0),
    }  # fmt: skip
    return row, course.assign(**keys)


def compare_metrics(all_values: list[Values], seed: int) -> pd.DataFrame:
    """Compare all pairs of metrics by accuracy, AUC and steadiness, on the same shuffles of each bias and list."""
    by_place: dict[tuple, dict[str, dict[str, np.ndarray]]] = {}
    for one in all_values:
        place = by_place.setdefault((one.bias, one.list), {"accuracy": {}, "auc": {}, "steadiness": {}})
        for score, values in score_shuffles(one).items():
            if np.isfinite(values).all() and not (one.is_relative and score in BOUNDED):
                place[score][one.metric] = values
    families = {}
    for place, by_score in by_place.items():
        tests = {score: paired_tests.compare_means(values, np.arange(len(next(iter(values.values()), []))), seed=seed)
                 for score, values in by_score.items()}  # fmt: skip
        families[place] = pd.concat(tests, names=["score"]).reset_index("score")
    return curves.sort_by_bias(ranking.join_families(families, ["bias", "list"]))


def score_shuffles(one: Values) -> dict[str, np.ndarray]:
    """Compute the scores of each shuffle by which metrics are compared."""
    *_, bounds, biased, unbiased, words = one
    return {
        "accuracy": shuffles.accuracy(biased, unbiased, words, bounds),
        "auc": shuffles.auc(biased, unbiased, words, bounds.b_0),
        "steadiness": shuffles.steadiness(biased, words, bounds),
    }


if __name__ == "__main__":
    scripts.run(main, snakemake)
