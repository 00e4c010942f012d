"""A pair of reference models, one biased and one unbiased, with the words of the lists that are in both."""

import json
import logging
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

import numpy as np
import pandas as pd

from biassay.core import guard
from biassay.studies.silhouette.values import TYPES
from biassay.vectors import lookup
from biassay.words.target_lists import Lists

MODELS = ("biased", "unbiased")


@dataclass(frozen=True)
class Reference:
    """Words and vectors of a pair of models."""

    words: list[str]  # in both models
    vectors: dict[str, np.ndarray]  # by model, (number of words, d), float32
    lists: dict[str, dict[str, dict[str, list[str]]]]  # {bias: {"groups": {name: words}, "targets": …}}
    paired: list[str]  # biases whose groups' i-th words belong together

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
        """Read the files that `save` writes."""
        with guard.reading(path := Path(folder) / "words.json", "file of words"):
            content = json.loads(path.read_text("utf-8"))
        with guard.reading(path := Path(folder) / "vectors.npz", "file of vectors"), np.load(path) as arrays:
            return cls(vectors={model: arrays[model] for model in MODELS}, **content)


def collect_words(lists: dict[str, Lists], sources: dict[str, str]) -> tuple[Reference, pd.DataFrame]:
    """Look up the words of lists, by bias, in both models, by path, and keep those that are in both.

    A word is looked up as written, then in lower case. Only the first of several words with the same spelling in the
    models is kept. A paired word is dropped with its partner. A word in both groups, or in both lists of targets,
    counts for both, as in the paper's lists, with a warning. ValueError for a word in a group and a list of targets.

    Returns
    -------
    reference : Reference
    missing : DataFrame
        One row per list: the words in each model, and the words that are not used.
    """
    all_words = list(dict.fromkeys(
        word for part in lists.values() for by_name in (part.groups, part.targets) for words in by_name.values()
        for word in words
    ))  # fmt: skip
    wanted = list(dict.fromkeys([*all_words, *map(str.lower, all_words)]))
    known = {model: lookup.find_vectors(lookup.open_embedding(path) or path, wanted) for model, path in sources.items()}
    spellings = pd.DataFrame(
        {model: [next((form for form in (word, word.lower()) if form in vectors), None) for word in all_words]
         for model, vectors in known.items()}, index=all_words, dtype=object,
    )  # fmt: skip
    used = {bias: _select_words(bias, bias_lists, spellings) for bias, bias_lists in lists.items()}
    for bias, by_type in used.items():
        _check_shared_words(bias, by_type, spellings)
    words = list(dict.fromkeys(
        word for by_type in used.values() for by_name in by_type.values() for part in by_name.values() for word in part
    ))  # fmt: skip
    vectors = {
        model: np.stack([model_vectors[spellings.loc[word, model]] for word in words]).astype(np.float32)
        for model, model_vectors in known.items()
    }
    paired = [bias for bias, bias_lists in lists.items() if bias_lists.paired]
    rows = [
        {"bias": bias, "list": list_type, "group": name, "n_words": len(part),
         **{f"n_in_{model}": int(spellings.loc[part, model].notna().sum()) for model in sources},
         "n_used": len(used[bias][list_type][name]),
         "unused_words": " ".join(word for word in part if word not in set(used[bias][list_type][name]))}
        for bias, bias_lists in lists.items() for list_type in TYPES
        for name, part in getattr(bias_lists, list_type).items()
    ]  # fmt: skip
    return Reference(words, vectors, used, paired), pd.DataFrame(rows)


def _select_words(bias: str, lists: Lists, spellings: pd.DataFrame) -> dict[str, dict[str, list[str]]]:
    """Select the words of each list that are in both models, from their spellings in each."""

    def select_common(words: list[str]) -> list[str]:
        part = spellings.loc[words].dropna()
        return part.index[~part.duplicated()].tolist()

    used = {
        list_type: {name: select_common(words) for name, words in getattr(lists, list_type).items()}
        for list_type in TYPES
    }
    if lists.paired:
        known = used["groups"].values()
        pairs = [pair for pair in zip(*lists.groups.values(), strict=True) if all(map(list.__contains__, known, pair))]
        used["groups"] = {name: [pair[i] for pair in pairs] for i, name in enumerate(lists.groups)}
    for list_type, by_name in used.items():
        for name, words in by_name.items():
            if not words:
                size = len(getattr(lists, list_type)[name])
                raise ValueError(f"{bias}: {name}: none of the {size} words is in both models")
    return used


def _check_shared_words(bias: str, by_type: dict[str, dict[str, list[str]]], spellings: pd.DataFrame) -> None:
    """Warn of words, as spelled in the models, in both lists of a type; raise ValueError for those in both types."""
    lists = [
        (list_type, name, dict(zip(map(tuple, spellings.loc[words].to_numpy()), words, strict=True)))
        for list_type, by_name in by_type.items() for name, words in by_name.items()
    ]  # fmt: skip
    for (type_1, name_1, words_1), (type_2, name_2, words_2) in combinations(lists, 2):
        shared = ", ".join(words_1[spelling] for spelling in words_1 if spelling in words_2)
        if shared and type_1 != type_2:
            raise ValueError(f"{bias}: {shared}: in {type_1}: {name_1} and in {type_2}: {name_2}; expected in one list")
        if shared:
            logging.warning("%s: %s: in both lists %s and %s of %s", bias, shared, name_1, name_2, type_1)
