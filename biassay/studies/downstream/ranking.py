"""Pairwise ranking accuracy: how often a score orders two models as their bias does (same-2024, Table 3).

Classifiers on vectors of one language model are not independent: they are resampled and permuted together.
"""

from collections.abc import Iterator

import numpy as np
import pandas as pd

MIN_MODELS = 5  # for a bootstrap interval
TOLERANCE = 1e-12  # smaller differences count as ties
DOWNSTREAM, PLANTED = "downstream", "planted"  # kinds of ground truth
KEYS = ["set", "attribute", "version", "group_words"]
COLUMNS = [*KEYS, "ground_truth", "score", "n_models", "n_cases", "n_low_bias", "n_high_bias", "n_pairs",
           "ranking_accuracy", "low", "high", "chance", "chance_low", "chance_high", "p"]  # fmt: skip


def rank_by_bias(metric: str, cases: pd.DataFrame, n_resamples: int, seed: int) -> Iterator[dict]:
    """Yield rankings by downstream bias, one per set, attribute, version and kind of group words."""
    for key, part in cases.groupby(KEYS, sort=False):
        values, bias = (
            part.pivot(index="model", columns="n_directions", values=name).to_numpy(float) for name in ("value", "bias")
        )
        row = evaluate_ranking(values, bias, False, n_resamples, seed=seed)
        yield dict(zip(KEYS, key, strict=True)) | {"ground_truth": DOWNSTREAM, "score": metric} | row


def rank_by_strength(
    metric: str, cases: pd.DataFrame, strengths: pd.Series, n_resamples: int, seed: int
) -> Iterator[dict]:
    """Yield rankings of the models with planted bias by its strength, from vectors that are not debiased."""
    chosen = cases[
        (cases["n_directions"] == 0) & (cases["group_words"] == "raw") & cases["model"].isin(strengths.index)
    ]
    for key, part in chosen.groupby(KEYS, sort=False):
        values, ground_truth = (column.to_numpy(float)[:, None] for column in (part["value"], strengths[part["model"]]))
        row = evaluate_ranking(values, ground_truth, True, n_resamples, seed=seed)
        yield dict(zip(KEYS, key, strict=True)) | {"ground_truth": PLANTED, "score": metric} | row


def evaluate_ranking(
    scores: np.ndarray, bias: np.ndarray, is_planted: bool, n_resamples: int, *, seed: int
) -> dict[str, float | int]:
    """Compare a ranking of models by scores with chance.

    Scores and bias are of shape (models, variants); bias is NaN for cases that do not count. All pairs count if the
    bias was planted, otherwise `extreme_pairs` only.

    Returns
    -------
    dict
        n_models, n_cases, n_low_bias and n_high_bias (cases on either side of the pairs), n_pairs; ranking_accuracy;
        low, high: its 95 % bootstrap interval over models, NaN below MIN_MODELS; chance, chance_low, chance_high: mean
        and middle 95 % of the accuracies with the scores of whole models permuted, whose mean may differ from 0.5 if
        variants differ; p: twice the share of these accuracies in the smaller tail.
    """
    pairs = all_pairs(bias.ravel()) if is_planted else extreme_pairs(bias.ravel())
    row = dict.fromkeys(["low", "high", "chance", "chance_low", "chance_high", "p"], np.nan)
    row |= {
        "n_models": int(np.isfinite(bias).any(axis=1).sum()), "n_cases": int(np.isfinite(bias).sum()),
        "n_low_bias": int(pairs.any(axis=1).sum()), "n_high_bias": int(pairs.any(axis=0).sum()),
        "n_pairs": int(pairs.sum()), "ranking_accuracy": (observed := ranking_accuracy(scores.ravel(), pairs)),
    }  # fmt: skip
    if np.isnan(observed):
        return row
    random = np.random.default_rng(seed)
    orders = [random.permutation(len(scores)) for _ in range(n_resamples)]
    permuted = _drop_undefined(ranking_accuracy(scores[order].ravel(), pairs) for order in orders)
    if len(permuted):
        row["chance_low"], row["chance_high"] = np.percentile(permuted, (2.5, 97.5)).tolist()
        tails = (permuted >= observed - TOLERANCE).sum(), (permuted <= observed + TOLERANCE).sum()
        row |= {"chance": float(permuted.mean()), "p": float(min(1, 2 * (1 + min(tails)) / (1 + len(permuted))))}
    resampled = _drop_undefined(_resample_accuracies(scores, bias, is_planted, n_resamples, random))
    if row["n_models"] >= MIN_MODELS and len(resampled):
        row["low"], row["high"] = np.percentile(resampled, (2.5, 97.5)).tolist()
    return row


def extreme_pairs(bias: np.ndarray, weights: np.ndarray | None = None) -> np.ndarray:
    """Return the pairs (i, j) in which i is below mean − std of the bias (n,) and j above mean + std (ddof 0).

    The result is a boolean matrix (n, n); NaN is in no pair. `weights` (n,) is how often each case counts.
    """
    finite = np.isfinite(bias)
    weights = np.where(finite, 1.0 if weights is None else weights, 0.0)
    if not weights.sum():
        return np.zeros((len(bias), len(bias)), bool)
    values = np.where(finite, bias, 0.0)
    mean = weights @ values / weights.sum()
    std = np.sqrt(weights @ (values - mean) ** 2 / weights.sum())
    low, high = finite & (values < mean - std - TOLERANCE), finite & (values > mean + std + TOLERANCE)
    return low[:, None] & high[None] if std > TOLERANCE else np.zeros((len(bias), len(bias)), bool)


def all_pairs(bias: np.ndarray) -> np.ndarray:
    """Return all pairs (i, j) in which j has more bias (n,) than i, as a boolean matrix (n, n); NaN in no pair."""
    return bias[:, None] < bias[None]


def ranking_accuracy(scores: np.ndarray, pairs: np.ndarray, weights: np.ndarray | None = None) -> float:
    """Return the share of the pairs (i, j) in which j has the larger score (n,); a tie counts half.

    `weights` (n,) is how often each case counts. NaN without pairs, or if a case of a pair has no score.
    """
    weighted = pairs.astype(float) if weights is None else pairs * np.outer(weights, weights)
    if not weighted.sum() or np.isnan(scores[pairs.any(axis=0) | pairs.any(axis=1)]).any():
        return np.nan
    with np.errstate(invalid="ignore"):
        difference = scores[None] - scores[:, None]
    correct = np.where(np.abs(difference) < TOLERANCE, 0.5, difference > 0)
    return float((weighted * correct).sum() / weighted.sum())


def _drop_undefined(values: Iterator[float]) -> np.ndarray:
    values = np.array(list(values))
    return values[np.isfinite(values)]


def _resample_accuracies(
    scores: np.ndarray, bias: np.ndarray, is_planted: bool, n_resamples: int, random: np.random.Generator
) -> Iterator[float]:
    """Yield accuracies of resampled models; each resample has its own extremes."""
    models, variants = scores.shape
    for _ in range(n_resamples):
        weights = np.bincount(random.integers(0, models, models), minlength=models).repeat(variants).astype(float)
        pairs = all_pairs(bias.ravel()) if is_planted else extreme_pairs(bias.ravel(), weights)
        yield ranking_accuracy(scores.ravel(), pairs, weights)
