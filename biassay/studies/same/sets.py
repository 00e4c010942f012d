"""How far scores of sets agree with what unmasking says of all occupations: same-2021 §5.3."""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from biassay.numerics import cluster_bootstrap, swap_permutation_tests
from biassay.numerics import statistics as stats
from biassay.studies.same.agreement import SIGNED, UNSIGNED
from biassay.studies.same.tables import Grid

AGAINST = {"mean": SIGNED, "std": UNSIGNED, "absolute": UNSIGNED}  # the ground truth that each figure of p(male) is of
COLUMNS = ["metric", "signed", "against", "ground_truth", "n", "r", "r2", "low", "high", "p"]


def of_models(grid: Grid) -> dict[str, pd.Series]:
    """What unmasking says of all occupations of the kept models: AGAINST, each (models,)."""
    p_male = grid.unmasking.loc[grid.learned_models.index]
    absolute = (0.5 - p_male).abs().sum(axis=1, min_count=1)
    return {"mean": p_male.mean(axis=1), "std": p_male.std(axis=1, ddof=0), "absolute": absolute}


def answer(against: str, values: pd.Series, signed: bool) -> pd.Series:
    """The scores with which a metric answers: their absolute value if they have a sign and the ground truth has
    none."""
    return values.abs() if signed and AGAINST[against] == UNSIGNED else values


def set_correlations(
    grid: Grid, sets: Mapping[str, pd.Series], signed: Mapping[str, bool], n_resamples: int, seed: int
) -> pd.DataFrame:
    """F9: correlate the scores of sets (models,) with what unmasking says of all occupations, over the kept models.

    against: mean of p(male), its standard deviation (ddof 0), and absolute, Σ|0.5 − p|. A row a metric and these: n
    models, r, r2, the 95 % bootstrap interval of r2 (distributions drawn as wholes), p of Pearson's test and p_holm,
    corrected for all rows. The mean has a sign (`ground_truth`); scores without one stand beside it as in the paper,
    though they cannot answer it. The tests take repeats for independent, as the paper does.
    """
    rows = []
    for metric, values in sets.items():
        for against, ground_truth in of_models(grid).items():
            scores = answer(against, values, signed[metric])
            pair = pd.DataFrame({"x": scores.reindex(ground_truth.index), "y": ground_truth}).astype(float).dropna()
            x, y = pair["x"].to_numpy(), pair["y"].to_numpy()
            r, p, n = (float(value[0]) for value in stats.pearson_rows(x[None], y[None])) if len(x) else (np.nan,) * 3
            low, high = (np.nan, np.nan) if np.isnan(r) else _interval_of_r2(grid, pair, n_resamples, seed)
            rows.append({"metric": metric, "signed": signed[metric], "against": against,
            "ground_truth": AGAINST[against],
                         "n": int(np.nan_to_num(n)), "r": r, "r2": r**2, "low": low, "high": high, "p": p})  # fmt: skip
    table = pd.DataFrame(rows, columns=COLUMNS)
    return table.assign(p_holm=stats.holm(table["p"].to_numpy(float)))


def _interval_of_r2(grid: Grid, pair: pd.DataFrame, n_resamples: int, seed: int) -> tuple[float, float]:
    clusters = grid.models.loc[pair.index, "distribution"].to_numpy()
    x, y = pair["x"].to_numpy(), pair["y"].to_numpy()
    return cluster_bootstrap.confidence_interval(
        lambda w: cluster_bootstrap.weighted_correlations(x, y, w) ** 2, clusters, n_resamples, seed
    )


def compare(
    grid: Grid, sets: Mapping[str, pd.Series], signed: Mapping[str, bool], n_resamples: int, seed: int
) -> pd.DataFrame:
    """Is the R² of one metric of sets more than that of another? A row a figure of p(male) (`against`) and pair.

    Only metrics with a sign are compared on the mean. The columns of `swap_permutation_tests.compare`, distributions as
    clusters, and p_holm, corrected for the pairs of a figure.
    """
    parts, clusters = [], grid.learned_models["distribution"].to_numpy()
    for against, ground_truth in of_models(grid).items():
        values = {
            metric: answer(against, scores, signed[metric]).reindex(ground_truth.index).to_numpy(float)
            for metric, scores in sets.items() if signed[metric] or AGAINST[against] == UNSIGNED
        }  # fmt: skip
        found = swap_permutation_tests.compare(
            values, ground_truth.to_numpy(float), clusters, n_resamples=n_resamples, seed=seed
        )
        found.insert(0, "against", against)
        parts.append(found.assign(p_holm=stats.holm(found["p"].to_numpy(float))))
    return pd.concat(parts, ignore_index=True)
