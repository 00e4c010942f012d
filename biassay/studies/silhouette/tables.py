"""Tables and arrays of the study: their columns, and functions that read and check them."""

from pathlib import Path

import numpy as np
import pandas as pd

from biassay.core import csv_tables, guard
from biassay.studies.silhouette.reference import MODELS

KINDS = csv_tables.column_types(
    text="bias list metric model test score first second",
    integer="n_words n_shuffles shuffle clusters n n_unbiased n_biased n_undefined words_needed_biased? "
    "words_needed_unbiased?",
    number="min? max? mean? q05? q25? q75? q95? b_min? b_max? b_0? value_biased? value_unbiased? robustness_biased? "
    "robustness_unbiased? accuracy? accuracy_published_code? auc? p? min_p_value? share difference? low? high? "
    "p_holm? power? power_low? power_high? false_positive_rate? false_positive_rate_low? false_positive_rate_high? "
    "value probability",
    boolean="relative",
)
RESULTS = {  # columns that readers need, by table of a pair of models
    "scores": "bias list metric relative n_words n_shuffles value_biased robustness_biased accuracy auc "
    "words_needed_biased",
    "silhouettes": "bias list metric model n_words min max mean q05 q25 q75 q95",
    "convergence": "bias list metric n_shuffles accuracy",
    "comparisons": "bias list score first second difference p_holm",
    "false_positives": "metric test bias share false_positive_rate power",
    "tests": "bias model share shuffle test p min_p_value",
}
# Further columns of scores.
ALL_SCORES = ("b_min", "b_max", "b_0", "value_unbiased", "robustness_unbiased", "words_needed_unbiased")
NEVER_EMPTY = ("scores", "silhouettes", "convergence")
PUBLISHED = "metric bias list model score value"


def read_result(path: str | Path, name: str, *columns: str) -> pd.DataFrame:
    """Read a table of RESULTS, with further columns that it must have."""
    table = csv_tables.read(path, [*RESULTS[name].split(), *columns], KINDS, allow_empty=name not in NEVER_EMPTY)
    if name == "scores" and columns == ALL_SCORES:
        csv_tables.check_grid(path, table, "bias", table["bias"].unique(), ["list", "metric"])
    return table


def read_published(path: str | Path) -> pd.DataFrame:
    """Read the published scores."""
    return csv_tables.read(path, PUBLISHED, KINDS, comment="#")


def read_ground_truth(path: str | Path) -> pd.DataFrame:
    """Read the planted probabilities of a generated corpus."""
    return csv_tables.read(path, "word group probability", KINDS)


def read_values(path: str | Path) -> dict[str, np.ndarray]:
    """Read the values of a metric.

    Returns, for each bias and list, "{bias}/{list}/biased" and "…/unbiased": values of shape (n shuffles, steps), NaN
    where undefined; "…/words": the number of words at each step, of shape (steps,).
    """
    with guard.reading(path, "file of values"), np.load(path, allow_pickle=False) as file:
        arrays = dict(file)
        for place in dict.fromkeys(key.rpartition("/")[0] for key in arrays):
            words, *values = (arrays[f"{place}/{name}"] for name in ("words", *MODELS))
            if words.ndim != 1 or words.dtype.kind != "i" or not len(words) or (np.diff(words) < 1).any():
                raise ValueError(f"{place}/words: expected increasing integers, one for each step")
            if any(array.dtype.kind != "f" or array.shape != (len(values[0]), len(words)) for array in values):
                raise ValueError(f"{place}: expected equally many shuffles of {len(words)} steps for both models")
            if not len(values[0]) or any(np.isinf(array).any() for array in values):
                raise ValueError(f"{place}: expected at least one shuffle, and finite values")
    return arrays
