"""Labelled texts about people of several groups, on which classifiers are trained and evaluated.

Texts about people stay in this store. Logs, tables and messages contain only counts, row numbers, and names of classes
and groups.
"""

import json
import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

from biassay.core import guard, registry

TEXTS, ABOUT = "texts.parquet", "about.json"
MIN_TEXTS = 30  # of a class in each group; classes with fewer are marked too_small
VERSIONS = ("scrubbed", "raw")


@dataclass(frozen=True)
class Texts:
    """Texts with classes (several or none) and one group each."""

    attribute: str  # a key of the defining sets
    names: list[str]  # of the groups
    classes: list[str]
    raw: list[str]
    scrubbed: list[str]  # without words that name the group
    groups: np.ndarray  # number of each text's group (n,)
    labels: np.ndarray  # 0 or 1 (n, classes)

    def __len__(self) -> int:
        return len(self.raw)

    def save(self, folder: str | Path) -> None:
        """Write texts.parquet and about.json into a folder."""
        Path(folder).mkdir(parents=True, exist_ok=True)
        table = pd.DataFrame({"raw": self.raw, "scrubbed": self.scrubbed, "group": np.asarray(self.groups, np.int16)})
        labels = {f"class_{number}": np.asarray(column, np.uint8) for number, column in enumerate(self.labels.T)}
        table.assign(**labels).to_parquet(Path(folder) / TEXTS, index=False)
        about = {"attribute": self.attribute, "groups": self.names, "classes": self.classes}
        (Path(folder) / ABOUT).write_text(json.dumps(about, indent=1) + "\n", encoding="utf-8")

    @classmethod
    def open(cls, folder: str | Path) -> "Texts":
        """Read texts that `save` wrote."""
        with guard.reading(path := Path(folder) / ABOUT, "description of texts"):
            about = json.loads(path.read_text("utf-8"))
        with guard.reading(path := Path(folder) / TEXTS, "table of texts"):
            table = pd.read_parquet(path)
            labels = table[[f"class_{number}" for number in range(len(about["classes"]))]].to_numpy(np.uint8)
            versions, groups = [table[version].tolist() for version in ("raw", "scrubbed")], table["group"].to_numpy()
        return cls(about["attribute"], about["groups"], about["classes"], *versions, groups, labels)

    def count_texts(self) -> np.ndarray:
        """Return the number of texts of each group and class (groups, classes)."""
        members = np.eye(len(self.names), dtype=np.int64)[self.groups]
        return members.T @ self.labels.astype(np.int64)

    def make_datasheet(self) -> pd.DataFrame:
        """Return the datasheet: first one row for all texts (empty class), then one row per class.

        Columns: class, n_texts, one per group, share of the first group, median_words of the scrubbed texts, and
        too_small (a group has fewer than MIN_TEXTS texts).
        """
        n_words = np.array([len(text.split()) for text in self.scrubbed])
        rows = [("", np.ones(len(self), bool), np.bincount(self.groups, minlength=len(self.names)))]
        rows += zip(self.classes, self.labels.T == 1, self.count_texts().T, strict=True)
        sheet = []
        for name, chosen, counts in rows:
            row = {"class": name, "n_texts": int(chosen.sum()), **dict(zip(self.names, counts.tolist(), strict=True))}
            row |= {f"share_{self.names[0]}": counts[0] / max(1, chosen.sum())}
            row |= {"median_words": float(np.median(n_words[chosen])) if chosen.any() else np.nan}
            sheet.append(row | {"too_small": bool((counts < MIN_TEXTS).any())})
        return pd.DataFrame(sheet)


def make_texts(
    where: str, attribute: str, names: list[str], classes: list[str],
    rows: Sequence[tuple[Sequence[int], int, str, str]], min_texts: int,
) -> Texts:  # fmt: skip
    """Make texts from rows of class numbers, group number, raw and scrubbed text.

    Classes of fewer than `min_texts` texts are dropped, and texts of such classes only. Raises ValueError, whose
    message begins with `where`, if fewer than two classes remain, or a group has no text.
    """
    labels = np.zeros((len(rows), len(classes)), np.uint8)
    for place, (numbers, *_) in enumerate(rows):
        labels[place, list(numbers)] = 1
    is_large = labels.sum(axis=0) >= max(1, min_texts)
    if is_large.sum() < 2:
        raise ValueError(
            f"{where}: expected at least two classes with {min_texts} texts or more, got {is_large.sum()} of "
            f"{len(classes)} classes"
        )
    dropped = ", ".join(name for name, keep in zip(classes, is_large, strict=True) if not keep) or "none"
    places = np.flatnonzero(labels[:, is_large].any(axis=1))
    groups = np.array([rows[place][1] for place in places])
    if missing := [name for number, name in enumerate(names) if number not in groups]:
        raise ValueError(f"{where}: no text of the group {missing[0]}; expected texts of each of {', '.join(names)}")
    logging.info(
        "%d of %d texts kept; classes dropped for fewer than %d texts: %s", len(places), len(rows), min_texts, dropped
    )
    return Texts(
        attribute, names, [name for name, keep in zip(classes, is_large, strict=True) if keep],
        [rows[place][2] for place in places], [rows[place][3] for place in places], groups,
        labels[np.ix_(places, is_large)],
    )  # fmt: skip


def find_groups(
    defining: Mapping[str, Mapping[str, list[str]]], attribute: str, names: list[str] | None = None
) -> Mapping[str, list[str]]:
    """Return the words of an attribute's groups; ValueError if it has none, or if its groups differ from `names`."""
    registry.check_names("defining sets: attribute", [attribute], defining)
    groups = defining[attribute]
    if names is not None and list(groups) != names:
        names_found = ", ".join(groups) or "none"
        raise ValueError(
            f"defining sets: {attribute}: expected the groups {', '.join(names)} in this order, got {names_found}"
        )
    return groups
