"""The tables of the study that several scripts write or read: columns, and reading."""

from collections.abc import Iterable, Mapping
from pathlib import Path

import pandas as pd

from biassay.core import csv_tables, guard

SCORES = ["set", "attribute", "model", "version", "n_directions", "group_words", "level", "class", "value"]
PAIR_SCORES = ["set", "attribute", "model", "pair", "value"]
SUBSETS = ["set", "attribute", "model", "share", "permutation", "regrouped", "value"]
SHARES = ["set", "attribute", "model", "n_pairs", "share_stereotypical", "low", "high", "mean_difference"]
DIFFERENCES = ["set", "attribute", "model", "pair", "cluster", "value"]
BIAS = ["set", "attribute", "model", "version", "n_directions", "bias", "gap_std", "is_valid", "floor",
        "floor_high", "p"]  # fmt: skip
CLASSIFIERS = ["set", "attribute", "model", "version", "n_directions", "recall", "precision", "f1", "gap", "gap_std",
               "is_valid", "learning_rates", "attempts", "n_valid_folds"]  # fmt: skip
CLASSES = ["set", "attribute", "model", "version", "n_directions", "class", "recall", "precision", "f1", "gap",
           "gap_std", "low", "high", "n_texts_by_group", "too_small"]  # fmt: skip
TEXT = ("set", "attribute", "model", "version", "group_words", "level", "class", "classes", "name", "job", "kind",
        "metric", "score", "ground_truth", "form", "unit", "base", "reason", "cluster")  # fmt: skip


def read(path: str | Path) -> pd.DataFrame:
    """Read a table of the study; empty texts are "" and empty numbers NaN."""
    with guard.reading(path, "table"):
        numbers = [name for name in pd.read_csv(path, nrows=0) if name not in TEXT]
    options = {"na_values": {name: [""] for name in numbers}, "dtype": dict.fromkeys(TEXT, str)}
    table = csv_tables.read(path, [], {}, allow_empty=True, keep_default_na=False, **options)
    return table if len(table) else table.astype(dict.fromkeys(numbers, float))  # so that it merges with others


def read_all(paths: Mapping[str, str | Path], key: str) -> pd.DataFrame:
    """Read one table per name, below each other, with the name in the column `key`."""
    parts = [read(path).assign(**{key: name}) for name, path in paths.items()]
    return pd.concat([part for part in parts if len(part)] or parts, ignore_index=True)


def read_models(encoded: Iterable[str]) -> pd.DataFrame:
    """Read the language models of the folders `encoded`, with the folder of each one's vectors.

    Other columns: name, job (the unit in which it was encoded), kind, and, for models with planted bias, strength,
    repeat, seed and learned_<attribute>.
    """
    parts = [read(Path(folder) / "models.csv") for folder in encoded]
    folders = [Path(folder) / name for folder, part in zip(encoded, parts, strict=True) for name in part["name"]]
    return pd.concat(parts, ignore_index=True).assign(folder=folders)


def read_pairs(path: str | Path) -> pd.DataFrame:
    """Read pairs of sentences, in which a group can be named None."""
    return csv_tables.read(path, [], {}, keep_default_na=False)
