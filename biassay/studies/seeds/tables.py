"""The tables of the studies that are summarised over several seeds, with the roles of their columns."""

from dataclasses import dataclass
from fnmatch import fnmatch

import pandas as pd

from biassay.core import csv_tables


@dataclass(frozen=True)
class Table:
    """Roles of the columns of a table.

    Attributes
    ----------
    keys : tuple of str
        Columns that say what a value is about. Contenders are compared if all keys are equal.
    contenders : tuple of str
        Columns that name what is compared, such as metrics.
    values : tuple of str
        Columns of numbers.
    n_plotted : int
        Number of value columns in the figure, from the first.
    cases : tuple of str
        Columns of the cases within a seed, such as models. The value of a seed is the mean of its cases. Contenders are
        also compared over the cases of all seeds, in clusters by the last of these columns.
    """

    keys: tuple[str, ...]
    contenders: tuple[str, ...]
    values: tuple[str, ...]
    n_plotted: int = 1
    cases: tuple[str, ...] = ()


REPRESENTATION = ("embedding", "space", "method")
SCORES = (
    "accuracy",
    "auc",
    "relative_accuracy",
    "robustness_biased",
    "robustness_unbiased",
    "words_needed_biased",
    "words_needed_unbiased",
)

# By path below results/, without .csv; * stands for a pair of models.
TABLES = {
    "first_order/correlations": Table(("corpus", "statistics", "word_list"), REPRESENTATION, ("spearman", "pearson")),
    "first_order/confounding": Table(
        ("corpus", "word_list"), REPRESENTATION, ("partner_slope", "own_slope"), n_plotted=2
    ),
    "first_order/false_positives": Table(
        ("corpus",), REPRESENTATION, ("false_positive_rate", "false_positive_rate_holm"), n_plotted=2
    ),
    "silhouette/*/scores": Table(("bias", "list"), ("metric",), SCORES, n_plotted=2),
    "silhouette/*/false_positives": Table(
        ("form", "bias", "share"), ("metric", "test"), ("false_positive_rate", "power"), n_plotted=2
    ),
    "same/tables/correlations": Table(
        ("ground_truth", "against"), ("metric",), ("r2",), cases=("model", "distribution")
    ),
    "same/tables/sets": Table(("ground_truth", "against"), ("metric",), ("r2",)),
    "same/tables/retraining_variability": Table((), ("metric",), ("difference",)),
    "intrinsic/tables/correlations": Table(
        ("attribute", "first"), ("second",), ("r",), cases=("model", "distribution")
    ),
    "intrinsic/tables/attribute_comparisons": Table(("statistic", "metric"), ("first", "second"), ("difference",)),
    "intrinsic/tables/sets": Table(("attribute", "labels", "first"), ("second",), ("r",)),
    "intrinsic/tables/retraining_variability": Table(
        ("attribute",), ("metric",), ("difference", "sign_flip_rate"), n_plotted=2
    ),
    "downstream/tables/ranking": Table(
        ("form", "set", "attribute", "version", "group_words", "ground_truth"), ("score",), ("ranking_accuracy",)
    ),
    "downstream/tables/reliability": Table(("set", "attribute", "version"), ("form",), ("reliability",)),
    "downstream/tables/sets": Table(("set", "attribute", "version"), ("metric",), ("r",)),
    "same/tables/subsampling_variability": Table((), ("metric",), ("deviation",)),
    "board/board": Table(("criterion",), ("metric",), ("value",)),
}


def find_table(path: str) -> Table:
    """Find the table at a path below results/."""
    return next(table for pattern, table in TABLES.items() if fnmatch(path, pattern))


def read_table(path: str, table: Table) -> pd.DataFrame:
    """Read the table of one seed."""
    columns = [*table.keys, *table.contenders, *table.cases, *table.values]
    types = csv_tables.column_types(number="? ".join([*table.values, ""]), boolean="learned")
    return csv_tables.read(path, columns, types, allow_empty=True)
