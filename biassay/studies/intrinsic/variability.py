"""Retraining variability: differences between models of the same distribution (Table 4 of intrinsic-2023, §5.3)."""

from collections.abc import Mapping

import pandas as pd

from biassay.studies.intrinsic.tables import Study, word_scores
from biassay.studies.variability import compare_by_distribution


def retraining_variability(study: Study, by_metric: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """Measure how much divergences, their roots and word-level scores differ between models of the grid.

    by_metric: tables of scores. Returns one row per attribute and metric: means of `compare_repeats` over distributions
    with two or more models, and their number.
    """
    rows = []
    for attribute in study.attributes:
        data, unmasking = (study.divergence(attribute, bias, study.grid.index) for bias in ("data", "unmasking"))
        scores = {"data": data, "data (root)": data**0.5, "unmasking": unmasking, "unmasking (root)": unmasking**0.5}
        scores |= {name: word_scores(table, attribute, data) for name, table in by_metric.items()}
        for name, values in scores.items():
            if values is not None:
                table = compare_by_distribution(values, study.grid["distribution"]).dropna(subset="within_std")
                rows.append({"attribute": attribute, "metric": name, "distributions": len(table), **table.mean()})
    return pd.DataFrame(rows).drop(columns="between_std")
