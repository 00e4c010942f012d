"""Tables of the study: their columns, and functions that read and check them."""

from pathlib import Path

import pandas as pd

from biassay.core import csv_tables

KEYS = ["corpus", "embedding", "space", "method", "word_list"]
KINDS = csv_tables.column_types(
    text="corpus embedding space method word_list word statistics correlation second_embedding second_space "
    "second_method verdict state group context occupation side output",
    integer="n n_tests rank n_neutral_occupations n_female n_male n_unbiased",
    number="bias? spearman? spearman_p? spearman_low? spearman_high? spearman_published? pearson? pearson_p? "
    "pearson_low? pearson_high? pearson_published? first_order? first_low? first_high? first_published? second_order? "
    "second_low? second_high? second_published? p? p_holm? own_slope? own_slope_low? own_slope_high? "
    "partner_slope? partner_slope_low? partner_slope_high? "
    "false_positive_rate? false_positive_rate_holm? largest? factor_female? factor_male? band? mean_absolute_bias? "
    "mean_bias? majority? accuracy? accuracy_std? auc? majority_published? accuracy_published? effect? weight value",
    boolean="neutral definitional",
)
RESULTS = {  # columns that readers of results need, by table
    "correlations": [*KEYS, "statistics", "n", "spearman", "spearman_p"],
    "comparisons": [*KEYS, "second_embedding", "second_space", "second_method", "statistics", "correlation", "n",
                    "first_order", "second_order", "p_holm", "verdict"],
    "confounding": [*KEYS, "partner_slope", "partner_slope_low", "partner_slope_high"],
    "false_positives": ["corpus", "embedding", "space", "method", "n_tests", "false_positive_rate",
    "false_positive_rate_holm"],
    "contexts": ["occupation", "bias", "group", "rank", "context", "effect", "definitional"],
    "top_features": ["state", "group", "rank", "context", "weight"],
    "accuracies": ["space", "state", "majority", "accuracy", "majority_published", "accuracy_published"],
    "factors": ["word", "neutral", "method", "state", "bias", "side"],
    "bands": ["method", "state", "band"],
}  # fmt: skip
INTERVALS = [f"{kind}{part}" for kind in ("spearman", "pearson") for part in ("", "_p", "_low", "_high", "_published")]
PUBLISHED = ["output", "embedding", "space", "method", "state", "statistics", "quantity", "value"]


def read_result(path: str | Path, name: str, *columns: str) -> pd.DataFrame:
    """Read a table of RESULTS, with further columns that it must have."""
    return csv_tables.read(path, [*RESULTS[name], *columns], KINDS, allow_empty=name != "factors")


def read_scores(path: str | Path) -> pd.DataFrame:
    """Read the scores of a metric: one row per word, embedding and word list."""
    table = csv_tables.read(path, [*KEYS, "word", "bias"], KINDS)
    for (corpus, embedding), rows in table.groupby(["corpus", "embedding"], sort=False):
        csv_tables.check_grid(f"{path}: {corpus}, {embedding}", rows, "word", rows["word"].unique(), KEYS)
    return table


def read_published(path: str | Path, output: str) -> pd.DataFrame:
    """Read the published values of one of the paper's tables."""
    types = csv_tables.column_types(text="output", number="value")
    return csv_tables.read(path, PUBLISHED, types, comment="#").query("output == @output")
