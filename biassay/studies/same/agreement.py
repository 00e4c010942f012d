"""Agreement of scores with the bias that a model was trained on and with its own bias (same-2021 §5.2 and §5.3).

There are two ground truths: "signed" is p(male), direction and magnitude; "unsigned" is |0.5 − p|, the magnitude only.
Signed metrics are compared with both, with the second by their absolute value; unsigned metrics only with the second,
by their magnitude (`bias_magnitude`).
Within each ground truth, the agreement of the unmasking bias is the upper bound. R² has the sign of r.
"""

from collections.abc import Mapping
from types import ModuleType

import numpy as np
import pandas as pd

from biassay.statistics import correlation, paired_tests
from biassay.statistics.intervals import interval_of_mean
from biassay.studies import agreement, ranking
from biassay.studies.agreement import PERMUTATIONS, correlate
from biassay.studies.ranking import LEVEL
from biassay.studies.same.tables import Grid

UNMASKING = "unmasking"  # p(male) itself as a score: the upper bound
SIGNED, UNSIGNED = GROUND_TRUTHS = ("signed", "unsigned")
SUMMARIES = {"mean": SIGNED, "std": UNSIGNED, "absolute": UNSIGNED}  # the ground truth of each summary of p(male)
DECIMALS = 6  # WEAT and SAME differ by rounding
SETS = ["metric", "signed", "against", "ground_truth", "n", "r", "r2", "low", "high", "p"]


def ground_truth_values(ground_truth: str, p: pd.DataFrame) -> pd.DataFrame:
    """Convert p(male) to the values of a ground truth."""
    return p if ground_truth == SIGNED else (0.5 - p).abs()


def comparable_scores(ground_truth: str, metric: str, values: pd.DataFrame, signed: bool) -> pd.DataFrame:
    """Convert scores to those compared with a ground truth: signed scores lose their sign for the unsigned one."""
    if metric == UNMASKING:
        return ground_truth_values(ground_truth, values)
    return values.abs() if signed and ground_truth == UNSIGNED else values


def orient_scores(
    scores: Mapping[str, pd.DataFrame | pd.Series], level: str, modules: Mapping[str, ModuleType]
) -> dict[str, pd.DataFrame | pd.Series]:
    """Convert the scores of a level by metric, of words or of sets, as `agreement.orient_scores` does."""
    return {
        name: agreement.orient_scores(values, modules[name], modules[name].METRIC.range(level, 2))
        for name, values in scores.items()
    }


def correlate_words(grid: Grid, word_scores: Mapping[str, pd.DataFrame], signed: Mapping[str, bool]) -> pd.DataFrame:
    """Correlate the scores of each model's occupations with the training and the unmasking bias (Figures 5 and 6).

    word_scores: by metric, (models, occupations); signed: whether the metric's scores have a sign. Returns one row per
    ground truth, metric, bias (`against`) and model: n occupations, Pearson's r, its 95 % interval by Fisher's
    transform (low, high), r2 and the two-sided p. The unmasking bias is itself compared with the training bias.
    """
    rows = []
    for ground_truth in GROUND_TRUTHS:
        for metric, values in [*word_scores.items(), (UNMASKING, grid.unmasking)]:
            is_signed = metric == UNMASKING or signed[metric]
            if ground_truth == SIGNED and not is_signed:
                continue
            scores = comparable_scores(ground_truth, metric, values, is_signed).to_numpy(float)
            for against, bias in (("training", grid.training), (UNMASKING, grid.unmasking)):
                if metric == against:
                    continue
                r, p, n = correlation.pearson(scores, ground_truth_values(ground_truth, bias).to_numpy(float))
                low, high = correlation.fisher_interval(r, n)
                columns = {"ground_truth": ground_truth, "metric": metric, "signed": is_signed, "against": against}
                columns |= {"n": n, "r": r, "low": low, "high": high, "r2": correlation.signed_r2(r), "p": p}
                rows.append(grid.models[["distribution", "learned"]].assign(**columns).reset_index())
    return pd.concat(rows, ignore_index=True)


def summarise_correlations(correlations: pd.DataFrame, n_resamples: int, seed: int) -> pd.DataFrame:
    """Summarise R² over the models that learned their bias, by ground truth, metric and bias (Figure 6).

    low, high: 95 % bootstrap interval of the mean over whole distributions. upper_bound: mean R² of unmasking with the
    same ground truth over the same models (training bias only). share_significant: share of models with p < 0.05 and
    r > 0.
    """
    learned = correlations[correlations["learned"]]
    unmasking = learned[learned["metric"] == UNMASKING].set_index(["ground_truth", "model"])["r2"]
    keys, rows = ["ground_truth", "metric", "against"], []
    for (ground_truth, metric, against), table in correlations.groupby(keys, sort=False):
        defined = table[table["learned"] & table["r2"].notna()]
        r2, is_signed = defined["r2"], bool(table["signed"].iloc[0])
        low, high = interval_of_mean(r2.to_numpy(), defined["distribution"].to_numpy(), n_resamples, seed)
        significant = (defined["p"] < LEVEL) & (defined["r"] > 0)
        bounds = unmasking.reindex([(ground_truth, model) for model in defined["model"]])
        upper_bound = bounds.mean() if against == "training" else np.nan
        rows.append({
            "ground_truth": ground_truth, "metric": metric, "against": against, "signed": is_signed,
            "models": len(defined), "r2_mean": r2.mean(), "low": low, "high": high, "r2_std": r2.std(),
            "upper_bound": upper_bound,
            "share_of_upper_bound": r2.mean() / upper_bound if upper_bound > 0 else np.nan,
            "share_significant": significant.mean(), "share_negative": (defined["r"] < 0).mean(),
        })  # fmt: skip
    return pd.DataFrame(rows)


def compare_words(correlations: pd.DataFrame, seed: int) -> pd.DataFrame:
    """Test whether the R² of one metric is larger than another's, over the models that learned their bias.

    Returns the table of `ranking.compare_models`, and p_holm, by ground truth and bias (`against`).
    """
    learned = correlations[correlations["learned"] & (correlations["metric"] != UNMASKING)]
    keys = ["ground_truth", "against"]
    families = learned.groupby(keys, sort=False)
    tests = {key: ranking.compare_models(table, "metric", "r2", DECIMALS, seed) for key, table in families}
    return ranking.join_families(tests, keys)


def find_median_model(correlations: pd.DataFrame) -> int | None:
    """Find the model with the (lower) median R² with the training bias, averaged over metrics; None without models."""
    trained = correlations[correlations["learned"] & (correlations["against"] == "training")]
    means = trained.groupby("model")["r2"].mean().dropna().sort_values(kind="stable")
    return int(means.index[(len(means) - 1) // 2]) if len(means) else None


def summarise_unmasking(grid: Grid) -> dict[str, pd.Series]:
    """Summarise p(male) over the occupations of each model that learned its bias: mean, std (ddof 0), Σ|0.5 − p|."""
    p_male = grid.unmasking.loc[grid.learned_models.index]
    absolute = (0.5 - p_male).abs().sum(axis=1, min_count=1)
    return {"mean": p_male.mean(axis=1), "std": p_male.std(axis=1, ddof=0), "absolute": absolute}


def correlate_sets(
    grid: Grid, sets: Mapping[str, pd.Series], signed: Mapping[str, bool], n_resamples: int, seed: int
) -> pd.DataFrame:
    """Correlate set-level scores with summaries of the unmasking bias, over the models that learned it (Figure 9).

    The mean of p(male) is signed. Unsigned metrics are correlated with it too, as in the paper, although they cannot
    follow its sign. Repeats of a distribution are alike, so Pearson's test is of the means of distributions, unlike in
    the paper.

    sets: scores by metric, (models,). Returns one row per metric and summary (`against`): n models, r, r2, the 95 %
    bootstrap interval of r2 over whole distributions, p of Pearson's test, and p_holm, corrected for all rows.
    """
    rows, clusters = [], grid.learned_models["distribution"].to_numpy()
    for metric, values in sets.items():
        for against, summary in summarise_unmasking(grid).items():
            scores = _set_scores(values, summary, against, signed[metric])
            r = correlate(scores, summary.to_numpy(float), clusters, n_resamples, seed, squared=True)
            pairs = pd.DataFrame({"distribution": clusters, "score": scores, "bias": summary.to_numpy(float)}).dropna()
            means = pairs.groupby("distribution").mean()
            p = correlation.pearson(means["score"], means["bias"])[1]
            r2 = correlation.signed_r2(r.r)
            rows.append((metric, signed[metric], against, SUMMARIES[against], r.n, r.r, r2, r.low, r.high, p))
    return ranking.correct_family(pd.DataFrame(rows, columns=SETS))


def compare_sets(grid: Grid, sets: Mapping[str, pd.Series], signed: Mapping[str, bool], seed: int) -> pd.DataFrame:
    """Test whether the set-level R² of one metric is larger than another's; only signed metrics follow the mean.

    Returns the table of `paired_tests.compare_r2`, and p_holm, by summary of p(male) (`against`).
    """
    clusters, families = grid.learned_models["distribution"].to_numpy(), {}
    for against, summary in summarise_unmasking(grid).items():
        compared = [metric for metric in sets if signed[metric] or SUMMARIES[against] == UNSIGNED]
        scores = {metric: _set_scores(sets[metric], summary, against, signed[metric]) for metric in compared}
        bias = summary.to_numpy(float)
        families[(against,)] = paired_tests.compare_r2(scores, bias, clusters, n_resamples=PERMUTATIONS, seed=seed)
    return ranking.join_families(families, ["against"])


def _set_scores(values: pd.Series, summary: pd.Series, against: str, signed: bool) -> np.ndarray:
    """Select the scores of a summary's models (models,); signed ones lose their sign for unsigned summaries."""
    scores = values.reindex(summary.index).to_numpy(float)
    return np.abs(scores) if signed and SUMMARIES[against] == UNSIGNED else scores
