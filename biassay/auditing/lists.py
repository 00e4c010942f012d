"""The words of a question that a source has: used and missing ones, and what is odd about the lists."""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from biassay.auditing.material import Material
from biassay.auditing.questions import SIDES, Question

ENOUGH = 4  # words of a list, for a test that nobody asked for by name
SHARE = 0.5  # of each list, likewise


@dataclass(frozen=True)
class Used:
    """Spellings of the words of a question that a source has, by list; missing: those that it has not, or whose partner
    is missing."""

    question: Question
    groups: dict[str, list[str]]
    targets: dict[str, list[str]]
    missing: dict[tuple[str, str], list[str]]

    def lists(self, side: str) -> dict[str, list[str]]:
        """The lists of a side."""
        return self.groups if side == "groups" else self.targets

    @property
    def enough(self) -> bool:
        """Whether there are so many words of each list that the question is worth asking unasked."""
        return all(
            len(words) >= max(ENOUGH, SHARE * len(getattr(self.question, side)[name]))
            for side in SIDES
            for name, words in self.lists(side).items()
        )

    @property
    def least(self) -> int:
        """Words of the shortest list."""
        return min(len(words) for side in SIDES for words in self.lists(side).values())

    def median_ranks(self, material: Material) -> dict[tuple[str, str], float]:
        """The median rank of each list's words, where the source tells ranks."""
        if material.ranks is None:
            return {}
        return {
            (side, name): float(np.median([material.ranks[word] for word in words]))
            for side in SIDES
            for name, words in self.lists(side).items()
            if words
        }

    def overlaps(self) -> list[tuple[str, str, list[str]]]:
        """Two lists and the words that stand in both."""
        named = [(name, set(words)) for side in SIDES for name, words in self.lists(side).items()]
        pairs = [(a, b, sorted(x & y)) for i, (a, x) in enumerate(named) for b, y in named[i + 1 :]]
        return [pair for pair in pairs if pair[2]]

    def table(self, material: Material) -> pd.DataFrame:
        """A row a list: how many words, how many are used, which are missing, and the median rank."""
        ranks, rows = self.median_ranks(material), []
        for side in SIDES:
            for name, words in self.lists(side).items():
                lost = self.missing[side, name]
                rows.append(
                    {"source": material.name, "test": self.question.name, "side": side, "list": name,
                     "words": len(getattr(self.question, side)[name]), "used": len(words), "missing": len(lost),
                     "median_rank": ranks.get((side, name), np.nan), "missing_words": " ".join(lost)}
                )  # fmt: skip
        return pd.DataFrame(rows)


def use(question: Question, material: Material) -> Used:
    """The words of a question that a source has; of paired groups a word goes with its partner."""
    used, missing = {}, {}
    for side in SIDES:
        lists = getattr(question, side)
        spelt = {name: [material.spelling(word) for word in words] for name, words in lists.items()}
        if side == "groups" and question.paired:
            whole = [None not in pair for pair in zip(*spelt.values(), strict=True)]
            spelt = {
                name: [word if keep else None for word, keep in zip(words, whole, strict=True)]
                for name, words in spelt.items()
            }
        used[side] = {name: list(dict.fromkeys(word for word in words if word)) for name, words in spelt.items()}
        for name, words in lists.items():
            missing[side, name] = [word for word, known in zip(words, spelt[name], strict=True) if not known]
    return Used(question, used["groups"], used["targets"], missing)
