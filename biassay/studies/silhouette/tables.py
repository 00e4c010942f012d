"""The tables and arrays of the study: columns, read and checked."""

from pathlib import Path

import numpy as np
import pandas as pd

from biassay.studies.silhouette.reference import MODELS
from biassay.support import csv_tables, guard

KINDS = csv_tables.column_types(
    text="bias list metric model test score first second",
    integer="n_words n_shuffles shuffle clusters n n_unbiased n_biased n_undefined words_needed_biased? words_needed_unbiased?",
    number="min? max? mean? q05? q25? q75? q95? b_min? b_max? b_0? value_biased? value_unbiased? robustness_biased? "
    "robustness_unbiased? accuracy? accuracy_published_code? auc? p? min_p_value? share difference? low? high? "
    "p_holm? power? power_low? power_high? false_positive_rate? false_positive_rate_low? false_positive_rate_high? "
    "value probability",
    boolean="relative",
)
RESULTS = {  # what is read of the tables of a pair of models, by name
    "scores": "bias list metric relative n_words n_shuffles value_biased robustness_biased accuracy auc words_needed_biased",
    "silhouettes": "bias list metric model n_words min max mean q05 q25 q75 q95",
    "convergence": "bias list metric n_shuffles accuracy",
    "comparisons": "bias list score first second difference p_holm",
    "false_positives": "metric test bias share false_positive_rate power",
    "tests": "bias model share shuffle test p min_p_value",
}
WHOLE = ("b_min", "b_max", "b_0", "value_unbiased", "robustness_unbiased", "words_needed_unbiased")  # of scores, too
FULL = ("scores", "silhouettes", "convergence")  # of these, those that always have rows
PRINTED = "metric bias list model score value"


def result(path: str | Path, name: str, *more: str) -> pd.DataFrame:
    """Read a table of RESULTS, which must have these columns and some `more`."""
    table = csv_tables.read(path, [*RESULTS[name].split(), *more], KINDS, allow_empty=name not in FULL)
    if name == "scores" and more == WHOLE:
        csv_tables.check_grid(path, table, "bias", table["bias"].unique(), ["list", "metric"])
    return table


def printed(path: str | Path) -> pd.DataFrame:
    """Read what the paper prints."""
    return csv_tables.read(path, PRINTED, KINDS, comment="#")


def ground_truth(path: str | Path) -> pd.DataFrame:
    """Read what a generator planted, beside its corpus."""
    return csv_tables.read(path, "word group probability", KINDS)


def measured(path: str | Path) -> dict[str, np.ndarray]:
    """Read a metric's values, which `measure` wrote, "{bias}/{list}/" before each name.

    biased, unbiased: values (n orders, steps), NaN where undefined. words: their number at each step (steps,).
    """
    with guard.reading(path, "file of values"), np.load(path, allow_pickle=False) as found:
        arrays = dict(found)
        for place in dict.fromkeys(key.rpartition("/")[0] for key in arrays):
            words, *values = (arrays[f"{place}/{name}"] for name in ("words", *MODELS))
            if words.ndim != 1 or words.dtype.kind != "i" or not len(words) or (np.diff(words) < 1).any():
                raise ValueError(f"{place}/words: expected rising integers, one for each step")
            if any(array.dtype.kind != "f" or array.shape != (len(values[0]), len(words)) for array in values):
                raise ValueError(f"{place}: expected as many orders of {len(words)} steps of both models")
            if not len(values[0]) or any(np.isinf(array).any() for array in values):
                raise ValueError(f"{place}: expected one order or more, and finite values")
    return arrays
