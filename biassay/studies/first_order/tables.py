"""Tables of the study: their columns, functions that read and check them, and the published values."""

from pathlib import Path

import numpy as np
import pandas as pd

from biassay.core import csv_tables

KEYS = ["corpus", "embedding", "space", "method", "word_list"]
INTERVALS = [f"{kind}{part}" for kind in ("spearman", "pearson") for part in ("", "_p", "_low", "_high", "_published")]
SIDES = [f"{side}_{part}" for side in ("first", "second") for part in ("order", "low", "high", "published")]
SLOPES = [f"{cause}_slope{end}" for cause in ("own", "partner") for end in ("", "_low", "_high")]
KINDS = csv_tables.column_types(
    text="corpus embedding space method word_list word statistics correlation second_embedding second_space "
    "second_method verdict state group context occupation side",
    integer="n n_tests rank n_neutral_occupations n_female n_male n_unbiased",
    number=f"{'? '.join([*INTERVALS, *SIDES, *SLOPES])}? weight bias? p? p_holm? false_positive_rate? "
    "false_positive_rate_holm? largest? factor_female? factor_male? band? mean_absolute_bias? mean_bias? majority? "
    "accuracy? accuracy_std? auc? majority_published? accuracy_published? effect?",
    boolean="neutral definitional",
)
RESULTS = {  # columns that readers of results need, by table
    "correlations": [*KEYS, "statistics", "n", "spearman", "spearman_p"],
    "comparisons": [*KEYS, "second_embedding", "second_space", "second_method", "statistics", "correlation", "n",
                    "first_order", "second_order", "p_holm", "verdict"],
    "confounding": [*KEYS, "n", *SLOPES],
    "false_positives": [*KEYS[:4], "n_tests", "false_positive_rate", "false_positive_rate_holm"],
    "contexts": ["occupation", "bias", "group", "rank", "context", "effect", "definitional"],
    "top_features": ["state", "group", "rank", "context", "weight"],
    "accuracies": ["space", "state", "majority", "accuracy", "majority_published", "accuracy_published"],
    "factors": ["word", "neutral", "method", "state", "bias", "side"],
    "bands": ["method", "state", "band"],
}  # fmt: skip
PUBLISHED = ["output", "embedding", "space", "method", "state", "statistics", "quantity", "value"]
# The published correlations use 64 definitional words: our list of that size, and the paper's if a user adds it.
PUBLISHED_LISTS = ("medium", "published")


def read_result(path: str | Path, name: str, *columns: str) -> pd.DataFrame:
    """Read a table of RESULTS, with further columns that it must have."""
    return csv_tables.read(path, [*RESULTS[name], *columns], KINDS, allow_empty=name != "factors")


def read_scores(path: str | Path) -> pd.DataFrame:
    """Read the scores of a metric: one row per word, embedding and word list."""
    table = csv_tables.read(path, [*KEYS, "word", "bias"], KINDS)
    for (corpus, embedding), rows in table.groupby(["corpus", "embedding"], sort=False):
        csv_tables.check_grid(f"{path}: {corpus}, {embedding}", rows, "word", rows["word"].unique(), KEYS)
    return table


def read_published(path: str | Path, output: str, keys: list[str]) -> dict[tuple, float]:
    """Read the values of one of the paper's tables, "T1" or "T3", by the cells of the columns `keys`."""
    types = csv_tables.column_types(text="output", number="value")
    rows = csv_tables.read(path, PUBLISHED, types, comment="#").query("output == @output")
    return dict(zip(rows[keys].itertuples(index=False, name=None), rows["value"], strict=True))


def look_up(table: pd.DataFrame, columns: list[str], published: dict[tuple, float], *last: str) -> np.ndarray:
    """Look up the published value of each row, by its cells in `columns` followed by `last`; NaN if there is none.

    A row of a word list of another size than the paper's has none.
    """
    keys = table[columns].itertuples(index=False, name=None)
    values = np.array([published.get((*key, *last), np.nan) for key in keys], float)
    return np.where(table["word_list"].isin(PUBLISHED_LISTS), values, np.nan) if "word_list" in table else values
