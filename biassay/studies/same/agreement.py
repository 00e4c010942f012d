"""How far scores agree with the bias that a model was trained on, or that it has: same-2021 §5.2 and §5.3."""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from biassay.numerics import statistics as stats
from biassay.studies.same.tables import Grid
from biassay.support import registry

UNMASKING = "unmasking"  # p(male) itself as a score: what the others can reach
LEVEL = 0.05
SEES = 0.6  # §5.2.1: models whose bias SAME sees, by R², and by how much less Direct Bias then sees of it
SIMILAR, WORSE = 0.25, 0.4
GROUPS = {
    "similar": f"Direct Bias similar (difference < {SIMILAR})",
    "between": f"between ({SIMILAR} to {WORSE})",
    "worse": f"Direct Bias worse (difference > {WORSE})",
}


def word_correlations(grid: Grid, samples: Mapping[str, pd.DataFrame], signed: Mapping[str, bool]) -> pd.DataFrame:
    """Correlate the scores of each model's occupations with training and unmasking bias, F5 and F6.

    samples: by metric, (models, occupations). Signed scores are correlated with p(male), others with |0.5 − p|. The
    last rows are of the unmasking bias itself, with the training bias. A row a model, metric and bias (`against`):
    r, its two-sided p, r2, n occupations; NaN with fewer than 3 occupations or constant values.
    """
    signs = {**signed, UNMASKING: True}
    rows = []
    for metric, values in [*samples.items(), (UNMASKING, grid.unmasking)]:
        biases = {"training": grid.training, UNMASKING: grid.unmasking}
        for against, bias in biases.items():
            if metric == against:
                continue
            truth = bias.to_numpy(float)
            truth = truth if signs[metric] else np.abs(0.5 - truth)
            r, p, n = stats.pearson_rows(values.to_numpy(float), truth)
            columns = {
                "metric": metric,
                "signed": signs[metric],
                "against": against,
                "n": n,
                "r": r,
                "r2": r**2,
                "p": p,
            }
            rows.append(grid.models[["distribution", "kept"]].assign(**columns).reset_index())
    return pd.concat(rows, ignore_index=True)


def summarise(correlations: pd.DataFrame, draws: int, seed: int) -> pd.DataFrame:
    """F6: a row a metric and bias: mean and standard deviation (ddof 1) of R² over the kept models.

    low, high: 95 % bootstrap interval of the mean, distributions drawn as wholes, for their repeats are alike.
    models: those that have an R². seen: share of them with p < .05, and r > 0 if the metric is signed. negative: share
    with r < 0, of signed metrics.
    """
    rows = []
    for (metric, against), table in correlations.groupby(["metric", "against"], sort=False):
        found = table[table["kept"] & table["r2"].notna()]
        values, is_signed = found["r2"].to_numpy(), bool(table["signed"].iloc[0])
        low, high = _interval_of_mean(values, found["distribution"].to_numpy(), draws, seed)
        seen = (found["p"] < LEVEL) & ((found["r"] > 0) | (not is_signed))
        rows.append(
            {"metric": metric, "against": against, "signed": is_signed, "models": len(found),
             "r2_mean": found["r2"].mean(), "low": low, "high": high, "r2_std": found["r2"].std(),
             "seen": seen.mean(), "negative": (found["r"] < 0).mean() if is_signed else np.nan}
        )  # fmt: skip
    return pd.DataFrame(rows)


def directions(grid: Grid, table: pd.DataFrame) -> pd.DataFrame:
    """Angles between bias directions over the kept models: first, second, models, mean, std (ddof 1), min, max.

    A direction has no sign, so angles are folded to at most 90°.
    """
    table = table[table["model"].isin(grid.kept.index)]
    folded = table.assign(angle=np.minimum(table["angle"], 180 - table["angle"]))
    found = folded.groupby(["first", "second"], sort=False)["angle"].agg(["count", "mean", "std", "min", "max"])
    return found.rename(columns={"count": "models"}).reset_index()


def differences(grid: Grid, correlations: pd.DataFrame, angles: pd.DataFrame) -> pd.DataFrame:
    """F7, F8: a row a kept model: R² of SAME and Direct Bias with training bias, their difference, the angle between
    the directions "principal" and "mean", and the group ("" if SAME's R² is below SEES). Raises ValueError if
    these lack.
    """
    pairs = np.array([" and ".join(sorted(pair)) for pair in angles[["first", "second"]].itertuples(index=False)])
    chosen = angles[pairs == "mean and principal"].set_index("model")["angle"]
    if not len(chosen) or chosen.index.duplicated().any():
        known = sorted(set(pairs))
        raise ValueError(
            registry.unknown("directions.csv: need one angle a model between", "mean and principal", known)
        )
    r2 = correlations[correlations["against"] == "training"].pivot(index="model", columns="metric", values="r2")
    r2 = r2.reindex(index=grid.kept.index, columns=["same", "direct_bias"])
    gap = r2["same"] - r2["direct_bias"]
    group = np.select([gap < SIMILAR, gap > WORSE, gap.notna()], ["similar", "worse", "between"], "")
    group = np.where(r2["same"] >= SEES, group, "")
    found = pd.DataFrame({"r2_same": r2["same"], "r2_direct_bias": r2["direct_bias"], "difference": gap})
    angle = np.minimum(chosen, 180 - chosen).reindex(found.index)
    return found.assign(angle=angle, group=group).reset_index()


def angle_groups(models: pd.DataFrame) -> pd.DataFrame:
    """The table of §5.2.1, from `differences`: group, models, mean and standard deviation (ddof 1) of the angle, note.

    An empty group has a row with a note.
    """
    rows, sees = [], (models["r2_same"] >= SEES).sum()
    for group, label in GROUPS.items():
        angles = models.loc[models["group"] == group, "angle"].dropna()
        note = "" if len(angles) else f"none of the {sees} kept models where SAME has R² ≥ {SEES}"
        if models["difference"].isna().all():
            note = "not computable: needs scores of same and direct_bias of kept models"
        rows.append(
            {"group": group, "description": label, "models": len(angles), "angle_mean": angles.mean(),
             "angle_std": angles.std(), "note": note}
        )  # fmt: skip
    return pd.DataFrame(rows)


def set_correlations(grid: Grid, sets: Mapping[str, pd.Series], draws: int, seed: int) -> pd.DataFrame:
    """F9: correlate the scores of sets (models,) with what unmasking says of all occupations, over the kept models.

    against: mean of p(male), its standard deviation (ddof 0), and absolute, Σ|0.5 − p|. A row a metric and these: n
    models, r, r2, the 95 % bootstrap interval of r2 (distributions drawn as wholes), p of Pearson's test and p_holm,
    corrected for all rows. Scores enter with their sign. The tests take repeats for independent, as the paper does.
    """
    p_male = grid.unmasking.loc[grid.kept.index]
    absolute = (0.5 - p_male).abs().sum(axis=1, min_count=1)
    truths = {"mean": p_male.mean(axis=1), "std": p_male.std(axis=1, ddof=0), "absolute": absolute}
    rows = []
    for metric, values in sets.items():
        for against, truth in truths.items():
            pair = pd.DataFrame({"x": values.reindex(truth.index), "y": truth}).astype(float).dropna()
            x, y = pair["x"].to_numpy(), pair["y"].to_numpy()
            r, p, n = (float(value[0]) for value in stats.pearson_rows(x[None], y[None])) if len(x) else (np.nan,) * 3
            low, high = (np.nan, np.nan) if np.isnan(r) else _interval_of_r2(grid, pair, draws, seed)
            rows.append({"metric": metric, "against": against, "n": int(np.nan_to_num(n)), "r": r, "r2": r**2,
                         "low": low, "high": high, "p": p})  # fmt: skip
    table = pd.DataFrame(rows, columns=["metric", "against", "n", "r", "r2", "low", "high", "p"])
    return table.assign(p_holm=stats.holm(table["p"].to_numpy(float)))


def _interval_of_r2(grid: Grid, pair: pd.DataFrame, draws: int, seed: int) -> tuple[float, float]:
    clusters = grid.models.loc[pair.index, "distribution"].to_numpy()
    x, y = pair["x"].to_numpy(), pair["y"].to_numpy()
    return stats.clustered_interval(lambda w: stats.weighted_correlations(x, y, w) ** 2, clusters, draws, seed)


def _interval_of_mean(values: np.ndarray, clusters: np.ndarray, draws: int, seed: int) -> tuple[float, float]:
    return stats.clustered_interval(lambda w: stats.weighted_means(values, w), clusters, draws, seed)
