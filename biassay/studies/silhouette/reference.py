"""A pair of reference models, one biased and one unbiased, with the words of the lists that are in both."""

import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

from biassay.core import guard
from biassay.vectors import lookup
from biassay.words.target_lists import Lists

MODELS = ("biased", "unbiased")
TYPES = ("groups", "targets")


@dataclass(frozen=True)
class Reference:
    """Words and vectors of a pair of models.

    Attributes
    ----------
    words : list of str
        The words that are in both models.
    vectors : dict of ndarray of shape (number of words, d)
        By model, float32.
    lists : dict
        The words of the groups and targets of each bias: {bias: {"groups": {name: words}, "targets": …}}.
    paired : list of str
        The biases whose groups' i-th words belong together.
    """

    words: list[str]
    vectors: dict[str, np.ndarray]
    lists: dict[str, dict[str, dict[str, list[str]]]]
    paired: list[str]

    def select_vectors(self, model: str, bias: str, list_type: str) -> list[np.ndarray]:
        """Select the vectors (m_i, d) of a bias's two lists; `list_type` is "groups" or "targets"."""
        index = {word: row for row, word in enumerate(self.words)}
        return [self.vectors[model][[index[word] for word in words]] for words in self.lists[bias][list_type].values()]

    def save(self, folder: str | Path) -> None:
        """Write words.json and vectors.npz."""
        folder = Path(folder)
        folder.mkdir(parents=True, exist_ok=True)
        content = {"words": self.words, "lists": self.lists, "paired": self.paired}
        (folder / "words.json").write_text(json.dumps(content, indent=1), "utf-8")
        np.savez(folder / "vectors.npz", **self.vectors)

    @classmethod
    def open(cls, folder: str | Path) -> "Reference":
        """Read the files that `save` writes.

        Raises
        ------
        ValueError
            If a file is damaged or the files do not fit together.
        """
        with guard.reading(path := Path(folder) / "words.json", "file of words"):
            content = json.loads(path.read_text("utf-8"))
            words, lists, paired = (content[name] for name in ("words", "lists", "paired"))
            used_words = {
                word for by_type in lists.values() for kind in TYPES for part in by_type[kind].values() for word in part
            }
            if missing_words := used_words - set(words):
                raise ValueError(f"words: expected {min(missing_words)!r}, which the lists contain")
        with guard.reading(path := Path(folder) / "vectors.npz", "file of vectors"), np.load(path) as arrays:
            vectors = {model: arrays[model] for model in MODELS}
            for model, rows in vectors.items():
                if rows.ndim != 2 or len(rows) != len(words) or not np.isfinite(rows).all():
                    raise ValueError(f"{model}: expected finite vectors of {len(words)} words")
        return cls(words, vectors, lists, paired)


def collect_words(lists: dict[str, Lists], sources: dict[str, str]) -> tuple[Reference, pd.DataFrame]:
    """Look up the words of lists in both models, and keep those that are in both.

    A word is looked up as written, then in lower case. Only the first of several words with the same spelling in the
    models is kept. A paired word is dropped with its partner.

    Parameters
    ----------
    lists : dict of Lists
        By bias.
    sources : dict of str
        The path of each model.

    Returns
    -------
    reference : Reference
    missing : DataFrame
        One row per list: the words in each model, and the words that are not used.

    Raises
    ------
    ValueError
        If no word of a list is in both models.
    """
    all_words = list(dict.fromkeys(word for bias_lists in lists.values() for _, _, word in _entries(bias_lists)))
    spellings = list(dict.fromkeys([*all_words, *map(str.lower, all_words)]))
    vectors_by_spelling = {
        model: lookup.find_vectors(lookup.open_embedding(path) or path, spellings) for model, path in sources.items()
    }
    spellings_by_model = {
        model: {word: _find_spelling(word, known) for word in all_words} for model, known in vectors_by_spelling.items()
    }
    used = {bias: _select_words(bias, bias_lists, spellings_by_model) for bias, bias_lists in lists.items()}
    words = list(
        dict.fromkeys(
            word for bias in used for by_name in used[bias].values() for part in by_name.values() for word in part
        )
    )
    vectors = {
        model: np.stack([known[spellings_by_model[model][word]] for word in words]).astype(np.float32)
        for model, known in vectors_by_spelling.items()
    }
    rows = [
        row
        for bias, bias_lists in lists.items()
        for row in _tabulate_words(bias, bias_lists, used[bias], spellings_by_model)
    ]
    paired = [bias for bias, bias_lists in lists.items() if bias_lists.paired]
    return Reference(words, vectors, used, paired), pd.DataFrame(rows)


def _entries(lists: Lists) -> list[tuple[str, str, str]]:
    """List all words, with the type and the name of their list."""
    types = (("groups", lists.groups), ("targets", lists.targets))
    return [(kind, name, word) for kind, by_name in types for name, words in by_name.items() for word in words]


def _find_spelling(word: str, known: dict) -> str | None:
    return next((spelling for spelling in (word, word.lower()) if spelling in known), None)


def _select_words(bias: str, lists: Lists, spellings_by_model: dict[str, dict]) -> dict[str, dict[str, list[str]]]:
    """Select the words of each list that are in both models."""

    def select_common(words):
        words_by_spellings = {}
        for word in words:
            spellings = tuple(spelling_of[word] for spelling_of in spellings_by_model.values())
            if None not in spellings:
                words_by_spellings.setdefault(spellings, word)
        return list(words_by_spellings.values())

    groups, targets = (
        {name: select_common(words) for name, words in part.items()} for part in (lists.groups, lists.targets)
    )
    if lists.paired:
        pairs = [
            pair for pair in zip(*lists.groups.values(), strict=True)
            if all(word in words for word, words in zip(pair, groups.values(), strict=True))
        ]  # fmt: skip
        groups = {name: [pair[i] for pair in pairs] for i, name in enumerate(groups)}
    for name, words in (groups | targets).items():
        if not words:
            size = len((lists.groups | lists.targets)[name])
            raise ValueError(f"{bias}: {name}: none of the {size} words is in both models")
    return {"groups": groups, "targets": targets}


def _tabulate_words(bias: str, lists: Lists, used: dict, spellings_by_model: dict[str, dict]) -> list[dict]:
    """Count the words of each list in each model, and name those that are not used."""
    rows = []
    for list_type, by_name in (("groups", lists.groups), ("targets", lists.targets)):
        for name, words in by_name.items():
            used_words = used[list_type][name]
            counts = {
                f"n_in_{model}": sum(spelling_of[word] is not None for word in words)
                for model, spelling_of in spellings_by_model.items()
            }
            unused_words = " ".join(word for word in words if word not in set(used_words))
            rows.append(
                {"bias": bias, "list": list_type, "group": name, "n_words": len(words), **counts,
                 "n_used": len(used_words), "unused_words": unused_words}
            )  # fmt: skip
    return rows
