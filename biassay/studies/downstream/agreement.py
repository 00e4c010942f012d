"""Correlations of scores with downstream bias: over classes and pairs within a model (same-2024, Figure 1), and over
models (Figure 2)."""

from collections.abc import Iterator
from types import ModuleType

import numpy as np
import pandas as pd

from biassay.statistics import correlation
from biassay.studies.downstream.scores import CLASS, SET

BY_CLASS = ["set", "attribute", "version", "n_directions", "group_words", "classes", "model", "metric", "signed", "n",
            "r", "p"]  # fmt: skip
BY_PAIR = ["set", "attribute", "model", "metric", "signed", "n", "r", "p"]
BY_SET = ["set", "attribute", "version", "group_words", "metric", "n_cases", "n_models", "r", "low", "high", "p"]
SPREAD = ["n_models", "median", "lower_quartile", "upper_quartile", "n_significant", "median_significant"]
ALL, LARGE = CLASS_SIZES = ("all", "large")
LEVEL = 0.05


def is_signed(module: ModuleType, n_groups: int) -> bool:
    """Return whether scores of single words have a sign."""
    return bool(module.METRIC.range("word", n_groups).signed)


def select_valid(classes: pd.DataFrame, bias: pd.DataFrame) -> pd.DataFrame:
    """Select the classes of valid classifiers."""
    keys = ["set", "attribute", "model", "version", "n_directions"]
    return classes.merge(bias.loc[bias["is_valid"].astype(bool), keys], on=keys, how="inner", validate="many_to_one")


def correlate_classes(
    metric: str, module: ModuleType, scores: pd.DataFrame, classes: pd.DataFrame, n_groups: dict[str, int]
) -> Iterator[tuple]:
    """Yield rows of BY_CLASS: for each classifier, Pearson's r over classes of the mean score with the gap.

    A signed score is compared with the signed gap of two groups, any other score with the absolute gap; the gap of
    more groups is the variance of their rates. classes: all, or the large ones, with enough texts of every group.
    """
    class_scores = scores[scores["level"] == CLASS]
    keys = ["set", "attribute", "model", "version", "n_directions", "class"]
    merged = class_scores.merge(classes, on=keys, how="inner", validate="many_to_one")
    for (name, attribute, version, n_directions, group_words, model), part in merged.groupby(
        ["set", "attribute", "version", "n_directions", "group_words", "model"], sort=False
    ):
        signed = is_signed(module, n_groups[attribute])
        for size in CLASS_SIZES:
            chosen = part if size == ALL else part[~part["too_small"].astype(bool)]
            gaps = chosen["gap"] if signed else chosen["gap"].abs()
            r, p, n = correlation.pearson(chosen["value"].to_numpy(float), gaps.to_numpy(float))
            yield (name, attribute, version, n_directions, group_words, size, model, metric, signed, n, r, p)


def correlate_pairs(
    metric: str, module: ModuleType, pair_scores: pd.DataFrame, differences: pd.DataFrame
) -> Iterator[tuple]:
    """Yield rows of BY_PAIR: for each model, Pearson's r over pairs of scores with differences of log-likelihoods.

    The correlation is one of absolute values, as in the paper; a signed metric has a second row with signed values.
    """
    merged = pair_scores.merge(differences, on=["set", "attribute", "model", "pair"], suffixes=("", "_of_pair"))
    for (name, attribute, model), part in merged.groupby(["set", "attribute", "model"], sort=False):
        x, y = part["value"].to_numpy(float), part["value_of_pair"].to_numpy(float)
        for signed in (False, True) if is_signed(module, 2) else (False,):
            r, p, n = correlation.pearson(*((x, y) if signed else (np.abs(x), np.abs(y))))
            yield name, attribute, model, metric, signed, n, r, p


def match_cases(scores: pd.DataFrame, bias: pd.DataFrame) -> pd.DataFrame:
    """Match a metric's absolute set-level scores with downstream bias, which is NaN for invalid classifiers.

    group_words: the raw or debiased group words with which debiased vectors are scored; vectors that are not debiased
    appear under both.
    """
    chosen = scores[scores["level"] == SET].assign(value=lambda table: table["value"].abs())
    plain = chosen[chosen["n_directions"] == 0]
    for (name, version), part in chosen[chosen["group_words"] != "raw"].groupby(["set", "version"]):
        same = plain[(plain["set"] == name) & (plain["version"] == version)]
        chosen = pd.concat([chosen, same.assign(group_words=part["group_words"].iloc[0])])
    valid = bias.assign(bias=bias["bias"].where(bias["is_valid"].astype(bool)))
    keys = ["set", "attribute", "model", "version", "n_directions"]
    return chosen.merge(valid[[*keys, "bias"]], on=keys, how="inner", validate="many_to_one")


def correlate_cases(metric: str, cases: pd.DataFrame, n_resamples: int, *, seed: int) -> Iterator[tuple]:
    """Yield rows of BY_SET: Pearson's r over the classifiers or models of `match_cases`, with a bootstrap interval over
    whole models."""
    for key, part in cases.groupby(["set", "attribute", "version", "group_words"], sort=False):
        x, y = part["value"].to_numpy(float), part["bias"].to_numpy(float)
        r, p, n = correlation.pearson(x, y)
        interval = correlation.cluster_interval(x, y, part["model"].to_numpy(), n_resamples, seed)
        n_models = part.loc[np.isfinite(x) & np.isfinite(y), "model"].nunique()
        yield *key, metric, n, n_models, r, *interval, p


def summarise_correlations(table: pd.DataFrame, keys: list[str]) -> pd.DataFrame:
    """Summarise r over models: keys and SPREAD. n_significant counts models with p < LEVEL; median_significant is the
    median r of these."""
    rows = []
    for key, part in table.dropna(subset="r").groupby(keys, sort=False):
        significant = part.loc[part["p"] < LEVEL, "r"]
        quartiles = part["r"].quantile([0.25, 0.75])
        rows.append((*key, len(part), part["r"].median(), *quartiles, len(significant), significant.median()))
    return pd.DataFrame(rows, columns=[*keys, *SPREAD])
