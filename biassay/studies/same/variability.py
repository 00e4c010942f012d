"""Variability of scores: over retrained models (same-2021 §5.2.2) and over subsamples of the occupations (§5.3.1)."""

from collections.abc import Mapping
from itertools import combinations

import numpy as np
import pandas as pd

from biassay.statistics import intervals
from biassay.statistics.repeats import relative_difference
from biassay.studies.same.agreement import UNMASKING
from biassay.studies.same.tables import Grid

SUBSAMPLING = ["metric", "models", "n_subsets", "deviation", "low", "high", "relative", "scale", "undefined"]
ONE_REPEAT = "not computable: no distribution has two models that learned their bias"


def retraining_variability(
    grid: Grid, samples: Mapping[str, pd.DataFrame], n_resamples: int, seed: int
) -> pd.DataFrame:
    """Measure how much scores differ between models of the same distribution (Table 2).

    Only models that learned their bias count, in distributions with at least two of them.

    Parameters
    ----------
    grid : Grid
    samples : mapping of str to DataFrame
        Scores by metric, (models, occupations).

    Returns
    -------
    DataFrame
        One row per metric, the last for the unmasking bias. difference: relative difference (0 to 2) of the models'
        standard deviations over occupations, averaged over the pairs of a distribution, then over distributions. low,
        high: its 95 % bootstrap interval over distributions. within_std: standard deviation of an occupation's score
        over repeats (ddof 1), averaged. between_std: the models' mean standard deviation over occupations (ddof 0).
        noise_ratio: within_std / between_std.
    """
    repeats = [list(models.index) for _, models in grid.learned_models.groupby("distribution") if len(models) > 1]
    rows = []
    for metric, values in [*samples.items(), (UNMASKING, grid.unmasking)]:
        parts = np.array([_of_distribution(values.loc[models].to_numpy(float)) for models in repeats]).reshape(-1, 3)
        parts = parts[np.isfinite(parts).all(axis=1)]
        low, high = intervals.interval_of_mean(parts[:, 0], np.arange(len(parts)), n_resamples, seed)
        difference, within, between = parts.mean(axis=0) if len(parts) else (np.nan,) * 3
        rows.append(
            {"metric": metric, "distributions": len(parts), "models": sum(map(len, repeats)), "difference": difference,
             "low": low, "high": high, "within_std": within, "between_std": between,
             "noise_ratio": within / between if between > 0 else np.nan,
             "note": ONE_REPEAT if not repeats else "" if len(parts) else "undefined scores"}
        )  # fmt: skip
    return pd.DataFrame(rows)


def _of_distribution(values: np.ndarray) -> tuple[float, float, float]:
    """Difference, within_std and between_std of the repeats (models, occupations) of a distribution; NaN if undefined.

    Occupations that lack a score in some model are left out.
    """
    values = values[:, np.isfinite(values).all(axis=0)]
    if not values.shape[1]:
        return np.nan, np.nan, np.nan
    stds = values.std(axis=1)
    a, b = np.array(list(combinations(stds, 2))).T
    return relative_difference(a, b).mean(), values.std(axis=0, ddof=1).mean(), stds.mean()


def subsampling_variability(
    grid: Grid, subsets: Mapping[str, pd.DataFrame], bounds: Mapping[str, tuple], n_resamples: int, seed: int
) -> pd.DataFrame:
    """Measure how much set-level scores of random subsets differ from those of all occupations (Table 3).

    Parameters
    ----------
    grid : Grid
    subsets : mapping of str to DataFrame
        By metric, the table of `tables.read_subsets`.
    bounds : mapping of str to tuple
        b_min and b_max by metric; None where unbounded.

    Returns
    -------
    DataFrame
        One row per metric. deviation: |b(subset) − b(all)| / (b_max − b_min), averaged over subsets, then models. low,
        high: its 95 % bootstrap interval over whole distributions. relative: whether the metric is unbounded; the
        largest |value| then replaces the range. undefined: share of subsets without a value, which are left out.
    """
    rows = []
    for metric, table in subsets.items():
        b_min, b_max = bounds[metric]
        relative = b_min is None or b_max is None
        scale = table[["value", "full_value"]].abs().max(axis=None) if relative else b_max - b_min
        change = (table["value"] - table["full_value"]).abs() / (scale if scale > 0 else np.nan)
        by_model = change.groupby(table["model"]).mean().dropna()
        clusters = grid.models.loc[by_model.index, "distribution"].to_numpy()
        low, high = intervals.interval_of_mean(by_model.to_numpy(), clusters, n_resamples, seed)
        rows.append(
            {"metric": metric, "models": len(by_model), "n_subsets": table["subset"].nunique(),
             "deviation": by_model.mean(), "low": low, "high": high, "relative": relative, "scale": scale,
             "undefined": change.isna().mean()}
        )  # fmt: skip
    return pd.DataFrame(rows, columns=SUBSAMPLING)
