"""How often a score ranks two models as their bias does (T3), with what chance gives, and an interval.

Classifiers on vectors of the same language model are drawn and exchanged together: they are not independent.
"""

from collections.abc import Iterator

import numpy as np

FEWEST = 5  # models, below which a bootstrap would say little
SAME = 1e-12  # values that differ by less are equal


def extremes(bias: np.ndarray, weights: np.ndarray | None = None) -> np.ndarray:
    """Pairs (i, j), a matrix of n × n: is i below mean − std of bias (n,), and j above mean + std? ddof 0; NaN never.

    weights (n,): how often each counts (once).
    """
    known = np.isfinite(bias)
    weights = np.where(known, 1.0 if weights is None else weights, 0.0)
    if not weights.sum():
        return np.zeros((len(bias), len(bias)), bool)
    values = np.where(known, bias, 0.0)
    mean = weights @ values / weights.sum()
    std = np.sqrt(weights @ (values - mean) ** 2 / weights.sum())
    low, high = known & (values < mean - std - SAME), known & (values > mean + std + SAME)
    return low[:, None] & high[None] if std > SAME else np.zeros((len(bias), len(bias)), bool)


def stronger(ground_truth: np.ndarray) -> np.ndarray:
    """All pairs (i, j) of which j has the larger truth (n,): a matrix of n × n; NaN never."""
    return ground_truth[:, None] < ground_truth[None]


def accuracy(scores: np.ndarray, pairs: np.ndarray, weights: np.ndarray | None = None) -> float:
    """Share of the pairs (i, j) with a larger score of j, a tie half; NaN without pairs or with a score that is NaN.

    weights (n,): how often each case counts.
    """
    of_pairs = pairs.astype(float) if weights is None else pairs * np.outer(weights, weights)
    if not of_pairs.sum() or np.isnan(scores[pairs.any(axis=0) | pairs.any(axis=1)]).any():
        return np.nan
    with np.errstate(invalid="ignore"):
        difference = scores[None] - scores[:, None]
    right = np.where(np.abs(difference) < SAME, 0.5, difference > 0)
    return float((of_pairs * right).sum() / of_pairs.sum())


def test(scores: np.ndarray, bias: np.ndarray, known: bool, n_resamples: int, *, seed: int) -> dict[str, float | int]:
    """Rank by scores (models, variants) what has a bias (models, variants), NaN for what does not count.

    known: the bias is what was planted, of which all pairs count; else the extremes do. accuracy; low, high: its 95 %
    bootstrap interval over models, NaN for fewer than FEWEST; chance, chance_low, chance_high: mean and middle 95 % of
    accuracies with the scores of whole models exchanged at random, which need not be about ½ where variants differ;
    p: twice the share of these in the smaller tail beyond the one found; models, cases, fewer, more (cases on either
    side), pairs.
    """
    shape, flat = scores.shape, bias.ravel()
    pairs = stronger(flat) if known else extremes(flat)
    found = accuracy(scores.ravel(), pairs)
    row = {
        "models": int(np.isfinite(bias).any(axis=1).sum()), "cases": int(np.isfinite(flat).sum()),
        "fewer": int(pairs.any(axis=1).sum()), "more": int(pairs.any(axis=0).sum()), "pairs": int(pairs.sum()),
        "accuracy": found,
    }  # fmt: skip
    nothing = dict.fromkeys(["low", "high", "chance", "chance_low", "chance_high", "p"], np.nan)
    if np.isnan(found):
        return row | nothing
    random = np.random.default_rng(seed)
    chance = np.array([accuracy(scores[random.permutation(shape[0])].ravel(), pairs) for _ in range(n_resamples)])
    chance = chance[np.isfinite(chance)]
    if len(chance):
        row |= dict(zip(["chance_low", "chance_high"], np.percentile(chance, (2.5, 97.5)).tolist(), strict=True))
        tails = (chance >= found - SAME).sum(), (chance <= found + SAME).sum()
        row |= {"chance": float(chance.mean()), "p": float(min(1, 2 * (1 + min(tails)) / (1 + len(chance))))}
    drawn = np.array(list(_resampled(scores, bias, known, n_resamples, random)))
    drawn = drawn[np.isfinite(drawn)]
    if row["models"] >= FEWEST and len(drawn):
        row |= dict(zip(["low", "high"], np.percentile(drawn, (2.5, 97.5)).tolist(), strict=True))
    return row | {key: value for key, value in nothing.items() if key not in row}


def _resampled(
    scores: np.ndarray, bias: np.ndarray, known: bool, n_resamples: int, random: np.random.Generator
) -> Iterator[float]:
    """Accuracies of resampled models; who is extreme is decided anew."""
    models, variants = scores.shape
    for _ in range(n_resamples):
        times = np.bincount(random.integers(0, models, models), minlength=models).repeat(variants).astype(float)
        pairs = stronger(bias.ravel()) if known else extremes(bias.ravel(), times)
        yield accuracy(scores.ravel(), pairs, times)
