"""Score all metrics on a pair of models, and tabulate the scores with published values."""

from collections.abc import Iterator
from itertools import product
from typing import NamedTuple

import numpy as np
import pandas as pd

from biassay.core import scripts
from biassay.measurement import metric as metrics
from biassay.measurement.metric import Range
from biassay.statistics import paired_tests
from biassay.studies import ranking
from biassay.studies.silhouette import curves, false_positives, scores, shuffles
from biassay.studies.silhouette.reassignment import FORMS, find_obstacle
from biassay.studies.silhouette.values import read_values, variant_range

KEYS = ["bias", "list", "metric"]
NO_RANGE = "no range, to which accuracy and robustness are relative"


class Values(NamedTuple):
    """The values (n shuffles, steps) of a metric on one bias and list, with the numbers of words (steps,)."""

    bias: str
    list: str
    metric: str
    declared: Range
    biased: np.ndarray
    unbiased: np.ndarray
    words: np.ndarray


def main(
    values: dict[str, str], tests: list[str], variants: list[dict], seed: int, published: str,
    silhouettes_out: str, scores_out: str, convergence_out: str, false_positives_out: str, p_values_out: str,
    comparisons_out: str, robustness_out: str, accuracy_out: str,
) -> None:  # fmt: skip
    all_values = list(read_all(values, variants))
    summarise_values(all_values).to_csv(silhouettes_out, index=False, float_format="%.6g")
    results = [score_metric(one) for one in all_values]
    table = curves.sort_by_bias(pd.DataFrame(row for row, _ in results))
    table.to_csv(scores_out, index=False, float_format="%.6g")
    table = pd.read_csv(scores_out)  # the paper's tables round the rounded scores
    pd.concat(course for _, course in results).to_csv(convergence_out, index=False, float_format="%.6g")
    p_values = false_positives.read_tests(dict(zip(values, tests, strict=True)))
    rates = false_positives.summarise_tests(p_values, list(values))
    rates.to_csv(false_positives_out, index=False, float_format="%.4g")
    p_values = false_positives.describe_p_values(p_values, list(values), find_obstacles(list(values), variants))
    p_values.to_csv(p_values_out, index=False, float_format="%.4g")
    compare_metrics(all_values, seed).to_csv(comparisons_out, index=False, float_format="%.4g")
    published_scores = curves.read_published(published)
    for score, out in (("robustness", robustness_out), ("accuracy", accuracy_out)):
        make_paper_table(table, published_scores, score).to_csv(out, float_format="%.4f")


def read_all(paths: dict[str, str], variants: list[dict]) -> Iterator[Values]:
    """Read the values of all metrics, with their ranges for all words, which are at least those for fewer words."""
    for (name, path), variant in zip(paths.items(), variants, strict=True):
        arrays = read_values(path)
        for place in dict.fromkeys(key.rpartition("/")[0] for key in arrays):
            parts = (arrays[f"{place}/{part}"] for part in ("biased", "unbiased", "words"))
            declared = variant_range(variant, arrays.get(f"{place}/labels"))
            yield Values(*place.split("/"), name, declared, *parts)


def find_obstacles(names: list[str], variants: list[dict]) -> dict[tuple[str, str], str]:
    """Say why a metric has no test of a form, by metric and form; "" if it has one."""
    obstacles = {}
    for name, variant in zip(names, variants, strict=True):
        module, b_0 = metrics.load(variant["metric"]), variant_range(variant).b_0
        obstacles |= {(name, form): find_obstacle(module, b_0, form, variant["options"]) for form in FORMS}
    return obstacles


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
    bounds, biased, unbiased, words = one[3:]
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
        **keys, "relative": np.isnan(bounds.width),
        "b_min": bounds.b_min, "b_max": bounds.b_max, "b_0": bounds.b_0,
        "n_words": words[-1], "n_shuffles": len(biased),
        "value_biased": biased[:, -1].mean(), "value_unbiased": unbiased[:, -1].mean(),
        **course.iloc[-1].drop("n_shuffles"), "accuracy_published_code": published[-1],
        "relative_accuracy": scores.relative_accuracy(biased, unbiased, words, bounds.b_0)[-1],
        "auc": scores.auc(biased, unbiased, words, bounds.b_0),
        "words_needed_biased": scores.count_words_needed(biased, words, bounds.b_0),
        "words_needed_unbiased": scores.count_words_needed(unbiased, words, bounds.b_0),
        "reason": NO_RANGE if np.isnan(bounds.width) else "",
    }  # fmt: skip
    return row, course.assign(**keys)


def compare_metrics(all_values: list[Values], seed: int) -> pd.DataFrame:
    """Compare all pairs of metrics by accuracy, AUC and steadiness, by shuffle of each bias and list.

    Growing targets are one list for some metrics and two for others, whose shuffles are independent: a test between
    such metrics pairs unrelated shuffles, which keeps its level but can cost power.
    """
    by_place: dict[tuple, dict[str, dict[str, np.ndarray]]] = {}
    for one in all_values:
        place = by_place.setdefault((one.bias, one.list), {"accuracy": {}, "auc": {}, "steadiness": {}})
        bounds, biased, unbiased, words = one[3:]
        by_shuffle = {
            "accuracy": shuffles.accuracy(biased, unbiased, words, bounds),
            "auc": shuffles.auc(biased, unbiased, words, bounds.b_0),
            "steadiness": shuffles.steadiness(biased, words, bounds),
        }
        for score, values in by_shuffle.items():
            if np.isfinite(values).all():
                place[score][one.metric] = values
    families = {}
    for place, by_score in by_place.items():
        tests = {score: paired_tests.compare_means(values, np.arange(len(next(iter(values.values()), []))), seed=seed)
                 for score, values in by_score.items()}  # fmt: skip
        families[place] = pd.concat(tests, names=["score"]).reset_index("score")
    return curves.sort_by_bias(ranking.join_families(families, ["bias", "list"]))


def make_paper_table(scores: pd.DataFrame, published: pd.DataFrame, score: str) -> pd.DataFrame:
    """Make Table 1 (`score` robustness) or 2 (accuracy), with one row per metric and columns by bias and list.

    Columns of ours, such as "gender groups, biased", precede the published ones of the same bias and list, such as
    "gender groups, published GloVe". Published values are of other embeddings and cover the paper's metrics and lists.
    Metrics without a range have no row.
    """
    scores = scores[~scores["relative"]]
    ours = scores.melt(KEYS, [name for name in scores if name.startswith(score)], var_name="kind")
    ours["kind"] = ours["kind"].str.removeprefix(score).str.removeprefix("_")
    ours["kind"] = ours["kind"].replace("published_code", "by the published code")
    theirs = published[published["score"] == score].merge(scores[KEYS], on=KEYS)
    theirs = theirs.assign(kind="published " + theirs["model"])[[*KEYS, "kind", "value"]]
    long = pd.concat([ours, theirs])
    order = {key: list(dict.fromkeys(long[key])) for key in ("bias", "list", "kind")}
    wide = long.pivot(index="metric", columns=list(order), values="value").reindex(scores["metric"].unique())
    columns = [column for column in product(*order.values()) if column in wide.columns]
    wide = wide[columns]
    wide.columns = [f"{bias} {kind}, {rest}".removesuffix(", ") for bias, kind, rest in columns]
    return wide


if __name__ == "__main__":
    scripts.run(main, snakemake)
