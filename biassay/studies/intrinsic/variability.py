"""Retraining variability: differences between models of the same distribution (Table 4 of intrinsic-2023, §5.3)."""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from biassay.statistics.intervals import interval_of_mean
from biassay.studies.intrinsic.tables import Study, word_scores
from biassay.studies.variability import compare_by_distribution


def retraining_variability(
    study: Study, by_metric: Mapping[str, pd.DataFrame], n_resamples: int, seed: int
) -> pd.DataFrame:
    """Measure how much divergences, their roots and word-level scores differ between models of the grid.

    by_metric: tables of scores. Returns one row per attribute and metric: the number of distributions with two or more
    models and a score, and of the models of the former; means of `compare_repeats` over these distributions, and the
    95 % bootstrap interval (low, high) of the symmetric difference over them.
    """
    rows, is_repeated = [], study.grid["distribution"].duplicated(keep=False)
    for attribute in study.attributes:
        data, unmasking = (study.divergence(attribute, bias, study.grid.index) for bias in ("data", "unmasking"))
        scores = {"data": data, "data (root)": data**0.5, "unmasking": unmasking, "unmasking (root)": unmasking**0.5}
        scores |= {name: word_scores(table, attribute, data) for name, table in by_metric.items()}
        for name, values in scores.items():
            if values is not None:
                table = compare_by_distribution(values, study.grid["distribution"]).dropna(subset="within_std")
                difference = table["difference"].to_numpy()
                low, high = interval_of_mean(difference, np.arange(len(table)), n_resamples, seed)
                counts = {"distributions": len(table), "models": int(is_repeated.sum())}
                rows.append(
                    {"attribute": attribute, "metric": name, **counts, **table.mean(), "low": low, "high": high}
                )
    return pd.DataFrame(rows).drop(columns="between_std")
