"""Scores beside the bias downstream: by class (F1, left), by pair (F1, right), and of all texts or pairs (F2)."""

from collections.abc import Iterator
from types import ModuleType

import numpy as np
import pandas as pd

from biassay.numerics import cluster_bootstrap
from biassay.numerics.statistics import pearson_rows
from biassay.studies.downstream.scores import CLASS, SET

CLASSWISE = ["set", "attribute", "version", "k", "terms", "classes", "model", "metric", "signed", "n", "r", "p"]
PAIRWISE = ["set", "attribute", "model", "metric", "signed", "n", "r", "p"]
SETWISE = ["set", "attribute", "version", "terms", "metric", "cases", "models", "r", "low", "high", "p"]
SPREAD = ["models", "median", "lower", "upper", "significant", "median_significant"]
ALL, LARGE = KINDS = ("all", "large")
LEVEL = 0.05


def signed(module: ModuleType, groups: int) -> bool:
    """Whether values of single words have a sign that speaks of the first group."""
    return bool(module.METRIC.range("word", groups).signed)


def counted(classes: pd.DataFrame, bias: pd.DataFrame) -> pd.DataFrame:
    """Gaps of the classes of those classifiers that count."""
    keys = ["set", "attribute", "model", "version", "k"]
    return classes.merge(bias.loc[bias["counts"].astype(bool), keys], on=keys, how="inner", validate="many_to_one")


def classwise(
    metric: str, module: ModuleType, scores: pd.DataFrame, classes: pd.DataFrame, groups: dict[str, int]
) -> Iterator[tuple]:
    """Rows of CLASSWISE: Pearson's r over classes of a metric's mean values with the gap, for each classifier.

    Of two groups a score with a sign is compared with the gap with its sign, any other against the absolute one; of
    more groups the gap is the variance of the rates. All classes, and those with texts enough in every group (large).
    """
    chosen = scores[scores["level"] == CLASS]
    keys = ["set", "attribute", "model", "version", "k", "class"]
    both = chosen.merge(classes, on=keys, how="inner", validate="many_to_one")
    for (name, attribute, version, k, terms, model), of in both.groupby(
        ["set", "attribute", "version", "k", "terms", "model"], sort=False
    ):
        sign = signed(module, groups[attribute])
        for kind in KINDS:
            used = of if kind == ALL else of[~of["too_small"].astype(bool)]
            gaps = used["gap"] if sign else used["gap"].abs()
            r, p, n = pearson_rows(used["value"].to_numpy(float)[None], gaps.to_numpy(float)[None])
            yield name, attribute, version, k, terms, kind, model, metric, sign, int(n[0]), float(r[0]), float(p[0])


def pairwise(metric: str, module: ModuleType, samples: pd.DataFrame, differences: pd.DataFrame) -> Iterator[tuple]:
    """Rows of PAIRWISE: Pearson's r over pairs of a metric's values with the difference of the sentences' scores, for
    each model: of absolute values, as the paper has it, and of a metric with a sign as they are, too."""
    both = samples.merge(differences, on=["set", "attribute", "model", "pair"], suffixes=("", "_of_pair"))
    for (name, attribute, model), of in both.groupby(["set", "attribute", "model"], sort=False):
        values, others = of["value"].to_numpy(float)[None], of["value_of_pair"].to_numpy(float)[None]
        for sign in (False, True) if signed(module, 2) else (False,):
            r, p, n = pearson_rows(*((values, others) if sign else (np.abs(values), np.abs(others))))
            yield name, attribute, model, metric, sign, int(n[0]), float(r[0]), float(p[0])


def cases(scores: pd.DataFrame, bias: pd.DataFrame) -> pd.DataFrame:
    """A metric's absolute value of all texts or pairs beside the bias downstream, NaN of what does not count.

    terms: the raw or the debiased ones that a debiased variant is scored with; a variant that is not debiased stands
    under both.
    """
    chosen = scores[scores["level"] == SET].assign(value=lambda table: table["value"].abs())
    plain = chosen[chosen["k"] == 0]
    for (name, version), of in chosen[chosen["terms"] != "raw"].groupby(["set", "version"]):
        same = plain[(plain["set"] == name) & (plain["version"] == version)]
        chosen = pd.concat([chosen, same.assign(terms=of["terms"].iloc[0])])
    counted = bias.assign(bias=bias["bias"].where(bias["counts"].astype(bool)))
    keys = ["set", "attribute", "model", "version", "k"]
    return chosen.merge(counted[[*keys, "bias"]], on=keys, how="inner", validate="many_to_one")


def setwise(metric: str, found: pd.DataFrame, n_resamples: int, *, seed: int) -> Iterator[tuple]:
    """Rows of SETWISE: Pearson's r over classifiers or models of `cases`, with an interval over whole models."""
    for key, of in found.groupby(["set", "attribute", "version", "terms"], sort=False):
        x, y = of["value"].to_numpy(float), of["bias"].to_numpy(float)
        r, p, n = pearson_rows(x[None], y[None])
        known = np.isfinite(x) & np.isfinite(y)
        low = high = np.nan
        if np.isfinite(r[0]):

            def of_weights(weights: np.ndarray, x: np.ndarray = x[known], y: np.ndarray = y[known]) -> np.ndarray:
                return cluster_bootstrap.weighted_correlations(x, y, weights)

            low, high = cluster_bootstrap.confidence_interval(of_weights, of["model"].to_numpy()[known], n_resamples, seed)
        yield *key, metric, int(n[0]), of.loc[known, "model"].nunique(), float(r[0]), low, high, float(p[0])


def summary(table: pd.DataFrame, keys: list[str]) -> pd.DataFrame:
    """The spread of r over models: keys, and SPREAD: models, median, lower and upper (quartiles), significant (models
    with p below LEVEL), median_significant (of these)."""
    rows = []
    for key, of in table.dropna(subset="r").groupby(keys, sort=False):
        sure = of.loc[of["p"] < LEVEL, "r"]
        rows.append((*key, len(of), of["r"].median(), *of["r"].quantile([0.25, 0.75]), len(sure), sure.median()))
    return pd.DataFrame(rows, columns=[*keys, *SPREAD])
