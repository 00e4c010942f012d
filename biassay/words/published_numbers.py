"""Numbers that papers report for openly available vectors, with their word lists."""

import math
from dataclasses import dataclass
from pathlib import Path

from biassay.core import registry
from biassay.words import files, resources

COLUMNS = ["test", "vectors", "quantity", "targets", "groups", "published", "source"]
N_TARGET_LISTS = {"d": 2, "p": 2, "direct_bias": 1}  # number of target lists, by quantity


@dataclass(frozen=True)
class PublishedNumber:
    """A number: its test, vectors and quantity, its word lists by name, and its published value, "" if unknown."""

    test: str
    vectors: str
    quantity: str
    targets: dict[str, list[str]]
    groups: dict[str, list[str]]
    published: str
    source: str


def read(path: str | Path, word_lists: str | Path) -> list[PublishedNumber]:
    """Read numbers from a CSV file and their word lists from a YAML file.

    Raises ValueError, which names file, line, column and value, for an unknown quantity or list, a wrong number of
    lists, an invalid name or number, a missing source or a duplicate.
    """
    lists, keys, numbers = resources.read_groups(word_lists), set(), []
    for line, row in files.read_table(path, COLUMNS)[COLUMNS].iterrows():
        where = f"{path}, line {line}:"
        for column in ("test", "vectors"):
            files.check_name(f"{where} {column}", row[column])
        registry.check_names(f"{where} quantity", [row["quantity"]], N_TARGET_LISTS)
        for column, n_lists in (("targets", N_TARGET_LISTS[row["quantity"]]), ("groups", 2)):
            names = row[column].split()
            registry.check_names(f"{where} {column}", names, lists)
            if len(set(names)) != n_lists or len(names) != n_lists:
                raise ValueError(f"{where} {column}: expected the names of {n_lists} lists, got {row[column]!r}")
        _check_published(where, row["published"], row["source"])
        key = tuple(row[["test", "vectors", "quantity"]])
        if key in keys:
            raise ValueError(f"{where} duplicate of {' '.join(key)}; expected every number once")
        keys.add(key)
        words = {column: {name: lists[name] for name in row[column].split()} for column in ("targets", "groups")}
        numbers.append(PublishedNumber(**(row.to_dict() | words)))
    return numbers


def _check_published(where: str, published: str, source: str) -> None:
    try:
        is_finite = math.isfinite(float(published or 0))
    except ValueError:
        is_finite = False
    if not is_finite or "_" in published:
        raise ValueError(f"{where} published: expected a number as printed, or nothing, got {published!r}")
    if published and not source:
        raise ValueError(f"{where} source: expected the place where {published} is published, got nothing")
