"""Labelled texts about people of several groups, on which classifiers are trained and evaluated.

Texts about people stay in this store. Logs, tables and messages contain only counts, row numbers, and names of classes
and groups.
"""

import json
import logging
from collections.abc import Mapping
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
        with guard.reading(folder, "folder of texts"):
            about = json.loads((Path(folder) / ABOUT).read_text("utf-8"))
            table = pd.read_parquet(Path(folder) / TEXTS)
        labels = table[[f"class_{number}" for number in range(len(about["classes"]))]].to_numpy(np.uint8)
        texts = table["raw"].tolist(), table["scrubbed"].tolist()
        return cls(about["attribute"], about["groups"], about["classes"], *texts, table["group"].to_numpy(), labels)

    def count_texts(self) -> np.ndarray:
        """Return the number of texts of each group and class (groups, classes)."""
        return np.eye(len(self.names), dtype=np.int64)[self.groups].T @ self.labels.astype(np.int64)

    def make_datasheet(self) -> pd.DataFrame:
        """Return counts and lengths of the texts: first one row for all texts (empty class), then one per class."""
        counts = np.column_stack([np.bincount(self.groups, minlength=len(self.names)), self.count_texts()])
        n_words = pd.Series([len(text.split()) for text in self.scrubbed])
        is_member = [np.ones(len(self), bool), *(self.labels.T == 1)]
        n_texts = [int(chosen.sum()) for chosen in is_member]
        return pd.DataFrame({
            "class": ["", *self.classes], "n_texts": n_texts,
            **{f"n_texts_{name}": row for name, row in zip(self.names, counts, strict=True)},
            f"share_{self.names[0]}": counts[0] / np.maximum(1, n_texts),
            "median_words": [n_words[chosen].median() for chosen in is_member],
            "too_small": (counts < MIN_TEXTS).any(axis=0),
        })  # fmt: skip


def make_texts(
    where: str, attribute: str, names: list[str], classes: list[str], rows: pd.DataFrame, min_texts: int
) -> Texts:
    """Make texts from rows with the columns classes (a list), group (a number), raw and scrubbed.

    Classes of fewer than `min_texts` texts are dropped, and texts of such classes only. Raises ValueError, whose
    message begins with `where`, if fewer than two classes remain.
    """
    number_of = {name: number for number, name in enumerate(classes)}
    labels = np.zeros((len(rows), len(classes)), np.uint8)
    for place, of_text in enumerate(rows["classes"]):
        labels[place, [number_of[name] for name in of_text]] = 1
    is_large = labels.sum(axis=0) >= max(1, min_texts)
    if is_large.sum() < 2:
        expected = f"expected at least two classes with {min_texts} texts or more"
        raise ValueError(f"{where}: {expected}, got {is_large.sum()} of {len(classes)} classes")
    kept = rows[labels[:, is_large].any(axis=1)]
    dropped = ", ".join(np.array(classes)[~is_large]) or "none"
    message = "%d of %d texts kept; classes dropped for fewer than %d texts: %s"
    logging.info(message, len(kept), len(rows), min_texts, dropped)
    return Texts(
        attribute, names, np.array(classes)[is_large].tolist(), kept["raw"].tolist(), kept["scrubbed"].tolist(),
        kept["group"].to_numpy(), labels[labels[:, is_large].any(axis=1)][:, is_large],
    )  # fmt: skip


def find_groups(
    defining: Mapping[str, Mapping[str, list[str]]], attribute: str, names: list[str] | None = None
) -> Mapping[str, list[str]]:
    """Return the words of an attribute's groups; ValueError if it has none, or if its groups differ from `names`."""
    registry.check_names("defining sets: attribute", [attribute], defining)
    groups = defining[attribute]
    if names is not None and list(groups) != names:
        expected = f"expected the groups {', '.join(names)} in this order"
        raise ValueError(f"defining sets: {attribute}: {expected}, got {', '.join(groups) or 'none'}")
    return groups
