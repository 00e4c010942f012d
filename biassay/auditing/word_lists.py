"""The words of a test that a source has: words used, words missing, and how the lists overlap."""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from biassay.auditing.questions import SIDES, Question
from biassay.auditing.source_vectors import SourceVectors

MIN_WORDS = 4  # of each list, for a test that the user did not name
MIN_SHARE = 0.5  # of each list, likewise


@dataclass(frozen=True)
class UsedWords:
    """Spellings of a test's words that a source has, by list.

    missing: by side and list, words without a vector or, in paired groups, without a partner.
    """

    question: Question
    groups: dict[str, list[str]]
    targets: dict[str, list[str]]
    missing: dict[tuple[str, str], list[str]]

    def lists(self, side: str) -> dict[str, list[str]]:
        """Return the lists of a side."""
        return self.groups if side == "groups" else self.targets

    @property
    def has_enough_words(self) -> bool:
        """Whether each list has enough words to run the test by default."""
        return all(
            len(words) >= max(MIN_WORDS, MIN_SHARE * len(getattr(self.question, side)[name]))
            for side in SIDES
            for name, words in self.lists(side).items()
        )

    @property
    def min_words(self) -> int:
        """Number of words of the shortest list."""
        return min(len(words) for side in SIDES for words in self.lists(side).values())

    def median_ranks(self, source: SourceVectors) -> dict[tuple[str, str], float]:
        """Return the median frequency rank of each list's words; nothing if the source has no ranks."""
        if source.ranks is None:
            return {}
        return {
            (side, name): float(np.median([source.ranks[word] for word in words]))
            for side in SIDES
            for name, words in self.lists(side).items()
            if words
        }

    def overlaps(self) -> list[tuple[str, str, list[str]]]:
        """Return pairs of lists that share words, with these words."""
        named = [(name, set(words)) for side in SIDES for name, words in self.lists(side).items()]
        pairs = [(a, b, sorted(x & y)) for i, (a, x) in enumerate(named) for b, y in named[i + 1 :]]
        return [pair for pair in pairs if pair[2]]

    def table(self, source: SourceVectors) -> pd.DataFrame:
        """Return one row per list: number of words, used and missing words, and the median rank."""
        ranks, rows = self.median_ranks(source), []
        for side in SIDES:
            for name, words in self.lists(side).items():
                missing = self.missing[side, name]
                rows.append(
                    {"source": source.name, "test": self.question.name, "side": side, "list": name,
                     "n_words": len(getattr(self.question, side)[name]), "n_used": len(words),
                     "n_missing": len(missing), "median_rank": ranks.get((side, name), np.nan),
                     "missing_words": " ".join(missing)}
                )  # fmt: skip
        return pd.DataFrame(rows)


def find_words(question: Question, source: SourceVectors) -> UsedWords:
    """Find the words of a test that a source has; a word of paired groups is dropped if its partner is missing."""
    used, missing = {}, {}
    for side in SIDES:
        lists = getattr(question, side)
        spellings = {name: [source.find_spelling(word) for word in words] for name, words in lists.items()}
        if side == "groups" and question.paired:
            is_whole = [None not in pair for pair in zip(*spellings.values(), strict=True)]
            spellings = {
                name: [word if whole else None for word, whole in zip(words, is_whole, strict=True)]
                for name, words in spellings.items()
            }
        used[side] = {name: list(dict.fromkeys(word for word in words if word)) for name, words in spellings.items()}
        for name, words in lists.items():
            missing[side, name] = [word for word, spelling in zip(words, spellings[name], strict=True) if not spelling]
    return UsedWords(question, used["groups"], used["targets"], missing)
