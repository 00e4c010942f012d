"""Correlations of scores with downstream bias: over classes and pairs within a model (same-2024, Figure 1), and over
models (Figure 2). Tables of scores have a column with the metric's name."""

from collections.abc import Callable, Mapping
from types import ModuleType

import numpy as np
import pandas as pd

from biassay.statistics import correlation
from biassay.statistics.paired_tests import sign_flip_test
from biassay.studies import agreement
from biassay.studies.downstream.ranking import PUBLISHED, ROUNDING, find_units
from biassay.studies.downstream.scores import CLASS, DEBIASED, RAW, SET

CASE = ["set", "attribute", "model", "version", "n_directions"]
CASES = [*CASE, "group_words", "metric", "value", "bias"]
BY_CLASS = ["set", "attribute", "version", "n_directions", "group_words", "classes", "model", "metric", "signed", "n",
            "r", "p"]  # fmt: skip
BY_PAIR = ["set", "attribute", "model", "metric", "signed", "n", "r", "p"]
BY_SET = ["set", "attribute", "version", "metric", "n_models", "unit", "r", "low", "high", "p"]
OVER_CLASSES = ["set", "attribute", "version", "n_directions", "group_words", "classes", "metric"]
OVER_PAIRS = ["set", "attribute", "signed", "metric"]
SPREAD = ["n_models", "median", "lower_quartile", "upper_quartile", "n_significant", "median_significant"]
SUMMARY = ["units", *OVER_CLASSES, "signed", *SPREAD]
ALL, LARGE = "all", "large"  # classes, or only those with enough texts of every group
LEVEL = 0.05
IsSigned = Callable[[str, int], bool]  # whether scores of single words, with this number of groups, have a sign


def orient_scores(scores: pd.DataFrame, modules: Mapping[str, ModuleType], n_groups: Mapping[str, int]) -> pd.DataFrame:
    """Convert scores of single words as `agreement.orient_scores` does."""
    scores = scores.copy()
    for (metric, attribute), rows in scores.groupby(["metric", "attribute"]).groups.items():
        bounds = modules[metric].METRIC.range("word", n_groups[attribute])
        scores.loc[rows, "value"] = agreement.orient_scores(scores.loc[rows, "value"], modules[metric], bounds)
    return scores


def correlate_classes(
    scores: pd.DataFrame, classes: pd.DataFrame, is_signed: IsSigned, n_groups: Mapping[str, int]
) -> pd.DataFrame:
    """Correlate over the classes of each classifier the mean score with the gap (BY_CLASS).

    A signed score is compared with the signed gap of two groups, any other score with the absolute gap; the gap of
    more groups is the variance of their rates.
    """
    merged = scores[scores["level"] == CLASS].merge(classes, on=[*CASE, "class"], validate="many_to_one")
    rows = []
    for (metric, *key, model), part in merged.groupby(["metric", *OVER_CLASSES[:5], "model"], sort=False):
        signed = is_signed(metric, n_groups[key[1]])
        for size, chosen in ((ALL, part), (LARGE, part[~part["too_small"].astype(bool)])):
            gaps = chosen["gap"] if signed else chosen["gap"].abs()
            rows.append((*key, size, model, metric, signed, *_correlate(chosen["value"], gaps)))
    return pd.DataFrame(rows, columns=BY_CLASS)


def correlate_pairs(
    scores: pd.DataFrame, differences: pd.DataFrame, is_signed: IsSigned, n_resamples: int, *, seed: int
) -> pd.DataFrame:
    """Correlate over the pairs of each model the score with the difference of log-likelihoods (BY_PAIR).

    The correlation is one of absolute values, as in the paper; a signed metric has a second row with signed values. If
    pairs share a cluster, p is that of the mean product of deviations, with the signs of whole clusters flipped.
    """
    merged = scores.merge(differences, on=["set", "attribute", "model", "pair"], suffixes=("", "_of_pair"))
    rows = []
    for (metric, *key), part in merged.groupby(["metric", "set", "attribute", "model"], sort=False):
        x, y = part["value"], part["value_of_pair"]
        for signed, *sides in ((False, x.abs(), y.abs()), (True, x, y))[: 1 + is_signed(metric, 2)]:
            n, r, p = _correlate(*sides)
            if part["cluster"].nunique() < len(part) and np.isfinite(r):
                first, second = (side[x.notna() & y.notna()] for side in sides)
                products = (first - first.mean()) * (second - second.mean())
                p = sign_flip_test(products.to_numpy(), part.loc[products.index, "cluster"], n_resamples, seed)
            rows.append((*key, metric, signed, n, r, p))
    return pd.DataFrame(rows, columns=BY_PAIR)


def match_cases(scores: pd.DataFrame, bias: pd.DataFrame, b_0: Mapping[tuple[str, str], float]) -> pd.DataFrame:
    """Match magnitudes of set-level scores with downstream bias, which is NaN for invalid classifiers (CASES).

    A magnitude is the distance from b_0, the value without bias, which is given by metric and attribute.
    group_words: the raw or debiased group words with which debiased vectors are scored; vectors that are not debiased
    appear under both.
    """
    chosen = scores[scores["level"] == SET]
    unbiased = [b_0[key] for key in zip(chosen["metric"], chosen["attribute"], strict=True)]
    chosen = chosen.assign(value=(chosen["value"] - np.array(unbiased, float)).abs())
    keys = ["metric", "set", "version"]
    has_debiased = chosen.loc[chosen["group_words"] == DEBIASED, keys].drop_duplicates()
    plain = chosen[chosen["n_directions"] == 0].merge(has_debiased, on=keys).assign(group_words=DEBIASED)
    both = pd.concat([chosen, plain.sort_values(keys[1:], kind="stable")])
    valid = bias.assign(bias=bias["bias"].where(bias["is_valid"].astype(bool)))
    cases = both.merge(valid[[*CASE, "bias"]], on=CASE, validate="many_to_one")
    order = {metric: number for number, metric in enumerate(scores["metric"].unique())}
    return cases.sort_values("metric", key=lambda names: names.map(order), kind="stable")[CASES]


def correlate_cases(
    cases: pd.DataFrame, models: pd.DataFrame, reliability: pd.DataFrame, n_resamples: int, *, seed: int
) -> pd.DataFrame:
    """Correlate over models the scores and bias of vectors that are not debiased (BY_SET).

    The interval is a bootstrap over models or bases. Other columns are the reliability of the bias, its root, which
    bounds r, and the reason not to judge by it.
    """
    plain, rows = cases[(cases["n_directions"] == 0) & (cases["group_words"] == RAW)], []
    for (metric, *key), part in plain.groupby(["metric", *BY_SET[:3]], sort=False):
        units, unit = find_units(models, part["model"])
        r, low, high, p, n, _ = agreement.correlate(*part[["value", "bias"]].to_numpy().T, units, n_resamples, seed)
        known = part.loc[part["bias"].notna(), "value"]
        is_constant = known.max() - known.min() <= ROUNDING
        rows.append((*key, metric, n, unit, *([np.nan] * 4 if is_constant else (r, low, high, p))))
    judged = reliability.loc[reliability["form"] != PUBLISHED, [*BY_SET[:3], "reliability", "upper_r", "reason"]]
    return pd.DataFrame(rows, columns=BY_SET).merge(judged, on=BY_SET[:3], how="left", validate="many_to_one")


def summarise(by_class: pd.DataFrame, by_pair: pd.DataFrame) -> pd.DataFrame:
    """Summarise r over models, for classes and for pairs (SUMMARY). n_significant counts models with p < LEVEL, and
    median_significant is the median r of these."""
    parts = [_summarise(by_class, OVER_CLASSES).assign(units="classes"),
             _summarise(by_pair, OVER_PAIRS).assign(units="pairs")]  # fmt: skip
    return pd.concat([part for part in parts if len(part)] or parts).reindex(columns=SUMMARY)


def _summarise(table: pd.DataFrame, keys: list[str]) -> pd.DataFrame:
    table = table.dropna(subset="r").astype({"r": float, "p": float})
    by_key = table.assign(significant=table["r"].where(table["p"] < LEVEL)).groupby(keys, sort=False)
    r, significant = by_key["r"], by_key["significant"]
    columns = r.size(), r.median(), r.quantile(0.25), r.quantile(0.75), significant.count(), significant.median()
    return pd.DataFrame(dict(zip(SPREAD, columns, strict=True))).reset_index()


def _correlate(x: pd.Series, y: pd.Series) -> tuple[int, float, float]:
    """Return n, Pearson's r and its p; NaN for a constant."""
    r, p, n = correlation.pearson(x.to_numpy(float), y.to_numpy(float))
    return int(n), float(r), float(p)
