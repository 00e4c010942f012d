"""Labelled texts of people of several groups, stored for the models: what a classifier is trained and judged on.

Texts of persons stay in this store. Logs, tables and messages have counts, names of classes and groups, and numbers of
rows only.
"""

import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

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
        about, table = json.loads((Path(folder) / ABOUT).read_text("utf-8")), pd.read_parquet(Path(folder) / TEXTS)
        labels = table[[f"class_{number}" for number in range(len(about["classes"]))]].to_numpy(np.uint8)
        return cls(
            about["attribute"], about["groups"], about["classes"], table["raw"].tolist(), table["scrubbed"].tolist(),
            table["group"].to_numpy(), labels,
        )  # fmt: skip

    def counts(self) -> np.ndarray:
        """Texts of each group and class: (groups, classes)."""
        members = np.eye(len(self.names), dtype=np.int64)[self.groups]
        return members.T @ self.labels.astype(np.int64)

    def datasheet(self) -> pd.DataFrame:
        """Counts and known skews, a row a class and one for all texts: class, texts, a column a group, share of the
        first group, median words of the scrubbed texts, too_small (a group has fewer than FEWEST texts of it)."""
        words = np.array([len(text.split()) for text in self.scrubbed])
        rows = [("", np.ones(len(self), bool))]
        rows += [(name, self.labels[:, number] == 1) for number, name in enumerate(self.classes)]
        found = []
        for name, chosen in rows:
            of_groups = np.bincount(self.groups[chosen], minlength=len(self.names))
            row = {"class": name, "texts": int(chosen.sum()), **dict(zip(self.names, of_groups.tolist(), strict=True))}
            row |= {f"share_{self.names[0]}": of_groups[0] / max(1, chosen.sum())}
            row |= {"median_words": float(np.median(words[chosen])) if chosen.any() else np.nan}
            found.append(row | {"too_small": bool((of_groups < FEWEST).any())})
        return pd.DataFrame(found)
