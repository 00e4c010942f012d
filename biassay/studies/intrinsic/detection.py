"""The smallest planted bias that a metric detects: how often it tells a biased model from an unbiased one."""

import numpy as np
import pandas as pd

from biassay.measurement.metric import Range

POWER = 0.95
COLUMNS = ["attribute", "metric", "strength", "divergence", "models", "n_subsets", "detection_rate", "undefined"]


def detection_rate(biased: np.ndarray, unbiased: np.ndarray) -> tuple[float, float]:
    """Share of pairs of a biased and an unbiased model, (models, draws) each, in which the biased one has the larger
    score in the same draw, a tie is half; and share of pairs without a score, as of a draw that lacks a stereotype,
    which are left out of the first. NaN if there is no other."""
    difference = (biased[:, None] - unbiased[None]).ravel()
    found = difference[~np.isnan(difference)]
    share = float(((found > 0) + 0.5 * (found == 0)).mean()) if len(found) else np.nan
    return share, 1 - len(found) / len(difference)


def as_bias(values: np.ndarray, bounds: Range, two_sided: bool) -> np.ndarray:
    """How much bias scores say that there is: their distance from b_0 if values on both sides of it are bias, because
    they have a sign or (two_sided) b_0 lies inside the range; else the scores themselves."""
    b_min, b_max, b_0, signed = bounds
    inside = two_sided and None not in (b_min, b_max, b_0) and b_min < b_0 < b_max
    return np.abs(values - (b_0 or 0.0)) if signed or inside else values


def powers(scores: pd.DataFrame, divergences: pd.Series, strengths: pd.Series) -> pd.DataFrame:
    """The power curve of a metric: a row a strength above 0.

    scores (models, draws), as much bias as they say; divergences (models,) mean JSD of the data; strengths (models,).
    told, undefined: see `detection_rate`; divergence: mean over the models of a strength.
    """
    unbiased = scores[strengths.loc[scores.index] == 0].to_numpy(float)
    rows = []
    for strength in sorted(set(strengths) - {0.0}):
        models = strengths.index[strengths == strength]
        shares = detection_rate(scores.loc[models].to_numpy(float), unbiased)
        rows.append([strength, divergences[models].mean(), len(models), scores.shape[1], *shares])
    return pd.DataFrame(rows, columns=COLUMNS[2:])


def smallest(curves: pd.DataFrame) -> pd.DataFrame:
    """The smallest strength, and its divergence, from which on a metric tells in 95 % of the draws that it has scores
    of; NaN for none. max_detection_rate, undefined: of the largest strength."""
    rows = []
    for (attribute, metric), table in curves.groupby(["attribute", "metric"], sort=False):
        ordered = table.sort_values("strength")
        missed = np.flatnonzero(~(ordered["detection_rate"].to_numpy() >= POWER))
        first = missed[-1] + 1 if len(missed) else 0
        found = ordered.iloc[first] if first < len(ordered) else None
        rows.append((attribute, metric, *((np.nan, np.nan) if found is None else found[["strength", "divergence"]]),
                     *ordered[["detection_rate", "undefined"]].iloc[-1]))  # fmt: skip
    columns = ["attribute", "metric", "strength", "divergence", "max_detection_rate", "undefined"]
    return pd.DataFrame(rows, columns=columns)
