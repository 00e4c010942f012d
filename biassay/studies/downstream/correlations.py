"""Correlations of scores with downstream bias: over classes and pairs within a model (same-2024, Figure 1), and over
models (Figure 2)."""

from collections.abc import Iterator
from types import ModuleType

import pandas as pd

from biassay.statistics import correlation
from biassay.studies import agreement
from biassay.studies.downstream.scores import CLASS, SET

CASE = ["set", "attribute", "model", "version", "n_directions"]
BY_CLASS = ["set", "attribute", "version", "n_directions", "group_words", "classes", "model", "metric", "signed", "n",
            "r", "p"]  # fmt: skip
BY_PAIR = ["set", "attribute", "model", "metric", "signed", "n", "r", "p"]
BY_SET = ["set", "attribute", "version", "group_words", "metric", "n_cases", "n_models", "r", "low", "high", "p"]
CASES = [*CASE, "group_words", "metric", "value", "bias"]
SPREAD = ["n_models", "median", "lower_quartile", "upper_quartile", "n_significant", "median_significant"]
OVER_CLASSES = ["set", "attribute", "version", "n_directions", "group_words", "classes", "metric"]
OVER_PAIRS = ["set", "attribute", "signed", "metric"]
SUMMARY = ["units", *OVER_CLASSES, "signed", *SPREAD]
ALL, LARGE = CLASS_SIZES = ("all", "large")
LEVEL = 0.05


def is_signed(module: ModuleType, n_groups: int) -> bool:
    """Return whether scores of single words have a sign."""
    return bool(module.METRIC.range("word", n_groups).signed)


def select_valid(classes: pd.DataFrame, bias: pd.DataFrame) -> pd.DataFrame:
    """Select the classes of valid classifiers."""
    return classes.merge(bias.loc[bias["is_valid"].astype(bool), CASE], on=CASE, validate="many_to_one")


def correlate_classes(
    metric: str, module: ModuleType, scores: pd.DataFrame, classes: pd.DataFrame, n_groups: dict[str, int]
) -> Iterator[tuple]:
    """Yield rows of BY_CLASS: for each classifier, Pearson's r over classes of the mean score with the gap.

    A signed score is compared with the signed gap of two groups, any other score with the absolute gap; the gap of
    more groups is the variance of their rates. classes: all, or the large ones, with enough texts of every group.
    """
    merged = scores[scores["level"] == CLASS].merge(classes, on=[*CASE, "class"], validate="many_to_one")
    keys = ["set", "attribute", "version", "n_directions", "group_words", "model"]
    for (*key, model), part in merged.groupby(keys, sort=False):
        signed = is_signed(module, n_groups[key[1]])
        for size in CLASS_SIZES:
            chosen = part if size == ALL else part[~part["too_small"].astype(bool)]
            gaps = chosen["gap"] if signed else chosen["gap"].abs()
            yield *key, size, model, metric, signed, *_correlate(chosen["value"], gaps)


def correlate_pairs(
    metric: str, module: ModuleType, pair_scores: pd.DataFrame, differences: pd.DataFrame
) -> Iterator[tuple]:
    """Yield rows of BY_PAIR: for each model, Pearson's r over pairs of scores with differences of log-likelihoods.

    The correlation is one of absolute values, as in the paper; a signed metric has a second row with signed values.
    """
    merged = pair_scores.merge(differences, on=["set", "attribute", "model", "pair"], suffixes=("", "_of_pair"))
    for key, part in merged.groupby(["set", "attribute", "model"], sort=False):
        x, y = part["value"], part["value_of_pair"]
        for signed in (False, True) if is_signed(module, 2) else (False,):
            yield *key, metric, signed, *(_correlate(x, y) if signed else _correlate(x.abs(), y.abs()))


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
    return chosen.merge(valid[[*CASE, "bias"]], on=CASE, validate="many_to_one")


def correlate_cases(metric: str, cases: pd.DataFrame, n_resamples: int, *, seed: int) -> Iterator[tuple]:
    """Yield rows of BY_SET: Pearson's r over the classifiers or models of `match_cases`, with a bootstrap interval over
    whole models."""
    for key, part in cases.groupby(["set", "attribute", "version", "group_words"], sort=False):
        columns = (part[name].to_numpy() for name in ("value", "bias", "model"))
        r, low, high, p, n, n_models = agreement.correlate(*columns, n_resamples, seed)
        yield *key, metric, n, n_models, r, low, high, p


def summarise(by_class: pd.DataFrame, by_pair: pd.DataFrame) -> pd.DataFrame:
    """Summarise r over models, for classes and for pairs: SUMMARY. n_significant counts models with p < LEVEL, and
    median_significant is the median r of these."""
    parts = [_summarise(by_class, OVER_CLASSES).assign(units="classes"),
             _summarise(by_pair, OVER_PAIRS).assign(units="pairs")]  # fmt: skip
    return pd.concat([part for part in parts if len(part)] or parts).reindex(columns=SUMMARY)


def _summarise(table: pd.DataFrame, keys: list[str]) -> pd.DataFrame:
    rows = []
    for key, part in table.dropna(subset="r").groupby(keys, sort=False):
        significant = part.loc[part["p"] < LEVEL, "r"]
        quartiles = part["r"].quantile([0.25, 0.75])
        rows.append((*key, len(part), part["r"].median(), *quartiles, len(significant), significant.median()))
    return pd.DataFrame(rows, columns=[*keys, *SPREAD])


def _correlate(x: pd.Series, y: pd.Series) -> tuple[int, float, float]:
    """Return n, Pearson's r and its p; NaN for a constant."""
    r, p, n = correlation.pearson(x.to_numpy(float), y.to_numpy(float))
    return int(n), float(r), float(p)
