"""Agreement of scores with the bias in the data, with unmasking, and with each other (intrinsic-2023 §5.2).

The bias of an occupation is the Jensen–Shannon divergence of its groups from equal ones, which has no sign. Signed
scores therefore enter by their absolute value, for an occupation after the mean over its sentences.
"""

from collections.abc import Mapping
from itertools import combinations

import numpy as np
import pandas as pd

from biassay.statistics import correlation, intervals, paired_tests
from biassay.studies.intrinsic.tables import Study

DATA, UNMASKING = GROUND_TRUTHS = ("data", "unmasking")
DECIMALS = 9  # r is rounded before metrics are compared
WORDS = ["attribute", "first", "second", "model", "distribution", "r", "n"]


def correlate_words(study: Study, word_scores: Mapping[str, Mapping[str, pd.DataFrame]]) -> pd.DataFrame:
    """Correlate word-level scores with each other and with both divergences, model by model (Figure 2).

    Parameters
    ----------
    study : Study
    word_scores : mapping
        Scores by attribute and metric, (models, occupations); signed ones by their absolute value.

    Returns
    -------
    DataFrame
        One row per attribute, pair (first, second) and model: Pearson's r over n occupations.
    """
    rows = []
    for attribute, by_metric in word_scores.items():
        columns = {bias: study.divergence(attribute, bias, study.grid.index) for bias in GROUND_TRUTHS}
        columns |= dict(by_metric)
        for first, second in combinations(columns, 2):
            rows.append(_rows(study, attribute, first, second, columns))
    return _concat(rows, WORDS)


def _rows(study: Study, attribute: str, first: str, second: str, columns: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    r, _, n = correlation.pearson(*(columns[name].to_numpy(float) for name in (first, second)))
    grid = study.grid
    return pd.DataFrame({"attribute": attribute, "first": first, "second": second, "model": grid.index,
                         "distribution": grid["distribution"].to_numpy(), "r": r, "n": n})  # fmt: skip


def summarise_correlations(correlations: pd.DataFrame, n_resamples: int, seed: int) -> pd.DataFrame:
    """Summarise r over models (Figure 2).

    Returns
    -------
    DataFrame
        One row per attribute and pair: models with an r, n occupations of a model, r_mean, r_std (ddof 1), low and high
        (95 % bootstrap interval of the mean over whole distributions; NaN for fewer than 5).
    """
    rows = []
    for key, table in correlations.groupby(["attribute", "first", "second"], sort=False):
        defined = table[table["r"].notna()]
        r, clusters = defined["r"].to_numpy(), defined["distribution"].to_numpy()
        interval = intervals.interval_of_mean(r, clusters, n_resamples, seed)
        rows.append([*key, len(r), int(table["n"].max()), defined["r"].mean(), defined["r"].std(), *interval])
    columns = ["attribute", "first", "second", "models", "n", "r_mean", "r_std", "low", "high"]
    return pd.DataFrame(rows, columns=columns)


def correlate_signs(study: Study, word_scores: Mapping[str, Mapping[str, pd.DataFrame]]) -> pd.DataFrame:
    """Correlate signed scores with the probability of an attribute's first group, so that direction counts.

    word_scores: by attribute (of two groups) and metric, (models, occupations). Returns rows as `correlate_words`;
    `first` is one of GROUND_TRUTHS, and unmasking itself is correlated with the data.
    """
    rows = []
    for attribute, by_metric in word_scores.items():
        ground_truths = {bias: study.first_group(attribute, bias) for bias in GROUND_TRUTHS}
        columns = ground_truths | dict(by_metric)
        for first, second in combinations(columns, 2):
            if first in GROUND_TRUTHS:
                rows.append(_rows(study, attribute, first, second, columns))
    return _concat(rows, WORDS)


def compare_words(correlations: pd.DataFrame, seed: int) -> pd.DataFrame:
    """Test whether one metric follows a ground truth more closely than another at word level.

    Returns
    -------
    DataFrame
        One row per attribute, ground truth (`against`) and pair of metrics, as of `paired_tests.compare_means` on r,
        where clusters are distributions, and p_holm, corrected for the pairs of an attribute and ground truth.
    """
    of_metrics = correlations[correlations["first"].isin(GROUND_TRUTHS) & ~correlations["second"].isin(GROUND_TRUTHS)]
    parts = []
    for (attribute, against), table in of_metrics.groupby(["attribute", "first"], sort=False):
        wide = table.pivot(index="model", columns="second", values="r").round(DECIMALS)
        clusters = table.groupby("model")["distribution"].first().reindex(wide.index)
        values = {metric: wide[metric].to_numpy() for metric in table["second"].unique()}
        tests = paired_tests.compare_means(values, clusters.to_numpy(), seed=seed)
        parts.append(_correct(tests, attribute=attribute, against=against))
    return _concat(parts, ["attribute", "against", *paired_tests.COLUMNS, "p_holm"])


def correlate_sets(
    study: Study, values: Mapping[tuple[str, str], Mapping[str, pd.Series]], n_resamples: int, seed: int
) -> pd.DataFrame:
    """Correlate set-level scores with each other and with the mean divergences, over the models of the grid (Figure 3).

    Parameters
    ----------
    study : Study
    values : mapping
        Scores by (attribute, kind of labels) and metric, (models,); signed ones by their absolute value.

    Returns
    -------
    DataFrame
        One row per attribute, kind of labels and pair: models, distributions, Pearson's r, low and high (95 % bootstrap
        interval over whole distributions; NaN for fewer than 5), p of Pearson's test, which treats repeats as
        independent.
    """
    rows, clusters = [], study.grid["distribution"]
    for (attribute, labels), by_metric in values.items():
        columns = mean_divergences(study, attribute) | dict(by_metric)
        for first, second in combinations(columns, 2):
            pair = pd.DataFrame({"x": columns[first], "y": columns[second]}).astype(float).dropna()
            x, y, of_pair = pair["x"].to_numpy(), pair["y"].to_numpy(), clusters[pair.index].to_numpy()
            r, p, n = correlation.pearson(x, y)
            interval = correlation.cluster_interval(x, y, of_pair, n_resamples, seed)
            rows.append([attribute, labels, first, second, n, len(np.unique(of_pair)), r, *interval, p])
    columns = ["attribute", "labels", "first", "second", "models", "distributions", "r", "low", "high", "p"]
    return pd.DataFrame(rows, columns=columns)


def compare_sets(
    study: Study, values: Mapping[tuple[str, str], Mapping[str, pd.Series]], n_resamples: int, seed: int
) -> pd.DataFrame:
    """Test whether the set-level R² of one metric with a mean divergence is larger than that of another.

    Returns
    -------
    DataFrame
        One row per attribute, kind of labels, ground truth (`against`) and pair of metrics, with the columns of
        `paired_tests.compare_r2` and p_holm, corrected for the pairs of the other three.
    """
    parts, clusters = [], study.grid["distribution"].to_numpy()
    for (attribute, labels), by_metric in values.items():
        scores = {name: series.to_numpy(float) for name, series in by_metric.items()}
        for against, ground_truth in mean_divergences(study, attribute).items():
            tests = paired_tests.compare_r2(
                scores, ground_truth.to_numpy(float), clusters, n_resamples=n_resamples, seed=seed
            )
            parts.append(_correct(tests, attribute=attribute, labels=labels, against=against))
    return _concat(parts, ["attribute", "labels", "against", *paired_tests.COLUMNS, "p_holm"])


def mean_divergences(study: Study, attribute: str) -> dict[str, pd.Series]:
    """Compute the mean divergence over occupations of each model of the grid, by bias: (models,)."""
    return {bias: study.divergence(attribute, bias, study.grid.index).mean(axis=1) for bias in GROUND_TRUTHS}


def _correct(tests: pd.DataFrame, **keys: str) -> pd.DataFrame:
    """Add key columns, and p corrected for all rows."""
    return tests.assign(p_holm=paired_tests.correct_holm(tests["p"].to_numpy(float)), **keys)


def _concat(parts: list[pd.DataFrame], columns: list[str]) -> pd.DataFrame:
    return pd.concat(parts, ignore_index=True)[columns] if parts else pd.DataFrame(columns=columns)
