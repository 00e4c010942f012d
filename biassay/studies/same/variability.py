"""How far scores depend on chance: repeats of a distribution (same-2021 §5.2.2), parts of the occupations (§5.3.1)."""

from collections.abc import Mapping
from itertools import combinations

import numpy as np
import pandas as pd

from biassay.numerics import cluster_bootstrap
from biassay.numerics.repeats import relative_difference
from biassay.studies.same.agreement import UNMASKING
from biassay.studies.same.tables import Grid

SUBSAMPLING = ["metric", "models", "n_subsets", "deviation", "low", "high", "relative", "scale", "undefined"]
ONE_REPEAT = "not computable: one repeat (no distribution has two kept models)"


def retraining_variability(
    grid: Grid, samples: Mapping[str, pd.DataFrame], n_resamples: int, seed: int
) -> pd.DataFrame:
    """T2: do models of the same distribution get the same scores? A row a metric, the last of the unmasking bias.

    samples: by metric, (models, occupations). Only kept models count, of distributions with two or more of them.
    difference: relative difference of the models' standard deviations over occupations, mean over the pairs of a
    distribution, then over distributions (the paper's figure, 0 to 2); low, high: its 95 % bootstrap interval over
    distributions. within: standard deviation of an occupation's score over repeats (ddof 1), mean over occupations,
    then distributions, in the metric's unit; spread: the models' mean standard deviation over occupations (ddof 0);
    noise: within / spread.
    """
    groups = [list(models.index) for _, models in grid.learned_models.groupby("distribution") if len(models) > 1]
    rows = []
    for metric, values in [*samples.items(), (UNMASKING, grid.unmasking)]:
        found = np.array([_of_distribution(values.loc[models].to_numpy(float)) for models in groups]).reshape(-1, 3)
        found = found[np.isfinite(found).all(axis=1)]
        low, high = _interval(found[:, 0], np.arange(len(found)), n_resamples, seed)
        difference, within, spread = found.mean(axis=0) if len(found) else (np.nan,) * 3
        rows.append(
            {"metric": metric, "distributions": len(found), "models": sum(map(len, groups)), "difference": difference,
             "low": low, "high": high, "within_std": within, "between_std": spread,
             "noise_ratio": within / spread if spread > 0 else np.nan,
             "note": ONE_REPEAT if not groups else "" if len(found) else "undefined scores"}
        )  # fmt: skip
    return pd.DataFrame(rows)


def _of_distribution(values: np.ndarray) -> tuple[float, float, float]:
    """Difference, within and spread of the repeats (models, occupations) of a distribution; NaN for undefined scores.

    Occupations that some model gives no score are left out.
    """
    values = values[:, np.isfinite(values).all(axis=0)]
    if not values.shape[1]:
        return np.nan, np.nan, np.nan
    spreads = values.std(axis=1)
    a, b = np.array(list(combinations(spreads, 2))).T
    return relative_difference(a, b).mean(), values.std(axis=0, ddof=1).mean(), spreads.mean()


def subsampling_variability(
    grid: Grid, subsets: Mapping[str, pd.DataFrame], bounds: Mapping[str, tuple], n_resamples: int, seed: int
) -> pd.DataFrame:
    """T3: how far are values of random parts of the occupations from that of all? A row a metric.

    subsets: by metric, the table of `tables.subsets`; bounds: its b_min and b_max, or None. deviation: mean of
    |b(W_i) − b(W)| / (b_max − b_min) over draws, then models; low, high: its 95 % bootstrap interval, distributions
    drawn as wholes. Where a bound is missing, the largest |value| stands for the range, and the row is marked
    `relative`. undefined: share of the draws that have no value; they are left out.
    """
    rows = []
    for metric, table in subsets.items():
        b_min, b_max = bounds[metric]
        relative = b_min is None or b_max is None
        scale = table[["value", "full_value"]].abs().max(axis=None) if relative else b_max - b_min
        change = (table["value"] - table["full_value"]).abs() / (scale if scale > 0 else np.nan)
        of_model = change.groupby(table["model"]).mean().dropna()
        clusters = grid.models.loc[of_model.index, "distribution"].to_numpy()
        low, high = _interval(of_model.to_numpy(), clusters, n_resamples, seed)
        rows.append(
            {"metric": metric, "models": len(of_model), "n_subsets": table["subset"].nunique(),
            "deviation": of_model.mean(),
             "low": low, "high": high, "relative": relative, "scale": scale, "undefined": change.isna().mean()}
        )  # fmt: skip
    return pd.DataFrame(rows, columns=SUBSAMPLING)


def _interval(values: np.ndarray, clusters: np.ndarray, n_resamples: int, seed: int) -> tuple[float, float]:
    return cluster_bootstrap.confidence_interval(
        lambda w: cluster_bootstrap.weighted_means(values, w), clusters, n_resamples, seed
    )
