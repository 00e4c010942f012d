"""Agreement of scores with the bias in the data, with unmasking, and with each other (intrinsic-2023 §5.2).

The bias of an occupation is the Jensen–Shannon divergence of its groups from equal ones, which has no sign. Scores
therefore enter by their magnitude (`bias_magnitude`), for an occupation after the mean over its sentences.
"""

from collections.abc import Mapping
from itertools import combinations

import pandas as pd

from biassay.statistics import correlation, paired_tests
from biassay.statistics.intervals import interval_of_mean
from biassay.studies import ranking
from biassay.studies.agreement import PERMUTATIONS, correlate
from biassay.studies.intrinsic.tables import Study

DATA, UNMASKING = GROUND_TRUTHS = ("data", "unmasking")
DECIMALS = 9
STATISTICS = ("r", "share_of_upper_bound")
WORDS = ["attribute", "first", "second", "model", "distribution", "r", "n"]
SUMMARY = ["attribute", "first", "second", "models", "n", "r_mean", "r_std", "low", "high"]
SETS = ["attribute", "labels", "first", "second", "models", "distributions", "r", "low", "high", "p"]
SetScores = Mapping[tuple[str, str], Mapping[str, pd.Series]]  # by (attribute, kind of labels) and metric: (models,)


def correlate_words(
    study: Study, word_scores: Mapping[str, Mapping[str, pd.DataFrame]], with_sign: bool = False
) -> pd.DataFrame:
    """Correlate word-level scores with each other and with both divergences, model by model (Figure 2).

    word_scores: by attribute and metric, (models, occupations), as magnitudes. with_sign: of signed scores with their
    sign, to correlate them with the probability of the first of two groups only, so that direction counts.
    Returns one row per attribute, pair (first, second) and model: Pearson's r over n occupations.
    """
    parts = [pd.DataFrame(columns=WORDS)]
    for attribute, by_metric in word_scores.items():
        if with_sign:
            biases = {bias: study.first_group(attribute, bias) for bias in GROUND_TRUTHS}
        else:
            biases = {bias: study.divergence(attribute, bias, study.grid.index) for bias in GROUND_TRUTHS}
        columns = {**biases, **by_metric}
        for first, second in combinations(columns, 2):
            if with_sign and first not in GROUND_TRUTHS:
                continue
            r, _, n = correlation.pearson(columns[first].to_numpy(float), columns[second].to_numpy(float))
            table = pd.DataFrame({"model": study.grid.index, "distribution": study.grid["distribution"].to_numpy()})
            parts.append(table.assign(attribute=attribute, first=first, second=second, r=r, n=n)[WORDS])
    return pd.concat(parts[1:] or parts, ignore_index=True)


def summarise_correlations(correlations: pd.DataFrame, n_resamples: int, seed: int) -> pd.DataFrame:
    """Summarise r over models, by attribute and pair (Figure 2).

    models: those with an r; low, high: 95 % bootstrap interval of the mean over whole distributions.
    """
    rows = []
    for key, table in correlations.groupby(["attribute", "first", "second"], sort=False):
        r, clusters = table["r"].dropna(), table["distribution"][table["r"].notna()].to_numpy()
        interval = interval_of_mean(r.to_numpy(), clusters, n_resamples, seed)
        rows.append([*key, len(r), int(table["n"].max()), r.mean(), r.std(), *interval])
    return pd.DataFrame(rows, columns=SUMMARY)


def compare_words(correlations: pd.DataFrame, seed: int) -> pd.DataFrame:
    """Test whether one metric follows a ground truth more closely than another at word level.

    Returns the table of `ranking.compare_models`, and p_holm, by attribute and ground truth (`against`).
    """
    of_metrics = correlations[correlations["first"].isin(GROUND_TRUTHS) & ~correlations["second"].isin(GROUND_TRUTHS)]
    families = of_metrics.groupby(["attribute", "first"], sort=False)
    tests = {key: ranking.compare_models(table, "second", "r", DECIMALS, seed) for key, table in families}
    return ranking.join_families(tests, ["attribute", "against"])


def compare_attributes(study: Study, correlations: pd.DataFrame, seed: int) -> pd.DataFrame:
    """Test whether a metric follows the data better for an attribute of two groups than for one of several (§5.2.1).

    The statistic is r at word level, or the mean r as a share of the mean r of unmasking, the upper bound, with the
    same attribute. Only models with r for all attributes count. Returns the columns of `paired_tests.compare_means`,
    with attributes as first and second, and p_holm, corrected for all metrics and pairs of a statistic.
    """
    rows = correlations[correlations["first"] == DATA]
    wide = rows.pivot(index="model", columns=["second", "attribute"], values="r")
    distributions, families = rows.groupby("model")["distribution"].first(), {}
    for statistic in STATISTICS:
        parts = {}
        for metric in rows["second"].unique():
            values = wide[metric].dropna(axis=1, how="all").dropna()
            if statistic == "share_of_upper_bound":
                if metric == UNMASKING:
                    continue
                values = linearise_shares(values, wide[UNMASKING].loc[values.index, values.columns])
            tests = paired_tests.compare_means(values, distributions[values.index].to_numpy(), seed=seed)
            has_two = tests[["first", "second"]].map(lambda attribute: len(study.groups(attribute)) == 2)
            parts[metric] = tests[has_two["first"] != has_two["second"]]
        if parts:
            families[(statistic,)] = pd.concat(parts, names=["metric"]).reset_index(level="metric")
    return ranking.join_families(families, ["statistic"])


def linearise_shares(values: pd.DataFrame, bounds: pd.DataFrame) -> pd.DataFrame:
    """Distribute the ratios of column means, values to bounds, over rows, so that the means of rows are the ratios.

    The rows (Taylor linearisation) contain the uncertainty of both means. NaN if the mean bound is not positive.
    """
    means = bounds.mean()
    ratios = values.mean() / means.where(means > 0)
    return ratios + (values - ratios * bounds) / means


def correlate_sets(study: Study, values: SetScores, n_resamples: int, seed: int) -> pd.DataFrame:
    """Correlate set-level scores with each other and with the mean divergences, over the models of the grid (Figure 3).

    values: magnitudes. Returns one row per attribute, kind of labels and pair: models,
    distributions, Pearson's r, low and high (95 % bootstrap interval over whole distributions), p of Pearson's test,
    which treats repeats as independent.
    """
    rows, clusters = [], study.grid["distribution"].to_numpy()
    for key, by_metric in values.items():
        columns = mean_divergences(study, key[0]) | dict(by_metric)
        for first, second in combinations(columns, 2):
            pair = (columns[name].to_numpy(float) for name in (first, second))
            r = correlate(*pair, clusters, n_resamples, seed)
            rows.append([*key, first, second, r.n, r.n_clusters, r.r, r.low, r.high, r.p])
    return pd.DataFrame(rows, columns=SETS)


def compare_sets(study: Study, values: SetScores, seed: int) -> pd.DataFrame:
    """Test whether the set-level R² of one metric with a mean divergence is larger than that of another.

    Returns the table of `paired_tests.compare_r2`, and p_holm, by attribute, kind of labels and `against`.
    """
    families, clusters = {}, study.grid["distribution"].to_numpy()
    for key, by_metric in values.items():
        scores = {name: series.to_numpy(float) for name, series in by_metric.items()}
        for against, bias in mean_divergences(study, key[0]).items():
            tests = paired_tests.compare_r2(scores, bias.to_numpy(float), clusters, n_resamples=PERMUTATIONS, seed=seed)
            families[(*key, against)] = tests
    return ranking.join_families(families, ["attribute", "labels", "against"])


def mean_divergences(study: Study, attribute: str) -> dict[str, pd.Series]:
    """Compute the mean divergence over occupations of each model of the grid, by bias: (models,)."""
    return {bias: study.divergence(attribute, bias, study.grid.index).mean(axis=1) for bias in GROUND_TRUTHS}
