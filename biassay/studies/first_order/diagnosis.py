"""Where a bias value comes from, how it stands among all words, and what hard debiasing leaves of it (first-order
paper, §6.2–7): on one embedding with context vectors and two groups, such as female and male.
"""

from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

from biassay.metrics import first_order as co_occurrence
from biassay.metrics import second_order_cosine as similarity
from biassay.numerics.geometry import unit
from biassay.studies.first_order import scores
from biassay.vectors import explicit_vectors
from biassay.vectors.debias import hard_debias
from biassay.vectors.embedding import Embedding
from biassay.words import resources

UNBIASED, UNDEFINED = "unbiased", "undefined"


def subject(folder: str | Path, word_list: str | Path) -> tuple[Embedding, dict[str, list[str]]]:
    """The embedding to diagnose, and the words of a list's two groups that it has.

    Raises ValueError if the embedding has no context vectors, or the list not two groups.
    """
    embedding, groups = Embedding.open(folder), resources.read_groups(word_list)
    if embedding.contexts is None or embedding.link is None or embedding.norms is None:
        raise ValueError(
            f"{folder}: has no context vectors; first_order.diagnosed_embedding needs an embedding that has them"
        )
    if len(groups) != 2:
        raise ValueError(f"{word_list}: has {len(groups)} groups ({', '.join(groups)}); the diagnosis compares two")
    return embedding, scores.present(groups, embedding, str(word_list))


def definitional(word_lists: Collection[str | Path]) -> set[str]:
    """All words of all lists."""
    return {word for path in word_lists for words in resources.read_groups(path).values() for word in words}


def occupations(path: str | Path, embedding: Embedding, word_lists: Collection[str | Path]) -> pd.DataFrame:
    """Occupations that the embedding has: word, mark, neutral (not marked, and in no list of definitional words)."""
    table = resources.read_occupations(path)[["word", "mark"]]
    table = table[table["word"].isin(embedding.index)].reset_index(drop=True)
    table["neutral"] = (table["mark"] == "n") & ~table["word"].isin(definitional(word_lists))
    if not table["neutral"].any():
        raise ValueError(f"{path}: no gender-neutral occupation is in the vocabulary of {len(embedding.words):,} words")
    return table


def effects(embedding: Embedding, words: list[str], groups: dict[str, list[str]]) -> np.ndarray:
    """Each context word's part in the second-order bias of words, e_BIAS of eq 8: (n, |W|).

    e_BIAS = e_f/‖e_f‖ ⊙ e_o/‖e_o‖ − e_m/‖e_m‖ ⊙ e_o/‖e_o‖, with e_f = σ(v_f Uᵀ) the explicit form of a group's mean
    vector. Positive towards the first group; a row sums to cos(e_f, e_o) − cos(e_m, e_o). NaN where e_o is zero.
    """
    means = [embedding.rows(of_group).mean(axis=0, keepdims=True) for of_group in groups.values()]
    first, second = (unit(explicit_vectors.explicit_values(embedding, mean)) for mean in means)
    return unit(explicit_vectors.explicit_values(embedding, embedding.rows(words))) * (first - second)


def factors(
    embedding: Embedding, vectors: np.ndarray, norms: np.ndarray, groups: dict[str, list[str]], rows: int = 8192
) -> dict[str, np.ndarray]:
    """Factors of the groups in vectors (n, d) with explicit lengths (n,), by method: (n, number of groups) each.

    Λ1 (eq 7) on explicit values and the cosine (eq 3–4) on the vectors. So many rows at a time, and of explicit values
    only those with definitional words, so that memory does not grow with |W|².
    """
    of_concepts = [embedding.rows(words) for words in groups.values()]
    found = {name: np.empty((len(vectors), len(groups))) for name in ("first_order", "second_order_cosine")}
    for start in range(0, len(vectors), rows):
        chunk = slice(start, start + rows)
        part, lengths = np.asarray(vectors[chunk]), np.asarray(norms[chunk], np.float64)
        for column, words in enumerate(groups.values()):
            values = explicit_vectors.explicit_values(embedding, part, words)
            found["first_order"][chunk, column] = co_occurrence.factor(lengths, values)
            found["second_order_cosine"][chunk, column] = similarity.factor(part, of_concepts[column])
    return found


def lengths(embedding: Embedding, vectors: np.ndarray, rows: int = 64) -> np.ndarray:
    """Explicit lengths ‖e_w‖ of vectors (n, d) that the embedding does not hold: (n,)."""
    parts = np.array_split(vectors, max(1, -(-len(vectors) // rows)))
    return np.concatenate([np.linalg.norm(explicit_vectors.explicit_values(embedding, part), axis=1) for part in parts])


@dataclass(frozen=True)
class Scale:
    """How the factors of one method are made comparable with another's: min–max over both groups and all words.

    low, high: extremes of the factors. band: mean |bias| over all words, after normalisation; a word within it is taken
    as unbiased, since few words are biased and any word drawn at random is probably not (first-order paper, §6.3).
    """

    low: float
    high: float
    band: float

    @classmethod
    def of(cls, values: np.ndarray) -> "Scale":
        """Scale from the factors (|W|, 2) of all words; undefined ones, NaN, do not count."""
        low, high = np.nanmin(values), np.nanmax(values)
        if not high > low:
            raise ValueError(f"the factors of all {len(values):,} words are {low:g}; there is nothing to normalise")
        return cls(float(low), float(high), float(np.nanmean(np.abs(values[:, 0] - values[:, 1])) / (high - low)))

    def normalise(self, values: np.ndarray) -> np.ndarray:
        """Factors on this scale: 0 to 1 for those that it was made from."""
        return (values - self.low) / (self.high - self.low)

    def sides(self, bias: np.ndarray, groups: list[str]) -> np.ndarray:
        """The group that each normalised bias (n,) leans to, "unbiased" within the band, "undefined" if it is NaN."""
        leaning = np.where(bias > 0, groups[0], groups[1])
        leaning = np.where(np.abs(bias) <= self.band, UNBIASED, leaning)
        return np.where(np.isnan(bias), UNDEFINED, leaning)


def debiased(
    embedding: Embedding, words: list[str], pairs: dict[str, list[str]], specific: Collection[str]
) -> np.ndarray:
    """Vectors of words (n, d) after hard debiasing along the first principal component of pairs, with their lengths.

    Vectors are normalised, neutralised and given their lengths back (first-order paper, §7, footnote 2); `specific`
    words stay. Pairs are not equalised: that would change definitional words only, and Λ1 reads their contexts, which
    no debiasing changes. Word i of one group is the counterpart of word i of the other;
    a pair counts if both are known.
    """
    known = [pair for pair in zip(*pairs.values(), strict=False) if all(word in embedding.index for word in pair)]
    if not known:
        raise ValueError(f"no pair of {' and '.join(pairs)} words is in the vocabulary; debiasing needs one at least")
    sets = [embedding.rows(list(group)) for group in zip(*known, strict=True)]
    keep = [row for row, word in enumerate(words) if word in specific]
    return hard_debias(embedding.rows(words), sets, lengths="original", keep=keep).astype(np.float32)
