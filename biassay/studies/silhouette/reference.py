"""A pair of reference models, one biased and one not, with the words of lists that both have."""

import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

from biassay.support import guard
from biassay.vectors import lookup
from biassay.words.target_lists import Lists

MODELS = ("biased", "unbiased")
TYPES = ("groups", "targets")


@dataclass(frozen=True)
class Reference:
    """words: those that both models have. vectors: by model, (number of words, d) float32. lists: for each bias the
    words of groups and of targets, {bias: {"groups": {name: words}, "targets": …}}. paired: the biases whose groups'
    i-th words belong together."""

    words: list[str]
    vectors: dict[str, np.ndarray]
    lists: dict[str, dict[str, dict[str, list[str]]]]
    paired: list[str]

    def arrays(self, model: str, bias: str, which: str) -> list[np.ndarray]:
        """Vectors (m_i, d) of the two lists of a bias, `which` is "groups" or "targets"."""
        row = {word: number for number, word in enumerate(self.words)}
        return [self.vectors[model][[row[word] for word in words]] for words in self.lists[bias][which].values()]

    def save(self, folder: str | Path) -> None:
        """Write words.json and vectors.npz."""
        folder = Path(folder)
        folder.mkdir(parents=True, exist_ok=True)
        content = {"words": self.words, "lists": self.lists, "paired": self.paired}
        (folder / "words.json").write_text(json.dumps(content, indent=1), "utf-8")
        np.savez(folder / "vectors.npz", **self.vectors)

    @classmethod
    def open(cls, folder: str | Path) -> "Reference":
        """Read what `save` wrote."""
        with guard.reading(path := Path(folder) / "words.json", "file of words"):
            content = json.loads(path.read_text("utf-8"))
            words, lists, paired = (content[name] for name in ("words", "lists", "paired"))
            used = {word for of in lists.values() for which in TYPES for part in of[which].values() for word in part}
            if lacking := used - set(words):
                raise ValueError(f"the lists have {min(lacking)!r}, which is not among its words")
        with guard.reading(path := Path(folder) / "vectors.npz", "file of vectors"), np.load(path) as arrays:
            vectors = {model: arrays[model] for model in MODELS}
            for model, of in vectors.items():
                if of.ndim != 2 or len(of) != len(words) or not np.isfinite(of).all():
                    raise ValueError(f"{model}: expected finite vectors of {len(words)} words")
        return cls(words, vectors, lists, paired)


def collect(lists: dict[str, Lists], sources: dict[str, str]) -> tuple[Reference, pd.DataFrame]:
    """Look words up in both models, given by path, and keep those that both have; what was missing as a table.

    A word is looked up as it is written, else in lower case; of words that are then the same, the first is kept. Of
    paired groups, a word goes with its partner. Raises ValueError if nothing is left of a list.
    """
    wanted = list(dict.fromkeys(word for of_bias in lists.values() for _, _, word in _entries(of_bias)))
    spellings = list(dict.fromkeys([*wanted, *map(str.lower, wanted)]))
    found = {
        model: lookup.find_vectors(lookup.open_embedding(path) or path, spellings) for model, path in sources.items()
    }
    spelt = {model: {word: _spelling(word, found[model]) for word in wanted} for model in found}
    used = {bias: _used(bias, of_bias, spelt) for bias, of_bias in lists.items()}
    words = list(
        dict.fromkeys(word for bias in used for which in used[bias].values() for w in which.values() for word in w)
    )
    vectors = {
        model: np.stack([found[model][spelt[model][word]] for word in words]).astype(np.float32) for model in found
    }
    rows = [row for bias, of_bias in lists.items() for row in _missing(bias, of_bias, used[bias], spelt)]
    paired = [bias for bias, of_bias in lists.items() if of_bias.paired]
    return Reference(words, vectors, used, paired), pd.DataFrame(rows)


def _entries(lists: Lists) -> list[tuple[str, str, str]]:
    """All words, with the kind and name of their list."""
    kinds = (("groups", lists.groups), ("targets", lists.targets))
    return [(which, name, word) for which, by_name in kinds for name, words in by_name.items() for word in words]


def _spelling(word: str, found: dict) -> str | None:
    return next((spelling for spelling in (word, word.lower()) if spelling in found), None)


def _used(bias: str, lists: Lists, spelt: dict[str, dict]) -> dict[str, dict[str, list[str]]]:
    """Words of each list that both models have."""

    def known(words):
        seen, kept = set(), []
        for word in words:
            spellings = tuple(of_model[word] for of_model in spelt.values())
            if None not in spellings and spellings not in seen:
                seen.add(spellings)
                kept.append(word)
        return kept

    groups, targets = ({name: known(words) for name, words in part.items()} for part in (lists.groups, lists.targets))
    if lists.paired:
        pairs = zip(*lists.groups.values(), strict=True)
        whole = [pair for pair in pairs if all(word in kept for word, kept in zip(pair, groups.values(), strict=True))]
        groups = {name: [pair[i] for pair in whole] for i, name in enumerate(groups)}
    for name, words in (groups | targets).items():
        if not words:
            size = len((lists.groups | lists.targets)[name])
            raise ValueError(f"{bias}: none of the {size} words of {name!r} is in both models")
    return {"groups": groups, "targets": targets}


def _missing(bias: str, lists: Lists, used: dict, spelt: dict[str, dict]) -> list[dict]:
    """A row a list: how many words each model has, how many are used, which are not."""
    rows = []
    for which, by_name in (("groups", lists.groups), ("targets", lists.targets)):
        for name, words in by_name.items():
            kept = used[which][name]
            counts = {f"n_in_{model}": sum(of_model[w] is not None for w in words) for model, of_model in spelt.items()}
            left_out = " ".join(word for word in words if word not in set(kept))
            rows.append(
                {"bias": bias, "list": which, "group": name, "n_words": len(words), **counts, "n_used": len(kept),
                 "unused_words": left_out}
            )  # fmt: skip
    return rows
