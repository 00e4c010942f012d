"""Numbers that papers print on open vectors, and the word lists that they come from."""

import math
from dataclasses import dataclass
from pathlib import Path

from biassay.support import registry
from biassay.words import files, resources

COLUMNS = ["test", "vectors", "quantity", "targets", "groups", "published", "source"]
TARGETS = {"d": 2, "p": 2, "direct_bias": 1}  # lists of targets that a quantity compares, by its name


@dataclass(frozen=True)
class PublishedNumber:
    """A number: of which test on which vectors, its lists of words by name, and what is printed, "" if nothing is."""

    test: str
    vectors: str
    quantity: str
    targets: dict[str, list[str]]
    groups: dict[str, list[str]]
    published: str
    source: str


def read(path: str | Path, word_lists: str | Path) -> list[PublishedNumber]:
    """Read the numbers of a CSV file, whose lists stand in a YAML file.

    Raises ValueError, naming file, line, value and choices, for an unknown quantity or list, a wrong number of lists,
    what is no name or no number, a number without its source, and a number twice.
    """
    lists, seen, found = resources.read_groups(word_lists), set(), []
    for line, row in files.read_table(path, COLUMNS)[COLUMNS].iterrows():
        where = f"{path}, line {line}:"
        for column in ("test", "vectors"):
            files.check_name(f"{where} {column}", row[column])
        registry.check_names(f"{where} quantity", [row["quantity"]], TARGETS)
        for column, number in (("targets", TARGETS[row["quantity"]]), ("groups", 2)):
            names = row[column].split()
            registry.check_names(f"{where} {column}", names, lists)
            if len(set(names)) != number or len(names) != number:
                raise ValueError(
                    f"{where} {column} of {row['quantity']} are {row[column]!r}; give {number} of the lists by name"
                )
        _check_published(where, row["published"], row["source"])
        key = tuple(row[["test", "vectors", "quantity"]])
        if key in seen:
            raise ValueError(f"{where} has {' '.join(key)} twice")
        seen.add(key)
        words = {column: {name: lists[name] for name in row[column].split()} for column in ("targets", "groups")}
        found.append(PublishedNumber(**(row.to_dict() | words)))
    return found


def _check_published(where: str, published: str, source: str) -> None:
    try:
        finite = math.isfinite(float(published or 0))
    except ValueError:
        finite = False
    if not finite or "_" in published:
        raise ValueError(f"{where} published is {published!r}, not a number as it is printed; empty if none is")
    if published and not source:
        raise ValueError(f"{where} source is empty; say where {published} is printed")
