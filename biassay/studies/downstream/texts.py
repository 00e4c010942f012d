"""Labelled texts of people of several groups, stored for the models: what a classifier is trained and judged on.

Texts of persons stay in this store. Logs, tables and messages have counts, names of classes and groups, and numbers of
rows only.
"""

import json
import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

from biassay.support import guard, registry
from biassay.words import files

TEXTS, ABOUT = "texts.parquet", "about.json"
FEWEST = 30  # texts of a class in a group, below which a gap of the class is marked too small
VERSIONS = ("scrubbed", "raw")


@dataclass(frozen=True)
class Texts:
    """n texts, raw and without what names their group, with classes (several of them, or none) and one group each.

    attribute: a key of the defining sets, whose groups are `names`, in their order; groups: (n,) numbers of them.
    labels: (n, classes) of 0 and 1.
    """

    attribute: str
    names: list[str]
    classes: list[str]
    raw: list[str]
    scrubbed: list[str]
    groups: np.ndarray
    labels: np.ndarray

    def __len__(self) -> int:
        return len(self.raw)

    def save(self, folder: str | Path) -> None:
        """Write texts.parquet and about.json to a folder."""
        Path(folder).mkdir(parents=True, exist_ok=True)
        table = pd.DataFrame({"raw": self.raw, "scrubbed": self.scrubbed, "group": np.asarray(self.groups, np.int16)})
        labels = {f"class_{number}": np.asarray(column, np.uint8) for number, column in enumerate(self.labels.T)}
        table.assign(**labels).to_parquet(Path(folder) / TEXTS, index=False)
        about = {"attribute": self.attribute, "groups": self.names, "classes": self.classes}
        (Path(folder) / ABOUT).write_text(json.dumps(about, indent=1) + "\n", encoding="utf-8")

    @classmethod
    def open(cls, folder: str | Path) -> "Texts":
        """Read what `save` wrote."""
        with guard.reading(path := Path(folder) / ABOUT, "description of texts"):
            about = json.loads(path.read_text("utf-8"))
            attribute, names, classes = (about[name] for name in ("attribute", "groups", "classes"))
            files.check_name(f"{path}: attribute", attribute)
        with guard.reading(path := Path(folder) / TEXTS, "table of texts"):
            table = pd.read_parquet(path)
            groups, labels = table["group"].to_numpy(), table[[f"class_{number}" for number in range(len(classes))]]
            if not (np.isin(groups, range(len(names))).all() and np.isin(labels, (0, 1)).all()):
                raise ValueError(f"expected groups 0 to {len(names) - 1}, and 0 or 1 for each class")
            said = [table[version].tolist() for version in ("raw", "scrubbed")]
        return cls(attribute, names, classes, *said, groups, labels.to_numpy(np.uint8))

    def counts(self) -> np.ndarray:
        """Texts of each group and class: (groups, classes)."""
        members = np.eye(len(self.names), dtype=np.int64)[self.groups]
        return members.T @ self.labels.astype(np.int64)

    def datasheet(self) -> pd.DataFrame:
        """Counts and known skews, a row a class and one for all texts: class, texts, a column a group, share of the
        first group, median words of the scrubbed texts, too_small (a group has fewer than FEWEST texts in it)."""
        words = np.array([len(text.split()) for text in self.scrubbed])
        rows = [("", np.ones(len(self), bool), np.bincount(self.groups, minlength=len(self.names)))]
        rows += zip(self.classes, self.labels.T == 1, self.counts().T, strict=True)
        found = []
        for name, chosen, of_groups in rows:
            row = {"class": name, "texts": int(chosen.sum()), **dict(zip(self.names, of_groups.tolist(), strict=True))}
            row |= {f"share_{self.names[0]}": of_groups[0] / max(1, chosen.sum())}
            row |= {"median_words": float(np.median(words[chosen])) if chosen.any() else np.nan}
            found.append(row | {"too_small": bool((of_groups < FEWEST).any())})
        return pd.DataFrame(found)


def gather(
    where: str,
    attribute: str,
    names: list[str],
    classes: list[str],
    found: Sequence[tuple[Sequence[int], int, str, str]],
    min_texts: int,
) -> Texts:
    """Texts of rows (numbers of classes, number of the group, raw, scrubbed), in classes of `min_texts` texts or more.

    Texts of smaller classes only are dropped too; the log has how many. Raises ValueError that begins with `where` for
    fewer than two classes, and for a group without texts.
    """
    labels = np.zeros((len(found), len(classes)), np.uint8)
    for row, (numbers, *_) in enumerate(found):
        labels[row, list(numbers)] = 1
    kept = labels.sum(axis=0) >= max(1, min_texts)
    if kept.sum() < 2:
        raise ValueError(
            f"{where}: of {len(classes)} classes {kept.sum()} have {min_texts} texts or more; two are needed"
        )
    dropped = [name for name, keep in zip(classes, kept, strict=True) if not keep]
    rows = np.flatnonzero(labels[:, kept].any(axis=1))
    groups = np.array([found[row][1] for row in rows])
    lacking = [name for number, name in enumerate(names) if number not in groups]
    if lacking:
        raise ValueError(f"{where}: no text of the group {lacking[0]}; of each of {', '.join(names)} some are needed")
    told = ", ".join(dropped) or "none"
    logging.info("%d texts of %d; classes of fewer than %d texts, dropped: %s", len(rows), len(found), min_texts, told)
    return Texts(
        attribute, names, [name for name, keep in zip(classes, kept, strict=True) if keep],
        [found[row][2] for row in rows], [found[row][3] for row in rows], groups, labels[np.ix_(rows, kept)],
    )  # fmt: skip


def groups_of(
    defining: Mapping[str, Mapping[str, list[str]]], attribute: str, names: list[str] | None = None
) -> Mapping[str, list[str]]:
    """The defining terms of an attribute's groups; raises ValueError if there are none, or its groups are not `names`,
    if these are given, in this order."""
    registry.check_names("defining sets: attribute", [attribute], defining)
    groups = defining[attribute]
    if names is not None and list(groups) != names:
        has = ", ".join(groups) or "nothing"
        raise ValueError(f"defining sets: {attribute} has {has}; these texts take {', '.join(names)}, in this order")
    return groups
