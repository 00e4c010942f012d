"""The smallest planted bias that a metric detects: how often it scores a biased model above an unbiased one."""

from collections.abc import Mapping
from types import ModuleType

import numpy as np
import pandas as pd

from biassay.measurement import occupation_embeddings
from biassay.measurement.evaluation import compute_range
from biassay.studies.agreement import bias_magnitude
from biassay.studies.intrinsic.tables import Study

POWER = 0.95
MIN_MODELS = 5  # per strength; with fewer, chance alone often reaches this power for one of many metrics
COLUMNS = ["attribute", "metric", "strength", "divergence", "models", "n_subsets", "detection_rate", "undefined"]


def detection_rate(biased: np.ndarray, unbiased: np.ndarray) -> tuple[float, float]:
    """Compute how often a biased model scores higher than an unbiased one on the same subset.

    biased, unbiased: scores (models, subsets). Returns the share of pairs of models and subsets in which the biased
    model scores higher (a tie counts half; NaN if no pair has scores), and the share of pairs without a score, which
    are left out.
    """
    difference = (biased[:, None] - unbiased[None]).ravel()
    defined = difference[~np.isnan(difference)]
    rate = float(((defined > 0) + 0.5 * (defined == 0)).mean()) if len(defined) else np.nan
    return rate, 1 - len(defined) / len(difference)


def power_curve(scores: pd.DataFrame, divergences: pd.Series, strengths: pd.Series) -> pd.DataFrame:
    """Compute a metric's power by strength of the planted bias.

    scores: magnitudes of bias, (models, subsets); divergences: means in the data, (models,). Returns one row per
    strength above 0, with the mean divergence of its models, and detection_rate and undefined as from `detection_rate`.
    """
    unbiased = scores[strengths.loc[scores.index] == 0].to_numpy(float)
    rows = []
    for strength in sorted(set(strengths) - {0.0}):
        models = strengths.index[strengths == strength]
        rates = detection_rate(scores.loc[models].to_numpy(float), unbiased)
        rows.append([strength, divergences[models].mean(), len(models), scores.shape[1], *rates])
    return pd.DataFrame(rows, columns=COLUMNS[2:])


def power_by_strength(
    study: Study, subsets: Mapping[str, pd.DataFrame], modules: Mapping[str, ModuleType], options: Mapping[str, dict],
    n_subsets: int, seed: int,
) -> pd.DataFrame:  # fmt: skip
    """Compute the power of unmasking and of each metric by attribute and strength of the planted bias.

    subsets: scores of random halves of the occupations by metric; modules, options: of these metrics; n_subsets, seed:
    these halves, for unmasking.
    """
    models, parts = study.detection.index, []
    for attribute in study.attributes if len(models) else []:
        divergences = study.divergence(attribute, "data", models)
        halves = occupation_embeddings.draw_halves(divergences.shape[1], n_subsets, seed=seed)
        unmasking = study.divergence(attribute, "unmasking", models).to_numpy()
        scores = {"unmasking": pd.DataFrame(unmasking[:, halves].mean(axis=2), models)}
        for name, table in subsets.items():
            rows, module = table[table["attribute"] == attribute], modules[name]
            if len(rows):
                wide = rows.pivot(index="model", columns="subset", values="value").reindex(models)
                bounds = compute_range(module, "set", len(study.groups(attribute)), None, options[name])
                scores[name] = wide.apply(bias_magnitude, module=module, bounds=bounds)
        for name, values in scores.items():
            curve = power_curve(values, divergences.mean(axis=1), study.detection["strength"])
            parts.append(curve.assign(attribute=attribute, metric=name))
    return pd.concat(parts)[COLUMNS] if parts else pd.DataFrame(columns=COLUMNS)


def min_detectable_effects(curves: pd.DataFrame) -> pd.DataFrame:
    """Find each metric's minimum detectable effect: the strength from which on its detection rate is at least 95 %.

    Returns one row per attribute and metric: that strength and its divergence, NaN for none, and the values at the
    largest strength.
    """
    rows = []
    for key, table in curves.groupby(["attribute", "metric"], sort=False):
        strongest_first = table.sort_values("strength", ascending=False)
        detected = strongest_first[(strongest_first["detection_rate"] >= POWER).cummin()]
        effect = detected[["strength", "divergence"]].iloc[-1] if len(detected) else (np.nan, np.nan)
        rows.append((*key, *effect, *strongest_first[["detection_rate", "undefined"]].iloc[0]))
    columns = ["attribute", "metric", "strength", "divergence", "max_detection_rate", "undefined"]
    return pd.DataFrame(rows, columns=columns)
