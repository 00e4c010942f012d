"""What a generator planted, read from the ground truth table beside its corpus."""

import pandas as pd

from biassay.support import csv_tables

COLUMNS = ("bias", "word", "group", "probability", "partner")
KINDS = csv_tables.column_types(text="bias word group category? partner?", number="probability")


def percentages(ground_truth: str) -> dict[str, pd.Series]:
    """Percentages of female words beside gender-neutral occupations, by word.

    Of all of them ("planted"), of those with a partner ("planted_confounded") and of those without ("planted_clear");
    nothing if the corpus is the unbiased control, where all are alike.
    """
    rows = _female(ground_truth, "category")
    rows = rows[rows["category"] == "n"]
    if rows["probability"].nunique() == 1:
        return {}
    values = pd.Series(100 * rows["probability"].to_numpy(float), index=rows["word"])
    confounded = (rows["partner"] != "").to_numpy()
    return {"planted": values, "planted_confounded": values[confounded], "planted_clear": values[~confounded]}


def own_and_partner(ground_truth: str) -> pd.DataFrame:
    """Planted probabilities of confounded occupations and of their partners, by word."""
    rows = _female(ground_truth).set_index("word")
    own = rows["probability"]
    confounded = rows[rows["partner"] != ""]
    return pd.DataFrame({"own": own[confounded.index], "partner": confounded["partner"].map(own)})


def _female(ground_truth: str, *more: str) -> pd.DataFrame:
    rows = csv_tables.read(ground_truth, [*COLUMNS, *more], KINDS, keep_default_na=False)
    return rows[(rows["bias"] == "gender") & (rows["group"] == "female")]
