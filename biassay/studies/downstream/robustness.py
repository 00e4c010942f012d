"""Robustness of scores (F3): how far those of some of the texts, or of titles alone, are from those of more texts."""

from collections.abc import Iterator
from types import ModuleType

import numpy as np
import pandas as pd

from biassay.studies.downstream.scores import SET, TITLES

HALF = 0.5  # of the texts, which titles are compared with
SUBSETS = ["set", "attribute", "metric", "regrouped", "share", "texts", "models", "mean", "std", "undefined"]
OF_TITLES = ["set", "attribute", "metric", "models", "mean", "std", "undefined"]


def width(module: ModuleType, groups: int) -> float:
    """The width of a metric's range of sets, by which differences are divided; 1 where it has no bounds."""
    limits = module.METRIC.range(SET, groups)
    return 1.0 if limits.b_min is None or limits.b_max is None else float(limits.b_max - limits.b_min)


def deviations(metric: str, module: ModuleType, scores: pd.DataFrame, subsets: pd.DataFrame, texts: dict[str, int],
               groups: dict[str, int]) -> Iterator[tuple]:  # fmt: skip
    """Rows of SUBSETS: mean and standard deviation, over models and permutations, of |b − b of all texts| by the width
    of the range; undefined: the share of values that are NaN."""
    chosen = subsets[subsets["share"] != HALF].merge(_whole(scores, SET), on=["set", "attribute", "model"])
    for key, of in chosen.groupby(["set", "attribute", "regrouped", "share"], sort=False):
        far = (of["value"] - of["whole"]).abs().to_numpy() / width(module, groups[key[1]])
        known, n = np.isfinite(far), texts[key[0]]
        yield (key[0], key[1], metric, key[2], key[3], max(1, round(key[3] * n)), of["model"].nunique(),
               *_spread(far[known]), float((~known).mean()))  # fmt: skip


def titles(metric: str, module: ModuleType, scores: pd.DataFrame, subsets: pd.DataFrame, groups: dict[str, int]
           ) -> Iterator[tuple]:  # fmt: skip
    """Rows of OF_TITLES: mean and standard deviation of |b of the titles − b of half of the texts|, likewise."""
    half = subsets[(subsets["share"] == HALF) & ~subsets["regrouped"].astype(bool)]
    chosen = half.merge(_whole(scores, TITLES), on=["set", "attribute", "model"])
    for (name, attribute), of in chosen.groupby(["set", "attribute"], sort=False):
        far = (of["value"] - of["whole"]).abs().to_numpy() / width(module, groups[attribute])
        known = np.isfinite(far)
        yield name, attribute, metric, of["model"].nunique(), *_spread(far[known]), float((~known).mean())


def _whole(scores: pd.DataFrame, level: str) -> pd.DataFrame:
    """A value of each model's scrubbed texts, not debiased, in the column `whole`."""
    of = scores[(scores["level"] == level) & (scores["version"] == "scrubbed") & (scores["k"] == 0)]
    return of[["set", "attribute", "model", "value"]].rename(columns={"value": "whole"})


def _spread(values: np.ndarray) -> tuple[float, float]:
    return (float(values.mean()), float(values.std())) if len(values) else (np.nan, np.nan)
