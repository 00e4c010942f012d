"""The bias that the generator planted, from the ground-truth table of a corpus."""

import pandas as pd

from biassay.core import csv_tables

COLUMNS = ("bias", "word", "group", "probability", "partner")
KINDS = csv_tables.column_types(text="bias word group category? partner?", number="probability")


def read_percentages(ground_truth: str) -> dict[str, pd.Series]:
    """Read the planted percentages of female words in the context of gender-neutral occupations, by word.

    Returns
    -------
    dict of Series
        "planted": all occupations; "planted_confounded": those with a partner; "planted_clear": those without. Empty
        for the unbiased control, in which all percentages are equal.
    """
    rows = _read_female(ground_truth, "category")
    rows = rows[rows["category"] == "n"]
    if rows["probability"].nunique() == 1:
        return {}
    values = pd.Series(100 * rows["probability"].to_numpy(float), index=rows["word"])
    is_confounded = (rows["partner"] != "").to_numpy()
    return {"planted": values, "planted_confounded": values[is_confounded], "planted_clear": values[~is_confounded]}


def read_own_and_partner(ground_truth: str) -> pd.DataFrame:
    """Read the planted probabilities of confounded occupations (own) and of their partners (partner), by word."""
    rows = _read_female(ground_truth).set_index("word")
    own = rows["probability"]
    confounded = rows[rows["partner"] != ""]
    return pd.DataFrame({"own": own[confounded.index], "partner": confounded["partner"].map(own)})


def _read_female(ground_truth: str, *columns: str) -> pd.DataFrame:
    rows = csv_tables.read(ground_truth, [*COLUMNS, *columns], KINDS, keep_default_na=False)
    return rows[(rows["bias"] == "gender") & (rows["group"] == "female")]
