"""Agreement of word-level scores with the bias that a model was trained on and with its own bias (same-2021 §5.2).

There are two ground truths: "signed" is p(male), direction and magnitude; "unsigned" is |0.5 − p|, the magnitude only.
Signed metrics are compared with both, with the second by their absolute value; unsigned metrics only with the second.
Within each ground truth, the agreement of the unmasking bias is the upper bound.
"""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from biassay.statistics import correlation, intervals, paired_tests
from biassay.studies.same.tables import Grid

UNMASKING = "unmasking"  # p(male) itself as a score: the upper bound
SIGNED, UNSIGNED = GROUND_TRUTHS = ("signed", "unsigned")
LEVEL = 0.05
DECIMALS = 6  # R² is rounded before metrics are compared, because WEAT and SAME differ by rounding


def ground_truth_values(ground_truth: str, p: pd.DataFrame) -> pd.DataFrame:
    """Convert p(male) to the values of a ground truth."""
    return p if ground_truth == SIGNED else (0.5 - p).abs()


def comparable_scores(ground_truth: str, metric: str, values: pd.DataFrame, signed: bool) -> pd.DataFrame:
    """Convert scores to those compared with a ground truth: signed scores lose their sign for the unsigned one."""
    if metric == UNMASKING:
        return ground_truth_values(ground_truth, values)
    return values.abs() if signed and ground_truth == UNSIGNED else values


def correlate_words(grid: Grid, word_scores: Mapping[str, pd.DataFrame], signed: Mapping[str, bool]) -> pd.DataFrame:
    """Correlate the scores of each model's occupations with the training and the unmasking bias (Figures 5 and 6).

    Parameters
    ----------
    grid : Grid
    word_scores : mapping of str to DataFrame
        Scores by metric, (models, occupations).
    signed : mapping of str to bool
        Whether the metric's scores have a sign.

    Returns
    -------
    DataFrame
        One row per ground truth, metric, bias (`against`) and model, with n occupations, Pearson's r, its 95 % interval
        by Fisher's transform (low, high), r2 and the two-sided p. NaN for fewer than 3 occupations or constant values.
        The last rows of each ground truth correlate the unmasking bias itself with the training bias.
    """
    signs = {**signed, UNMASKING: True}
    biases, rows = {"training": grid.training, UNMASKING: grid.unmasking}, []
    for ground_truth in GROUND_TRUTHS:
        for metric, values in [*word_scores.items(), (UNMASKING, grid.unmasking)]:
            if ground_truth == SIGNED and not signs[metric]:
                continue
            scores = comparable_scores(ground_truth, metric, values, signs[metric]).to_numpy(float)
            for against, bias in biases.items():
                if metric == against:
                    continue
                r, p, n = correlation.pearson(scores, ground_truth_values(ground_truth, bias).to_numpy(float))
                columns = {"ground_truth": ground_truth, "metric": metric, "signed": signs[metric], "against": against}
                low, high = correlation.fisher_interval(r, n)
                columns |= {"n": n, "r": r, "low": low, "high": high, "r2": r**2, "p": p}
                rows.append(grid.models[["distribution", "learned"]].assign(**columns).reset_index())
    return pd.concat(rows, ignore_index=True)


def summarise_correlations(correlations: pd.DataFrame, n_resamples: int, seed: int) -> pd.DataFrame:
    """Summarise R² over the models that learned their bias (Figure 6).

    Returns
    -------
    DataFrame
        One row per ground truth, metric and bias. r2_mean, r2_std: mean and standard deviation (ddof 1). low, high:
        95 % bootstrap interval of the mean; whole distributions are resampled because their repeats are alike. models:
        number of models with an R². upper_bound: mean R² of unmasking with the same ground truth over the same models
        (training bias only). share_of_upper_bound: r2_mean / upper_bound. share_significant: share of models with
        p < 0.05 and, for signed metrics, r > 0. share_negative: share with r < 0.
    """
    learned = correlations[correlations["learned"]]
    unmasking = learned[learned["metric"] == UNMASKING].set_index(["ground_truth", "model"])["r2"]
    rows = []
    for (ground_truth, metric, against), table in correlations.groupby(
        ["ground_truth", "metric", "against"], sort=False
    ):
        defined = table[table["learned"] & table["r2"].notna()]
        values, is_signed = defined["r2"].to_numpy(), bool(table["signed"].iloc[0])
        low, high = intervals.interval_of_mean(values, defined["distribution"].to_numpy(), n_resamples, seed)
        significant = (defined["p"] < LEVEL) & ((defined["r"] > 0) | (not is_signed))
        bounds = unmasking.reindex([(ground_truth, model) for model in defined["model"]])
        upper_bound, mean = bounds.mean() if against == "training" else np.nan, defined["r2"].mean()
        rows.append(
            {"ground_truth": ground_truth, "metric": metric, "against": against, "signed": is_signed,
             "models": len(defined), "r2_mean": mean, "low": low, "high": high, "r2_std": defined["r2"].std(),
             "upper_bound": upper_bound, "share_of_upper_bound": mean / upper_bound if upper_bound > 0 else np.nan,
             "share_significant": significant.mean(), "share_negative": (defined["r"] < 0).mean()}
        )  # fmt: skip
    return pd.DataFrame(rows)


def compare_metrics(correlations: pd.DataFrame, seed: int) -> pd.DataFrame:
    """Test whether the R² of one metric is larger than that of another, over the models that learned their bias.

    Returns
    -------
    DataFrame
        One row per ground truth, bias and pair of metrics, as of `paired_tests.compare_means`, where clusters are
        distributions, and p_holm, corrected for the pairs of a ground truth and bias.
    """
    learned = correlations[correlations["learned"] & (correlations["metric"] != UNMASKING)]
    parts = []
    for (ground_truth, against), table in learned.groupby(["ground_truth", "against"], sort=False):
        wide = table.pivot(index="model", columns="metric", values="r2").round(DECIMALS)
        clusters = table.groupby("model")["distribution"].first().reindex(wide.index)
        values = {metric: wide[metric].to_numpy() for metric in table["metric"].unique()}
        tests = paired_tests.compare_means(values, clusters.to_numpy(), seed=seed)
        tests.insert(0, "against", against)
        tests.insert(0, "ground_truth", ground_truth)
        parts.append(tests.assign(p_holm=paired_tests.correct_holm(tests["p"].to_numpy(float))))
    columns = ["ground_truth", "against", *paired_tests.COLUMNS, "p_holm"]
    return pd.concat(parts, ignore_index=True) if parts else pd.DataFrame(columns=columns)


def find_median_model(correlations: pd.DataFrame) -> int | None:
    """Find the model with the (lower) median R² with the training bias, averaged over metrics; None without models."""
    trained = correlations[correlations["learned"] & (correlations["against"] == "training")]
    means = trained.groupby("model")["r2"].mean().dropna().sort_values(kind="stable")
    return int(means.index[(len(means) - 1) // 2]) if len(means) else None
