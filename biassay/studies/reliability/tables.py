"""Tables of the study: slopes of scores against frequency, means by frequency, reliability, agreement of metrics."""

from collections.abc import Mapping
from itertools import combinations

import numpy as np
import pandas as pd

from biassay.statistics.correlation import pearson
from biassay.statistics.reliability import cronbach_alpha, icc, interval_over_subjects
from biassay.studies.agreement import correlate

KEYS = ["corpus", "is_shuffled", "embedding"]
RELIABILITY = ["test_retest", "internal_pairs"]
COLUMNS = {
    "frequency": [*KEYS, "metric", "level", "n", "slope", "low", "high"],
    "bins": [*KEYS, "metric", "level", "log_count", "n", "mean", "std", "effect"],
    "reliability": [*KEYS, "metric", "level", "trainings", "pairs", "n",
                    *(f"{name}{end}" for name in RELIABILITY for end in ("", "_low", "_high")), "internal_units"],
    "agreement": [*KEYS, "first", "second", "n", "pairs", "icc", "r"],
}  # fmt: skip
MIN_UNITS = 10  # words or sets from which a slope or a reliability is computed
BIN = 0.5  # width of a bin of frequencies, a power of ten


def compute_slope(scores: np.ndarray, counts: np.ndarray, n_resamples: int, seed: int) -> dict[str, float]:
    """Compute the slope of scores (n,) against the logarithm of counts (n,), both in their standard deviations.

    It equals Pearson's r, −1 to 1. The 95 % bootstrap interval is over words (or sets of words) of one embedding. NaN
    for fewer than MIN_UNITS units, or if all scores are equal.
    """
    found = correlate(scores, np.log10(counts), np.arange(len(scores)), n_resamples, seed)
    slope = (found.r, found.low, found.high) if found.n >= MIN_UNITS else (np.nan, np.nan, np.nan)
    return {"n": int(found.n), **dict(zip(("slope", "low", "high"), map(float, slope), strict=True))}


def average_by_frequency(scores: np.ndarray, counts: np.ndarray) -> pd.DataFrame:
    """Average scores (n,) in bins of frequency: mean, standard deviation, and mean in standard deviations."""
    low = BIN * np.floor(np.log10(counts) / BIN)
    bins = pd.Series(scores).groupby(low).agg(n="count", mean="mean", std="std")
    return bins.assign(effect=bins["mean"] / bins["std"]).rename_axis("log_count").reset_index()


def compute_reliability(scores: np.ndarray, n_resamples: int, seed: int) -> dict[str, float]:
    """Compute the reliability of a metric's scores (trainings, pairs, units) as Du et al. 2021 define it.

    test_retest is ICC(2, 1) of units over trainings, the median over pairs; internal_pairs is Cronbach's alpha with the
    pairs as items, and internal_units with the units as items, of means over trainings. Units without a score are left
    out. Intervals are over units. NaN for fewer than MIN_UNITS units.
    """
    units = np.moveaxis(scores, 2, 0)  # (units, trainings, pairs)
    units = units[np.isfinite(units).all(axis=(1, 2))]
    row = {"trainings": scores.shape[0], "pairs": scores.shape[1], "n": len(units)}
    if len(units) < MIN_UNITS:
        units = units[:0]
    statistics = (
        lambda units: _median(icc(np.transpose(units, (2, 0, 1)), absolute=True)),
        lambda units: cronbach_alpha(units.mean(axis=1)),
    )
    for name, statistic in zip(RELIABILITY, statistics, strict=True):
        row[name] = statistic(units)
        row[f"{name}_low"], row[f"{name}_high"] = interval_over_subjects(statistic, units, n_resamples, seed)
    return row | {"internal_units": cronbach_alpha(units.mean(axis=1).T)}


def _median(values: np.ndarray) -> float:
    values = values[np.isfinite(values)]
    return float(np.median(values)) if len(values) else np.nan


def compare_metrics(scores: Mapping[str, np.ndarray]) -> pd.DataFrame:
    """Compare the scores (trainings, pairs, units) of each two metrics of words: inter-rater consistency.

    icc is ICC(3, 1) of their means over trainings and r Pearson's correlation, which ignores the metrics' scales; both
    are medians over pairs.
    """
    means = {name: values.mean(axis=0) for name, values in scores.items()}
    rows = []
    for first, second in combinations(means, 2):
        both = np.stack([means[first], means[second]], axis=-1)
        both = both[:, np.isfinite(both).all(axis=(0, 2))]
        consistency = _median(icc(both, absolute=False))
        r = _median(pearson(both[..., 0], both[..., 1])[0])
        rows.append((first, second, both.shape[1], len(both), consistency, r))
    return pd.DataFrame(rows, columns=["first", "second", "n", "pairs", "icc", "r"])
