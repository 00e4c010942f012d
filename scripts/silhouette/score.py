"""Score all metrics on a pair of models: silhouettes, robustness, accuracy, convergence."""

import numpy as np
import pandas as pd

from biassay.core import scripts
from biassay.measurement import metric as metrics
from biassay.measurement.metric import Range
from biassay.report import curves
from biassay.studies.silhouette import scores, tables

KEYS = ["bias", "list", "metric"]


def main(
    files: list[str], names: list[str], variants: list[dict],
    silhouettes: str, table: str, convergence: str,
) -> None:  # fmt: skip
    silhouette_tables, rows, convergence_tables = [], [], []
    for file, name, variant in zip(files, names, variants, strict=True):
        declared = metrics.load(variant["metric"]).METRIC.range("set", 2)
        if variant["range"]:
            declared = Range(*variant["range"], declared.signed)
        arrays = tables.read_values(file)
        for place in dict.fromkeys(key.rpartition("/")[0] for key in arrays):
            key = dict(zip(KEYS, [*place.split("/"), name], strict=True))
            biased, unbiased, words = (arrays[f"{place}/{part}"] for part in ("biased", "unbiased", "words"))
            try:
                row, course = score_metric(biased, unbiased, words, declared)
            except ValueError as error:
                raise ValueError(f"{name}, {place.replace('/', ', ')}: {error}") from error
            rows.append(key | row)
            convergence_tables.append(course.assign(**key))
            for model, values in (("biased", biased), ("unbiased", unbiased)):
                silhouette_tables.append(scores.summarise_values(values, words).assign(**key, model=model))
    columns = [*KEYS, "model", "n_words", "min", "max", "mean", *scores.QUANTILES, "n_undefined"]
    pd.concat(silhouette_tables)[columns].to_csv(silhouettes, index=False, float_format="%.6g")
    curves.sort_by_bias(pd.DataFrame(rows)).to_csv(table, index=False, float_format="%.6g")
    pd.concat(convergence_tables).to_csv(convergence, index=False, float_format="%.6g")


def score_metric(
    biased: np.ndarray, unbiased: np.ndarray, words: np.ndarray, declared: Range
) -> tuple[dict, pd.DataFrame]:
    """Return a row of scores.csv, and the scores by number of shuffles."""
    bounds = scores.complete_range(declared, biased, unbiased)
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
        "relative": declared.b_min is None or declared.b_max is None,
        "b_min": bounds.b_min, "b_max": bounds.b_max, "b_0": bounds.b_0,
        "n_words": words[-1], "n_shuffles": len(biased),
        "value_biased": biased[:, -1].mean(), "value_unbiased": unbiased[:, -1].mean(),
        **course.iloc[-1].drop("n_shuffles"), "accuracy_published_code": published[-1],
        "auc": scores.auc(biased, unbiased, words, bounds.b_0),
        "words_needed_biased": scores.count_words_needed(biased, words, bounds.b_0),
        "words_needed_unbiased": scores.count_words_needed(unbiased, words, bounds.b_0),
    }  # fmt: skip
    return row, course


if __name__ == "__main__":
    scripts.run(main, snakemake, files=list(snakemake.input.values), table=snakemake.output.scores)
