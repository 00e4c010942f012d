"""Pairwise ranking accuracy: how often a score orders two models as their bias does (same-2024, Table 3).

Classifiers on vectors of one language model are not independent: they are resampled and permuted together.
"""

from collections.abc import Callable

import numpy as np
import pandas as pd

from biassay.statistics.paired_tests import correct_holm

MIN_MODELS = 5  # for a bootstrap interval
TOLERANCE = 1e-12  # smaller differences count as ties
DOWNSTREAM, PLANTED = "downstream", "planted"  # kinds of ground truth
Pairs = Callable[[np.ndarray], np.ndarray]  # `extreme_pairs`, or `all_pairs` if the bias was planted
KEYS = ["set", "attribute", "version", "group_words"]
COLUMNS = [*KEYS, "ground_truth", "score", "n_models", "n_cases", "n_low_bias", "n_high_bias", "n_pairs",
           "ranking_accuracy", "low", "high", "chance", "chance_low", "chance_high", "p"]  # fmt: skip


def rank_models(
    cases: pd.DataFrame, bias: pd.DataFrame, models: pd.DataFrame, n_resamples: int, *, seed: int
) -> pd.DataFrame:
    """Rank models by each metric's `cases`, and models with planted bias by downstream bias too.

    Returns COLUMNS, p_holm (corrected over the rows of a ground truth) and rank (of the scores of a set).
    """
    rows = rank_by_bias(cases, n_resamples, seed)
    if "strength" in models:
        valid = bias[bias["is_valid"].astype(bool)]
        of_bias = valid.assign(group_words="raw", value=valid["bias"], metric=DOWNSTREAM)
        strengths = models.dropna(subset="strength").set_index("name")["strength"]
        rows += rank_by_strength(pd.concat([cases, of_bias]), strengths, n_resamples, seed)
    table = pd.DataFrame(rows, columns=COLUMNS)
    table["p_holm"] = table.groupby("ground_truth")["p"].transform(lambda p: correct_holm(p.to_numpy()))
    accuracies = table.groupby([*KEYS, "ground_truth"])["ranking_accuracy"]
    return table.assign(rank=accuracies.rank(method="min", ascending=False))


def rank_by_bias(cases: pd.DataFrame, n_resamples: int, seed: int) -> list[dict]:
    """Rank by downstream bias, once per metric, set, attribute, version and kind of group words."""
    rows = []
    for (metric, *key), part in cases.groupby(["metric", *KEYS], sort=False):
        wide = part.pivot(index="model", columns="n_directions", values=["value", "bias"]).astype(float)
        row = evaluate_ranking(wide["value"].to_numpy(), wide["bias"].to_numpy(), extreme_pairs, n_resamples, seed=seed)
        rows.append(dict(zip(KEYS, key, strict=True)) | {"ground_truth": DOWNSTREAM, "score": metric} | row)
    return rows


def rank_by_strength(cases: pd.DataFrame, strengths: pd.Series, n_resamples: int, seed: int) -> list[dict]:
    """Rank the models with planted bias by its strength, from vectors that are not debiased."""
    is_plain = (cases["n_directions"] == 0) & (cases["group_words"] == "raw")
    planted = cases[is_plain & cases["model"].isin(strengths.index)]
    rows = []
    for (metric, *key), part in planted.groupby(["metric", *KEYS], sort=False):
        values, ground_truth = (column.to_numpy(float)[:, None] for column in (part["value"], strengths[part["model"]]))
        row = evaluate_ranking(values, ground_truth, all_pairs, n_resamples, seed=seed)
        rows.append(dict(zip(KEYS, key, strict=True)) | {"ground_truth": PLANTED, "score": metric} | row)
    return rows


def evaluate_ranking(
    scores: np.ndarray, bias: np.ndarray, select_pairs: Pairs, n_resamples: int, *, seed: int
) -> dict[str, float | int]:
    """Compare a ranking of models by scores with chance; scores and bias are of shape (models, variants).

    Bias is NaN for cases that do not count. n_low_bias and n_high_bias count the cases on either side of the pairs;
    low, high: 95 % bootstrap interval over models, each resample with its own pairs, NaN below MIN_MODELS; chance,
    chance_low, chance_high: mean and middle 95 % of the accuracies with the scores of whole models permuted, whose
    mean may differ from 0.5 if variants differ; p: twice the share of these accuracies in the smaller tail.
    """
    pairs = select_pairs(bias.ravel())
    observed = ranking_accuracy(scores.ravel(), pairs)
    row = dict.fromkeys(["low", "high", "chance", "chance_low", "chance_high", "p"], np.nan)
    row |= {
        "n_models": int(np.isfinite(bias).any(axis=1).sum()), "n_cases": int(np.isfinite(bias).sum()),
        "n_low_bias": int(pairs.any(axis=1).sum()), "n_high_bias": int(pairs.any(axis=0).sum()),
        "n_pairs": int(pairs.sum()), "ranking_accuracy": observed,
    }  # fmt: skip
    if np.isnan(observed):
        return row
    random, n = np.random.default_rng(seed), len(scores)
    orders = [random.permutation(n) for _ in range(n_resamples)]
    permuted = np.array([ranking_accuracy(scores[order].ravel(), pairs) for order in orders])
    permuted = permuted[np.isfinite(permuted)]
    if len(permuted):
        row["chance_low"], row["chance_high"] = np.percentile(permuted, (2.5, 97.5)).tolist()
        tails = (permuted >= observed - TOLERANCE).sum(), (permuted <= observed + TOLERANCE).sum()
        row |= {"chance": float(permuted.mean()), "p": float(min(1, 2 * (1 + min(tails)) / (1 + len(permuted))))}
    drawn = [random.integers(0, n, n) for _ in range(n_resamples)]
    resampled = np.array([ranking_accuracy(scores[rows].ravel(), select_pairs(bias[rows].ravel())) for rows in drawn])
    if row["n_models"] >= MIN_MODELS and np.isfinite(resampled).any():
        row["low"], row["high"] = np.nanpercentile(resampled, (2.5, 97.5)).tolist()
    return row


def extreme_pairs(bias: np.ndarray) -> np.ndarray:
    """Return the pairs (i, j) in which i is below mean − std of the bias (n,) and j above mean + std (ddof 0).

    The result is a boolean matrix (n, n); NaN is in no pair.
    """
    values = bias[np.isfinite(bias)]
    if not len(values) or values.std() <= TOLERANCE:
        return np.zeros((len(bias), len(bias)), bool)
    low = bias < values.mean() - values.std() - TOLERANCE
    high = bias > values.mean() + values.std() + TOLERANCE
    return low[:, None] & high[None]


def all_pairs(bias: np.ndarray) -> np.ndarray:
    """Return all pairs (i, j) in which j has more bias (n,) than i, as a boolean matrix (n, n); NaN in no pair."""
    return bias[:, None] < bias[None]


def ranking_accuracy(scores: np.ndarray, pairs: np.ndarray) -> float:
    """Return the share of the pairs (i, j) in which j has the larger score (n,); a tie counts half.

    NaN without pairs, or if a case of a pair has no score.
    """
    low, high = np.nonzero(pairs)
    difference = scores[high] - scores[low]
    correct = np.where(np.abs(difference) < TOLERANCE, 0.5, difference > 0)
    return float(correct.mean()) if len(low) and not np.isnan(difference).any() else np.nan
