"""Tables of the studies that are summarised over several seeds, and what their columns are."""

from dataclasses import dataclass
from fnmatch import fnmatch

import pandas as pd

from biassay.support import csv_tables


@dataclass(frozen=True)
class Table:
    """`keys` are the columns that say what a value is of, `contenders` those that say who has it, `values` the numbers.

    Contenders are compared where all keys are equal. `drawn`: so many of the values, the first ones, are in the
    figure. `cases` are the columns of what a seed has several of, as models: a seed's value is their mean, and the
    contenders are also compared over the cases of all seeds, in clusters of the last of these columns. `shared`: a
    quantity has one axis in all panels of the figure.
    """

    keys: tuple[str, ...]
    contenders: tuple[str, ...]
    values: tuple[str, ...]
    drawn: int = 1
    shared: bool = True
    cases: tuple[str, ...] = ()


REPRESENTATION = ("embedding", "space", "method")
SCORES = ("accuracy", "auc", "robustness_biased", "robustness_unbiased", "words_needed_biased", "words_needed_unbiased")

# By path in results/, without .csv; * is the name of a pair of models.
TABLES = {
    "first_order/correlations": Table(("corpus", "statistics", "word_list"), REPRESENTATION, ("spearman", "pearson")),
    "first_order/confounding": Table(("corpus", "word_list"), REPRESENTATION, ("partner_slope", "own_slope"), drawn=2),
    "first_order/false_positives": Table(
        ("corpus",), REPRESENTATION, ("false_positive_rate", "false_positive_rate_holm"), drawn=2
    ),
    "silhouette/*/scores": Table(("bias", "list"), ("metric",), SCORES, drawn=2),
    "silhouette/*/false_positives": Table(
        ("bias", "share"), ("metric", "test"), ("false_positive_rate", "power"), drawn=2
    ),
    "same/tables/correlations": Table(
        ("ground_truth", "against"), ("metric",), ("r2",), cases=("model", "distribution")
    ),
    "same/tables/sets": Table(("ground_truth", "against"), ("metric",), ("r2",)),
    "same/tables/retraining_variability": Table((), ("metric",), ("difference",)),
    "intrinsic/tables/correlations": Table(
        ("attribute", "first"), ("second",), ("r",), cases=("model", "distribution")
    ),
    "intrinsic/tables/sets": Table(("attribute", "labels", "first"), ("second",), ("r",)),
    "intrinsic/tables/retraining_variability": Table(("attribute",), ("metric",), ("difference", "sign_flip_rate"), drawn=2),
    "downstream/tables/ranking": Table(
        ("set", "attribute", "version", "group_words", "ground_truth"), ("score",), ("ranking_accuracy",)
    ),
    "downstream/tables/sets": Table(("set", "attribute", "version", "group_words"), ("metric",), ("r",)),
    "same/tables/subsampling_variability": Table((), ("metric",), ("deviation",)),
    "board/board": Table(("criterion",), ("metric",), ("value",), shared=False),
}


def find(path: str) -> Table:
    """What the table at a path in results/ is."""
    return next(table for pattern, table in TABLES.items() if fnmatch(path, pattern))


def read(path: str, table: Table) -> pd.DataFrame:
    """Read a table of one seed."""
    columns = [*table.keys, *table.contenders, *table.cases, *table.values]
    return csv_tables.read(
        path, columns, csv_tables.column_types(number="? ".join([*table.values, ""]), boolean="learned"), allow_empty=True
    )
