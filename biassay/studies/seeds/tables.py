"""Tables of the studies that are summarised over several seeds, and what their columns are."""

from dataclasses import dataclass
from fnmatch import fnmatch


@dataclass(frozen=True)
class Table:
    """`keys` are the columns that say what a value is of, `contenders` those that say who has it, `values` the numbers.

    Contenders are compared where all keys are equal. `drawn`: so many of the values, the first ones, are in the figure.
    """

    keys: tuple[str, ...]
    contenders: tuple[str, ...]
    values: tuple[str, ...]
    drawn: int = 1


REPRESENTATION = ("embedding", "space", "method")
SCORES = ("accuracy", "separation", "robustness_biased", "robustness_unbiased", "needed_biased", "needed_unbiased")

# By path in results/, without .csv; * is the name of a pair of models.
TABLES = {
    "first_order/correlations": Table(("corpus", "statistics", "word_list"), REPRESENTATION, ("spearman", "pearson")),
    "first_order/confounding": Table(("corpus", "word_list"), REPRESENTATION, ("partner", "own"), drawn=2),
    "silhouette/*/scores": Table(("bias", "list"), ("metric",), SCORES, drawn=2),
    "same/tables/summary": Table(("against",), ("metric",), ("r2_mean",)),
    "same/tables/sets": Table(("against",), ("metric",), ("r2",)),
}


def find(path: str) -> Table:
    """What the table at a path in results/ is."""
    return next(table for pattern, table in TABLES.items() if fnmatch(path, pattern))
