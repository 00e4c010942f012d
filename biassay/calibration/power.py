"""Rates of significant tests, power by dose, minimum detectable doses, and recovery of doses."""

import numpy as np
import pandas as pd

from biassay.statistics.intervals import wilson_interval
from biassay.statistics.seeds import seed_of

LEVEL = 0.05
POWER = 0.8
RESAMPLES = 500
LIBERAL = "liberal"  # what `judge_rate` calls a rate above the level


def rate(p: np.ndarray) -> dict[str, object]:
    """Compute the rate of p up to LEVEL with Wilson's interval; an undefined p counts as not significant."""
    hits = int((p <= LEVEL).sum())
    low, high = wilson_interval(hits, len(p))
    return {"n": len(p), "rate": hits / len(p), "low": low, "high": high, "undefined": float(np.isnan(p).mean())}


def find_detectable_dose(doses: np.ndarray, power: np.ndarray) -> np.ndarray:
    """Find the smallest dose with a power of POWER: (m,), from doses (k,) in ascending order and power (m, k).

    Power is made monotone (the mean of its running maximum, and of its running minimum from the right) and linear
    between doses. Infinite if no dose has that power.
    """
    rising = np.maximum.accumulate(power, axis=1)
    falling = np.minimum.accumulate(power[:, ::-1], axis=1)[:, ::-1]
    monotone = (rising + falling) / 2
    is_enough = monotone >= POWER
    after = is_enough.argmax(axis=1)
    before = np.maximum(after - 1, 0)
    rows = np.arange(len(power))
    low, high = monotone[rows, before], monotone[rows, after]
    with np.errstate(invalid="ignore", divide="ignore"):
        share = np.where(high > low, (POWER - low) / (high - low), 0.0)
    found = doses[before] + share * (doses[after] - doses[before])
    return np.where(is_enough.any(axis=1), found, np.inf)


def summarise_power(doses: np.ndarray, p: np.ndarray, seed: int) -> dict[str, float]:
    """Find the minimum detectable dose from p (samples, doses), and its 95 % interval by resampling samples."""
    is_significant = p <= LEVEL
    random = np.random.default_rng(seed_of(seed, 1))
    picks = random.integers(len(p), size=(RESAMPLES, len(p)))
    resampled = find_detectable_dose(doses, is_significant[picks].mean(axis=1))
    found = find_detectable_dose(doses, is_significant.mean(axis=0, keepdims=True))[0]
    low, high = np.quantile(resampled, [0.025, 0.975], method="nearest")
    return {"min_detectable_dose": found, "low": low, "high": high}


def correlate_with_dose(doses: np.ndarray, values: np.ndarray, seed: int) -> dict[str, float]:
    """Correlate values (samples, doses) with doses over the samples defined at all doses: r, with a 95 % interval.

    The interval is by resampling samples.
    """
    values = values[np.isfinite(values).all(axis=1)]
    if not len(values):
        return dict.fromkeys(["recovery", "recovery_low", "recovery_high"], np.nan)
    random = np.random.default_rng(seed_of(seed, 2))
    picks = np.vstack([np.arange(len(values)), random.integers(len(values), size=(RESAMPLES, len(values)))])
    parts = values[picks].reshape(len(picks), -1)
    repeated = np.tile(doses - doses.mean(), len(values))
    centred = parts - parts.mean(axis=1, keepdims=True)
    with np.errstate(invalid="ignore", divide="ignore"):
        r = centred @ repeated / np.sqrt((centred**2).sum(axis=1) * (repeated**2).sum())
    low, high = np.nanquantile(r[1:], [0.025, 0.975]) if np.isfinite(r[1:]).any() else (np.nan, np.nan)
    return {"recovery": r[0], "recovery_low": low, "recovery_high": high}


def describe_values(values: np.ndarray) -> pd.DataFrame:
    """Describe values (samples, doses) by dose: mean, and the middle 95 % of the samples."""
    low, high = np.nanquantile(values, [0.025, 0.975], axis=0)
    return pd.DataFrame(
        {"n": np.isfinite(values).sum(axis=0), "value": np.nanmean(values, axis=0), "low": low, "high": high}
    )
