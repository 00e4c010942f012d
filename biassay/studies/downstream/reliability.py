"""Reliability of downstream bias: what chance alone gives, and how well two halves of the data order the models.

Texts are in strata of one fold, one set of classes. Permutations exchange the groups of texts within strata; halves of
the texts have half of every group in a stratum. Pairs of one occupation stay together: the same group is stereotypical
in all of them, so that a preference for one group, whatever the occupation, is no bias by chance and does not repeat in
the other half. All models have the same permutations and halves.
"""

from typing import NamedTuple

import numpy as np
import pandas as pd

from biassay.statistics.correlation import pearson, weighted_correlations
from biassay.statistics.intervals import MIN_CLUSTERS, confidence_interval
from biassay.studies.downstream import classifiers

PERMUTATIONS, SPLITS = 200, 100
BLOCK = 1 << 24  # weights of texts in memory at once
LEVEL = 0.05
ROUNDING = 1e-8  # of the bias in tables of nine digits
COLUMNS = ["n_models", "unit", "n_cases", "mean_bias", "floor", "floor_high", "n_above", "sd", "noise_sd", "p_spread",
           "reliability", "low", "high", "upper_r", "upper_accuracy", "reason"]  # fmt: skip
FEW, NOISE = "fewer than five models or bases", "the spread of the models does not significantly exceed noise"
UNSURE = "the interval of the reliability includes 0"
UNDEFINED = "the bias of a model, or of half of the data, is undefined"


class Measured(NamedTuple):
    """Downstream bias of m models: by chance (permutations, m), and of two halves of the data (splits, 2, m)."""

    chance: np.ndarray
    halves: np.ndarray


def measure_gaps(
    probabilities: np.ndarray, labels: np.ndarray, groups: np.ndarray, folds: np.ndarray, *, n_groups: int, seed: int
) -> Measured:
    """Measure mean absolute gaps of m classifiers by chance and of halves, from probabilities (m, n, classes) of texts
    of the held-out folds; labels (n, classes), groups (n,), folds (n,).

    With more than two groups the gaps by chance are variances, as the bias is, and those of halves standard deviations:
    sampling raises a variance, and in halves by twice as much, so their differences would be too large for its noise.
    """
    is_true = labels == 1
    hits = np.moveaxis((probabilities > classifiers.THRESHOLD) & is_true, 0, 1).astype(np.float32)  # (n, m, classes)
    strata = np.unique(np.column_stack([folds, labels]), axis=0, return_inverse=True)[1].ravel()
    random, members = np.random.default_rng(seed), np.eye(n_groups, dtype=np.float32)[groups].T

    def permute() -> np.ndarray:
        """Draw members of the groups, permuted within strata: (1, groups, n)."""
        order, places = np.lexsort((random.random(len(groups)), strata)), np.argsort(strata, kind="stable")
        permuted = np.empty_like(members)
        permuted[:, places] = members[:, order]
        return permuted[None]

    def split() -> np.ndarray:
        """Draw members of the groups in both halves: (2, groups, n)."""
        order = np.lexsort((random.random(len(groups)), groups, strata))
        first = np.empty(len(groups), bool)
        first[order] = (np.arange(len(groups)) + random.integers(2)) % 2 == 0
        return np.stack([members * first, members * ~first])

    size = max(1, BLOCK // (2 * members.size))
    results = []
    for draw, n, spread in ((permute, PERMUTATIONS, "variance"), (split, SPLITS, "std")):
        blocks = [
            compute_gaps(np.concatenate([draw() for _ in range(count)]), hits, is_true, folds, spread)
            for count in np.diff([*range(0, n, size), n])
        ]
        results.append(np.concatenate(blocks))
    return Measured(results[0], results[1].reshape(SPLITS, 2, -1))


def compute_gaps(
    members: np.ndarray, hits: np.ndarray, is_true: np.ndarray, folds: np.ndarray, spread: str = "variance"
) -> np.ndarray:
    """Compute mean absolute gaps (draws, m) for members of groups (draws, groups, n), as `classifiers.summarise` does.

    Hits (n, m, classes) and true classes (n, classes); folds without texts of a class in a group do not count for it.
    """
    return np.nanmean(np.abs(classifiers.mean_gaps(members, hits, is_true, folds, spread)), axis=-1)


def measure_shares(preferred: np.ndarray, clusters: np.ndarray, *, seed: int) -> Measured:
    """Measure shares of stereotypical pairs by chance, and of halves of their clusters.

    `preferred` (m models, n pairs) is 1 for the stereotypical sentence, 0 for the other one, ½ for a tie. By chance,
    the stereotypical sentences of a whole cluster (n,), such as an occupation, are equally often the other ones. NaN
    for a pair without a value is left out.
    """
    random, (names, members) = np.random.default_rng(seed), np.unique(clusters, return_inverse=True)
    keeps = random.integers(2, size=(PERMUTATIONS, 1, len(names)), dtype=np.int8)[..., members]
    chance = np.nanmean(np.abs(1 - keeps - preferred), axis=-1)
    if len(names) < 2:
        return Measured(chance, np.full((SPLITS, 2, len(preferred)), np.nan))
    halves = []
    for _ in range(SPLITS):
        is_first = (random.permutation(len(names)) < len(names) / 2)[members]
        halves.append([np.nanmean(preferred[:, half], axis=1) for half in (is_first, ~is_first)])
    return Measured(chance, np.array(halves))


def test_floor(bias: np.ndarray, chance: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Compare the bias of models (m,) with chance: its mean and 95 % quantile, and the one-sided p (m,) each."""
    n_reached = (chance >= bias * (1 - ROUNDING) - 1e-12).sum(axis=0)
    p = np.where(np.isnan(bias), np.nan, (1 + n_reached) / (1 + len(chance)))
    return chance.mean(axis=0), np.quantile(chance, 0.95, axis=0), p


def judge(
    table: pd.DataFrame, halves: np.ndarray, units: np.ndarray, unit: str, n_resamples: int, *, seed: int
) -> dict[str, object]:
    """Judge whether models can be ranked by their bias (COLUMNS), from rows of the table of bias, one per case, and
    the bias in both halves (splits, 2, cases), with more than two groups as a standard deviation.

    reliability is Spearman and Brown's for twice the length, of the mean r of the halves over cases; low and high are
    its 95 % interval by resampling units (cases,), the models or their bases. sd is the standard deviation over models,
    each the mean of its cases; noise_sd is what the sampling of texts or pairs alone gives it, by the differences of
    the halves, and p_spread the share of splits in which these give as much. A reason says why the models are not
    ranked. Equal biases have no reliability.
    """
    bias = table["gap_std"].to_numpy(float)
    of_splits = [pearson(first, second)[0] if np.ptp(bias) > 0 else np.nan for first, second in halves]
    r = classifiers.mean_if_defined(np.array(of_splits))  # over splits without a constant half
    members = pd.get_dummies(table["model"]).to_numpy(float)  # (cases, models)
    of_models, n_models = members / members.sum(axis=0), members.shape[1]
    differences = (halves[:, 0] - halves[:, 1]) @ of_models
    noises = differences.std(axis=1, ddof=1) / 2 if n_models > 1 else np.full(1, np.nan)

    def resample(weights: np.ndarray) -> np.ndarray:
        return lengthen(classifiers.mean_if_defined(np.array([weighted_correlations(*two, weights) for two in halves])))

    low, high = confidence_interval(resample, units, n_resamples, seed) if np.isfinite(r) else (np.nan, np.nan)
    sd, value = float((bias @ of_models).std(ddof=1)) if n_models > 1 else np.nan, float(lengthen(r))
    n_reached, is_known = (noises >= sd * (1 - ROUNDING)).sum(), np.isfinite(noises + sd).all()
    p_spread = (1 + n_reached) / (1 + len(noises)) if is_known else np.nan
    few = len(np.unique(units)) < MIN_CLUSTERS
    reasons = {FEW: few, UNDEFINED: not is_known, NOISE: not p_spread < LEVEL, UNSURE: not low > 0}
    return {
        "n_models": n_models, "unit": unit, "n_cases": len(table), "mean_bias": table["bias"].mean(),
        "floor": table["floor"].mean(), "floor_high": table["floor_high"].mean(),
        "n_above": int((table["p"] < LEVEL).sum()),
        "sd": sd, "noise_sd": np.sqrt((noises**2).mean()), "p_spread": p_spread,
        "reliability": value, "low": low, "high": high,
        "upper_r": np.sqrt(max(value, 0)), "upper_accuracy": bound_accuracy(value),
        "reason": next((reason for reason, holds in reasons.items() if holds), ""),
    }  # fmt: skip


def lengthen(r: np.ndarray | float) -> np.ndarray | float:
    """Return Spearman and Brown's reliability of twice the length; the formula is mirrored for negative r."""
    return 2 * r / (1 + np.abs(r))


def bound_accuracy(reliability: float) -> float:
    """Return the upper bound of the ranking accuracy over all pairs of models, ½ + arcsin(√reliability) / π.

    It is that of scores equal to the bias without noise, if bias and noise are normal.

    >>> [float(round(bound_accuracy(value), 3)) for value in (0, 0.5, 1)]
    [0.5, 0.75, 1.0]
    """
    return float(0.5 + np.arcsin(np.sqrt(np.clip(reliability, 0, 1))) / np.pi)
