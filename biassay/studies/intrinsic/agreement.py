"""How far scores agree with the bias in the data, with unmasking, and with each other: intrinsic-2023 §5.2.

Scores are compared with the Jensen–Shannon divergence of an occupation's groups from equal ones, which has no sign:
scores with a sign enter by their absolute value, of an occupation after the mean over its sentences.
"""

from collections.abc import Mapping
from itertools import combinations

import numpy as np
import pandas as pd

from biassay.numerics import cluster_bootstrap, paired_tests, swap_permutation_tests
from biassay.numerics import statistics as stats
from biassay.studies.intrinsic.tables import Study

DATA, UNMASKING = GROUND_TRUTHS = ("data", "unmasking")
DECIMALS = 9  # of r that are compared
WORDS = ["attribute", "first", "second", "model", "distribution", "r", "n"]


def of_words(study: Study, samples: Mapping[str, Mapping[str, pd.DataFrame]]) -> pd.DataFrame:
    """F2, model by model: correlate scores of occupations with each other and with both divergences.

    samples: by attribute and metric (models, occupations), as they answer. A row an attribute, pair and model: first,
    second, model, distribution, r (Pearson) and n occupations.
    """
    rows = []
    for attribute, of_metrics in samples.items():
        columns = {bias: study.divergence(attribute, bias, study.grid.index) for bias in GROUND_TRUTHS} | dict(
            of_metrics
        )
        for first, second in combinations(columns, 2):
            rows.append(_rows(study, attribute, first, second, columns))
    return _all(rows, WORDS)


def _rows(study: Study, attribute: str, first: str, second: str, columns: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    r, _, n = stats.pearson_rows(*(columns[name].to_numpy(float) for name in (first, second)))
    grid = study.grid
    return pd.DataFrame({"attribute": attribute, "first": first, "second": second, "model": grid.index,
                         "distribution": grid["distribution"].to_numpy(), "r": r, "n": n})  # fmt: skip


def summarise(correlations: pd.DataFrame, n_resamples: int, seed: int) -> pd.DataFrame:
    """F2: the means of r over models, a row an attribute and pair.

    r_mean, r_std (ddof 1), low and high (95 % bootstrap interval of the mean, distributions drawn as wholes; NaN for
    fewer than 5), models that have an r, n occupations of a model.
    """
    rows = []
    for key, table in correlations.groupby(["attribute", "first", "second"], sort=False):
        found = table[table["r"].notna()]
        r = found["r"].to_numpy()
        low, high = cluster_bootstrap.confidence_interval(
            lambda w, r=r: cluster_bootstrap.weighted_means(r, w), found["distribution"].to_numpy(), n_resamples, seed
        ) if len(r) else (np.nan, np.nan)  # fmt: skip
        rows.append([*key, len(r), int(table["n"].max()), found["r"].mean(), found["r"].std(), low, high])
    columns = ["attribute", "first", "second", "models", "n", "r_mean", "r_std", "low", "high"]
    return pd.DataFrame(rows, columns=columns)


def of_signs(study: Study, samples: Mapping[str, Mapping[str, pd.DataFrame]]) -> pd.DataFrame:
    """Which way, too: correlate scores with a sign, as they are, with the probability of an attribute's first group.

    samples: by attribute of two groups and metric (models, occupations). Rows as those of `of_words`, first of
    TRUTHS, and unmasking itself with the data.
    """
    rows = []
    for attribute, of_metrics in samples.items():
        ground_truths = {bias: study.first_group(attribute, bias) for bias in GROUND_TRUTHS}
        columns = ground_truths | dict(of_metrics)
        for first, second in combinations(columns, 2):
            if first in GROUND_TRUTHS:
                rows.append(_rows(study, attribute, first, second, columns))
    return _all(rows, WORDS)


def compare_words(correlations: pd.DataFrame, seed: int) -> pd.DataFrame:
    """Does one metric follow a ground truth more closely than another? A row an attribute, truth (`against`) and pair.

    The columns of `paired_tests.compare` on r, distributions as clusters, and p_holm, corrected for the pairs of an attribute
    and truth.
    """
    found = correlations[correlations["first"].isin(GROUND_TRUTHS) & ~correlations["second"].isin(GROUND_TRUTHS)]
    parts = []
    for (attribute, against), table in found.groupby(["attribute", "first"], sort=False):
        wide = table.pivot(index="model", columns="second", values="r").round(DECIMALS)
        clusters = table.groupby("model")["distribution"].first().reindex(wide.index)
        values = {metric: wide[metric].to_numpy() for metric in table["second"].unique()}
        tests = paired_tests.compare(values, clusters.to_numpy(), seed=seed)
        parts.append(_keyed(tests, attribute=attribute, against=against))
    return _all(parts, ["attribute", "against", *paired_tests.COLUMNS, "p_holm"])


def of_sets(
    study: Study, values: Mapping[tuple[str, str], Mapping[str, pd.Series]], n_resamples: int, seed: int
) -> pd.DataFrame:
    """F3: correlate scores of sets with each other and with the mean divergences, over the models of the grid.

    values: by attribute and kind of labels, then metric, (models,), as they answer. A row an attribute, kind and pair:
    models, distributions, r (Pearson), low and high (95 % bootstrap interval, distributions drawn as wholes; NaN for
    fewer than 5), p of Pearson's test, which takes repeats for independent.
    """
    rows, clusters = [], study.grid["distribution"]
    for (attribute, labels), of_metrics in values.items():
        columns = mean_divergences(study, attribute) | dict(of_metrics)
        for first, second in combinations(columns, 2):
            pair = pd.DataFrame({"x": columns[first], "y": columns[second]}).astype(float).dropna()
            x, y = pair["x"].to_numpy(), pair["y"].to_numpy()
            r, p, _ = (float(value[0]) for value in stats.pearson_rows(x[None], y[None])) if len(x) else (np.nan,) * 3
            of = clusters[pair.index].to_numpy()
            low, high = (np.nan, np.nan) if np.isnan(r) else cluster_bootstrap.confidence_interval(
                lambda w, x=x, y=y: cluster_bootstrap.weighted_correlations(x, y, w), of, n_resamples, seed)  # fmt: skip
            rows.append([attribute, labels, first, second, len(pair), len(np.unique(of)), r, low, high, p])
    columns = ["attribute", "labels", "first", "second", "models", "distributions", "r", "low", "high", "p"]
    return pd.DataFrame(rows, columns=columns)


def compare_sets(
    study: Study, values: Mapping[tuple[str, str], Mapping[str, pd.Series]], n_resamples: int, seed: int
) -> pd.DataFrame:
    """Is the R² of one metric of sets with a mean divergence more than that of another? A row an attribute, kind of
    labels, truth (`against`) and pair: the columns of `swap_permutation_tests.compare`, and p_holm, corrected for these
    pairs.
    """
    parts, clusters = [], study.grid["distribution"].to_numpy()
    for (attribute, labels), of_metrics in values.items():
        scores = {name: series.to_numpy(float) for name, series in of_metrics.items()}
        for against, ground_truth in mean_divergences(study, attribute).items():
            tests = swap_permutation_tests.compare(
                scores, ground_truth.to_numpy(float), clusters, n_resamples=n_resamples, seed=seed
            )
            parts.append(_keyed(tests, attribute=attribute, labels=labels, against=against))
    return _all(parts, ["attribute", "labels", "against", *paired_tests.COLUMNS, "p_holm"])


def mean_divergences(study: Study, attribute: str) -> dict[str, pd.Series]:
    """Mean divergence over occupations of each model of the grid, by bias: (models,)."""
    return {bias: study.divergence(attribute, bias, study.grid.index).mean(axis=1) for bias in GROUND_TRUTHS}


def _keyed(tests: pd.DataFrame, **keys: str) -> pd.DataFrame:
    """A table of tests behind its keys, with p corrected for all of its rows."""
    return tests.assign(p_holm=stats.correct_holm(tests["p"].to_numpy(float)), **keys)


def _all(parts: list[pd.DataFrame], columns: list[str]) -> pd.DataFrame:
    return pd.concat(parts, ignore_index=True)[columns] if parts else pd.DataFrame(columns=columns)
