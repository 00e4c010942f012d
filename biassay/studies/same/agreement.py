"""How far scores of words agree with the bias that a model was trained on, or that it has: same-2021 §5.2.

Scores are compared with two ground truths: "signed", p(male), which way and how far, and "unsigned", |0.5 − p|, how far
only.
Metrics with a sign answer both, in the second by their absolute value; metrics without one the second. Metrics are
compared within a ground truth, and with its own ceiling, the unmasking bias.
"""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from biassay.numerics import cluster_bootstrap, paired_tests
from biassay.numerics import statistics as stats
from biassay.studies.same.tables import Grid

UNMASKING = "unmasking"  # p(male) itself as a score: what the others can reach
SIGNED, UNSIGNED = GROUND_TRUTHS = ("signed", "unsigned")
LEVEL = 0.05
DECIMALS = 6  # of R² that are compared; WEAT's and SAME's differ by rounding


def ground_truth_of(ground_truth: str, p: pd.DataFrame) -> pd.DataFrame:
    """What a ground truth says of p(male)."""
    return p if ground_truth == SIGNED else (0.5 - p).abs()


def answer(ground_truth: str, metric: str, values: pd.DataFrame, signed: bool) -> pd.DataFrame:
    """The scores with which a metric answers a ground truth; an unsigned metric answers with its scores as they are."""
    if metric == UNMASKING:
        return ground_truth_of(ground_truth, values)
    return values.abs() if signed and ground_truth == UNSIGNED else values


def word_correlations(grid: Grid, samples: Mapping[str, pd.DataFrame], signed: Mapping[str, bool]) -> pd.DataFrame:
    """Correlate the scores of each model's occupations with training and unmasking bias, F5 and F6.

    samples: by metric, (models, occupations). The last rows of a ground truth are of the unmasking bias itself, with
    the training bias. A row a model, truth, metric and bias (`against`): r, its 95 % interval (low, high; by Fisher's
    transform), its two-sided p, r2, n occupations; NaN with fewer than 3 occupations or constant values.
    """
    signs = {**signed, UNMASKING: True}
    biases, rows = {"training": grid.training, UNMASKING: grid.unmasking}, []
    for ground_truth in GROUND_TRUTHS:
        for metric, values in [*samples.items(), (UNMASKING, grid.unmasking)]:
            if ground_truth == SIGNED and not signs[metric]:
                continue
            scores = answer(ground_truth, metric, values, signs[metric]).to_numpy(float)
            for against, bias in biases.items():
                if metric == against:
                    continue
                r, p, n = stats.pearson_rows(scores, ground_truth_of(ground_truth, bias).to_numpy(float))
                columns = {"ground_truth": ground_truth, "metric": metric, "signed": signs[metric], "against": against}
                low, high = stats.fisher_interval(r, n)
                columns |= {"n": n, "r": r, "low": low, "high": high, "r2": r**2, "p": p}
                rows.append(grid.models[["distribution", "learned"]].assign(**columns).reset_index())
    return pd.concat(rows, ignore_index=True)


def summarise(correlations: pd.DataFrame, n_resamples: int, seed: int) -> pd.DataFrame:
    """F6: a row a ground truth, metric and bias: mean and standard deviation (ddof 1) of R² over the kept models.

    low, high: 95 % bootstrap interval of the mean, distributions drawn as wholes, for their repeats are alike.
    models: those that have an R². ceiling: mean R² of unmasking in the same ground truth, over the same models
    (training only); share: the mean as a share of that. seen: share of models with p < .05, and r > 0 if the metric is
    signed. negative: share with r < 0.
    """
    kept = correlations[correlations["learned"]]
    reached = kept[kept["metric"] == UNMASKING].set_index(["ground_truth", "model"])["r2"]
    rows = []
    for (ground_truth, metric, against), table in correlations.groupby(
        ["ground_truth", "metric", "against"], sort=False
    ):
        found = table[table["learned"] & table["r2"].notna()]
        values, is_signed = found["r2"].to_numpy(), bool(table["signed"].iloc[0])
        low, high = _interval_of_mean(values, found["distribution"].to_numpy(), n_resamples, seed)
        seen = (found["p"] < LEVEL) & ((found["r"] > 0) | (not is_signed))
        of_models = reached.reindex([(ground_truth, model) for model in found["model"]])
        upper_bound = of_models.mean() if against == "training" else np.nan
        rows.append(
            {"ground_truth": ground_truth, "metric": metric, "against": against, "signed": is_signed,
            "models": len(found),
             "r2_mean": found["r2"].mean(), "low": low, "high": high, "r2_std": found["r2"].std(),
             "upper_bound": upper_bound,
             "share_of_upper_bound": found["r2"].mean() / upper_bound if upper_bound > 0 else np.nan, "share_significant": seen.mean(),
             "share_negative": (found["r"] < 0).mean()}
        )  # fmt: skip
    return pd.DataFrame(rows)


def compare(correlations: pd.DataFrame, seed: int) -> pd.DataFrame:
    """Is the R² of one metric more than that of another? A row a ground truth, bias and pair of metrics, over the kept
    models.

    The columns of `paired_tests.compare`, distributions as clusters, and p_holm, corrected for the pairs of a ground truth
    and bias.
    """
    kept = correlations[correlations["learned"] & (correlations["metric"] != UNMASKING)]
    parts = []
    for (ground_truth, against), table in kept.groupby(["ground_truth", "against"], sort=False):
        wide = table.pivot(index="model", columns="metric", values="r2").round(DECIMALS)
        clusters = table.groupby("model")["distribution"].first().reindex(wide.index)
        values = {metric: wide[metric].to_numpy() for metric in table["metric"].unique()}
        found = paired_tests.compare(values, clusters.to_numpy(), seed=seed)
        found.insert(0, "against", against)
        found.insert(0, "ground_truth", ground_truth)
        parts.append(found.assign(p_holm=stats.holm(found["p"].to_numpy(float))))
    columns = ["ground_truth", "against", *paired_tests.COLUMNS, "p_holm"]
    return pd.concat(parts, ignore_index=True) if parts else pd.DataFrame(columns=columns)


def median_model(correlations: pd.DataFrame) -> int | None:
    """The kept model of the (lower) median of R² with the training bias, averaged over metrics; None without any."""
    chosen = correlations[correlations["learned"] & (correlations["against"] == "training")]
    means = chosen.groupby("model")["r2"].mean().dropna().sort_values(kind="stable")
    return int(means.index[(len(means) - 1) // 2]) if len(means) else None


def _interval_of_mean(values: np.ndarray, clusters: np.ndarray, n_resamples: int, seed: int) -> tuple[float, float]:
    return cluster_bootstrap.confidence_interval(
        lambda w: cluster_bootstrap.weighted_means(values, w), clusters, n_resamples, seed
    )
