"""Robustness of scores: differences between scores of fewer texts, or of titles alone, and scores of more texts
(same-2024, Figure 3), divided by the width of the score's range; NaN for scores without a range. Tables of scores have
a column with the metric."""

import pandas as pd

from biassay.studies.downstream.scores import SET, TITLES

HALF = 0.5  # share of the texts with which titles are compared
SUBSETS = ["set", "attribute", "metric", "regrouped", "share", "n_texts", "n_models", "mean", "std", "share_undefined"]
OF_TITLES = ["set", "attribute", "metric", "n_models", "mean", "std", "share_undefined"]


def measure_subsets(
    scores: pd.DataFrame, subsets: pd.DataFrame, widths: pd.Series, n_texts: dict[str, int]
) -> pd.DataFrame:
    """Summarise |b of a subset − b of all texts| over models and permutations (SUBSETS); widths are by metric and
    attribute."""
    table = _measure(subsets[subsets["share"] != HALF], scores, SET, widths, ["regrouped", "share"])
    sizes = [max(1, round(row.share * n_texts[row.set])) for row in table.itertuples()]
    return table.assign(n_texts=sizes)[SUBSETS]


def measure_titles(scores: pd.DataFrame, subsets: pd.DataFrame, widths: pd.Series) -> pd.DataFrame:
    """Summarise |b of titles − b of half the texts| over models and permutations (OF_TITLES)."""
    half = subsets[(subsets["share"] == HALF) & ~subsets["regrouped"].astype(bool)]
    return _measure(half, scores, TITLES, widths, [])[OF_TITLES]


def _measure(
    subsets: pd.DataFrame, scores: pd.DataFrame, level: str, widths: pd.Series, keys: list[str]
) -> pd.DataFrame:
    """Summarise the deviations of subsets from each model's scrubbed texts, not debiased, at a level."""
    rows = scores[(scores["level"] == level) & (scores["version"] == "scrubbed") & (scores["n_directions"] == 0)]
    columns = ["metric", "set", "attribute", "model"]
    merged = subsets.merge(rows[[*columns, "value"]], on=columns, suffixes=("", "_of_all"))
    width = widths.reindex(pd.MultiIndex.from_frame(merged[["metric", "attribute"]])).to_numpy()
    difference = (merged["value"] - merged["value_of_all"]).abs()
    merged["deviation"], merged["is_undefined"] = difference / width, difference.isna()
    groups = merged.groupby([*columns[:3], *keys], sort=False)
    return pd.DataFrame({
        "n_models": groups["model"].nunique(), "mean": groups["deviation"].mean(),
        "std": groups["deviation"].std(ddof=0), "share_undefined": groups["is_undefined"].mean(),
    }).reset_index()  # fmt: skip
