"""Variability of scores: over retrained models (same-2021 §5.2.2) and over subsamples of the occupations (§5.3.1)."""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from biassay.statistics.intervals import interval_of_mean
from biassay.studies.same.agreement import UNMASKING
from biassay.studies.same.tables import Grid
from biassay.studies.variability import compare_by_distribution

SUBSAMPLING = ["metric", "models", "n_subsets", "deviation", "low", "high", "relative", "undefined"]
ONE_REPEAT = "not computable: no distribution has two models that learned their bias"


def retraining_variability(
    grid: Grid, word_scores: Mapping[str, pd.DataFrame], n_resamples: int, seed: int
) -> pd.DataFrame:
    """Measure how much scores differ between models of the same distribution that learned their bias (Table 2).

    word_scores: by metric, (models, occupations). Returns one row per metric, the last for the unmasking bias: means
    over distributions of std_difference (as `difference`, with its 95 % bootstrap interval), within_std and between_std
    of `compare_repeats`; noise_ratio is within_std / between_std.
    """
    distributions, rows = grid.learned_models["distribution"], []
    n_models = int(distributions.duplicated(keep=False).sum())
    for metric, values in [*word_scores.items(), (UNMASKING, grid.unmasking)]:
        table = compare_by_distribution(values, distributions)[["std_difference", "within_std", "between_std"]].dropna()
        difference, within, between = table.mean()
        low, high = interval_of_mean(table["std_difference"].to_numpy(), np.arange(len(table)), n_resamples, seed)
        rows.append(
            {"metric": metric, "distributions": len(table), "models": n_models, "difference": difference,
             "low": low, "high": high, "within_std": within, "between_std": between,
             "noise_ratio": within / between if between > 0 else np.nan,
             "note": ONE_REPEAT if not n_models else "" if len(table) else "undefined scores"}
        )  # fmt: skip
    return pd.DataFrame(rows)


def subsampling_variability(
    grid: Grid, subsets: Mapping[str, pd.DataFrame], widths: Mapping[str, float], n_resamples: int, seed: int
) -> pd.DataFrame:
    """Measure how much set-level scores of random subsets differ from those of all occupations (Table 3).

    subsets: subsets/<metric>.csv of the models that learned their bias; widths: of the metrics' ranges, NaN for an
    unbounded one. deviation: |b(subset) − b(all)| / width, averaged over subsets, then models, with its 95 %
    bootstrap interval over whole distributions; NaN for an unbounded metric (`relative`). undefined: share of subsets
    without a value, which are left out.
    """
    rows = []
    for metric, table in subsets.items():
        change = (table["value"] - table["full_value"]).abs()
        by_model = change.groupby(table["model"]).mean().dropna() / widths[metric]
        clusters = grid.models.loc[by_model.index, "distribution"].to_numpy()
        low, high = interval_of_mean(by_model.to_numpy(), clusters, n_resamples, seed)
        rows.append((metric, len(by_model), table["subset"].nunique(), by_model.mean(), low, high,
                     np.isnan(widths[metric]), change.isna().mean()))  # fmt: skip
    return pd.DataFrame(rows, columns=SUBSAMPLING)
