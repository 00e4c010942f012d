"""The tables of the study: columns, the models, and scores read and checked."""

from collections.abc import Iterable
from pathlib import Path

import pandas as pd

from biassay.words import files

SCORES = ["set", "attribute", "model", "version", "k", "terms", "level", "class", "value"]
SAMPLES = ["set", "attribute", "model", "pair", "value"]
SUBSETS = ["set", "attribute", "model", "share", "permutation", "regrouped", "value"]
PAIRS = ["set", "attribute", "model", "pairs", "share", "low", "high", "mean_difference"]
DIFFERENCES = ["set", "attribute", "model", "pair", "value"]
BIAS = ["set", "attribute", "model", "version", "k", "bias", "counts"]
CLASSIFIERS = ["set", "attribute", "model", "version", "k", "recall", "precision", "gap", "counts"]
CLASSES = ["set", "attribute", "model", "version", "k", "class", "recall", "gap", "low", "high", "too_small"]
TEXT = ("set", "attribute", "model", "version", "terms", "level", "class", "name", "unit", "kind", "metric")


def models(encoded: Iterable[str]) -> pd.DataFrame:
    """All models, a row each: name, unit (what they were encoded with), kind, the folder of their vectors, and, of
    those with planted bias, strength, repeat and what they learned. Raises ValueError for a name that leads elsewhere.
    """
    parts = [pd.read_csv(Path(folder) / "models.csv", dtype={"name": str, "unit": str}) for folder in encoded]
    for folder, part in zip(encoded, parts, strict=True):
        for name in part["name"]:
            files.check_name(f"{folder}/models.csv: name", name)
    parts = [part.assign(folder=[Path(folder) / name for name in part["name"]])
             for part, folder in zip(parts, encoded, strict=True)]  # fmt: skip
    return pd.concat(parts, ignore_index=True)


def read(path: str | Path, columns: Iterable[str]) -> pd.DataFrame:
    """Read a CSV table, with empty texts as "" and empty numbers as NaN; ValueError if it lacks one of the columns."""
    names = pd.read_csv(path, nrows=0).columns
    empty = {name: [""] for name in names if name not in TEXT}
    table = pd.read_csv(path, keep_default_na=False, na_values=empty, dtype=dict.fromkeys(TEXT, str))
    if not len(table):
        table = table.astype(dict.fromkeys(empty, float))  # so that it can be merged with others
    missing = [name for name in columns if name not in table]
    if missing:
        raise ValueError(f"{path}: lacks the columns {', '.join(missing)}; it has {', '.join(table)}")
    return table
