"""Robustness of scores: differences between scores of fewer texts, or of titles alone, and scores of more texts
(same-2024, Figure 3)."""

from collections.abc import Iterator
from types import ModuleType

import pandas as pd

from biassay.studies.downstream.scores import SET, TITLES

HALF = 0.5  # share of the texts with which titles are compared
SUBSETS = ["set", "attribute", "metric", "regrouped", "share", "n_texts", "n_models", "mean", "std", "share_undefined"]
OF_TITLES = ["set", "attribute", "metric", "n_models", "mean", "std", "share_undefined"]


def range_width(module: ModuleType, n_groups: int) -> float:
    """Return the width of a metric's range at the set level; 1 for an unbounded metric."""
    limits = module.METRIC.range(SET, n_groups)
    return 1.0 if limits.b_min is None or limits.b_max is None else float(limits.b_max - limits.b_min)


def measure_subsets(
    metric: str, module: ModuleType, scores: pd.DataFrame, subsets: pd.DataFrame, n_texts: dict[str, int],
    n_groups: dict[str, int],
) -> Iterator[tuple]:  # fmt: skip
    """Yield rows of SUBSETS: mean and standard deviation, over models and permutations, of |b − b of all texts|,
    divided by the width of the range."""
    merged = _merge_scores(subsets[subsets["share"] != HALF], scores, SET)
    for key, part in merged.groupby(["set", "attribute", "regrouped", "share"], sort=False):
        name, attribute, regrouped, share = key
        deviations = _summarise(part, range_width(module, n_groups[attribute]))
        n = max(1, round(share * n_texts[name]))
        yield name, attribute, metric, regrouped, share, n, part["model"].nunique(), *deviations


def measure_titles(
    metric: str, module: ModuleType, scores: pd.DataFrame, subsets: pd.DataFrame, n_groups: dict[str, int]
) -> Iterator[tuple]:
    """Yield rows of OF_TITLES: mean and standard deviation of |b of titles − b of half the texts|, divided likewise."""
    half = subsets[(subsets["share"] == HALF) & ~subsets["regrouped"].astype(bool)]
    for (name, attribute), part in _merge_scores(half, scores, TITLES).groupby(["set", "attribute"], sort=False):
        deviations = _summarise(part, range_width(module, n_groups[attribute]))
        yield name, attribute, metric, part["model"].nunique(), *deviations


def _merge_scores(subsets: pd.DataFrame, scores: pd.DataFrame, level: str) -> pd.DataFrame:
    """Merge subsets with the score of each model's scrubbed texts, not debiased, in the column `whole`."""
    rows = scores[(scores["level"] == level) & (scores["version"] == "scrubbed") & (scores["n_directions"] == 0)]
    whole = rows[["set", "attribute", "model", "value"]].rename(columns={"value": "whole"})
    return subsets.merge(whole, on=["set", "attribute", "model"])


def _summarise(part: pd.DataFrame, width: float) -> tuple[float, float, float]:
    """Return mean and standard deviation (ddof 0) of the deviations, and the share of undefined ones."""
    deviations = (part["value"] - part["whole"]).abs() / width
    return deviations.mean(), deviations.std(ddof=0), deviations.isna().mean()
