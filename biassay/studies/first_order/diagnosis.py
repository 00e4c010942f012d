"""Diagnosis of one embedding with context vectors: sources of bias, biased occupations, hard debiasing.

It follows the first-order paper, §6.2–7, and compares two groups, such as female and male.
"""

from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

from biassay.metrics import first_order as co_occurrence
from biassay.metrics import second_order_cosine as similarity
from biassay.statistics.geometry import unit
from biassay.studies.first_order import scores
from biassay.vectors import explicit_vectors
from biassay.vectors.debias import hard_debias
from biassay.vectors.embedding import Embedding
from biassay.words import resources

UNBIASED, UNDEFINED = "unbiased", "undefined"


def open_embedding(folder: str | Path, word_list: str | Path) -> tuple[Embedding, dict[str, list[str]]]:
    """Open the embedding to diagnose, and read the words of a list's two groups that are in its vocabulary."""
    embedding = Embedding.open(folder)
    if embedding.contexts is None or embedding.link is None or embedding.norms is None:
        raise ValueError(
            f"{folder}: no context vectors; first_order.diagnosed_embedding must name an embedding with them"
        )
    return embedding, scores.select_known_words(resources.read_two_groups(word_list), embedding, str(word_list))


def select_occupations(path: str | Path, embedding: Embedding, definitional_words: Collection[str]) -> pd.DataFrame:
    """Select the occupations in an embedding's vocabulary, with the columns word, mark and neutral.

    An occupation is neutral if its mark is "n" and it is no definitional word.
    """
    table = resources.read_occupations(path)[["word", "mark"]]
    table = table[table["word"].isin(embedding.index)].reset_index(drop=True)
    table["neutral"] = (table["mark"] == "n") & ~table["word"].isin(definitional_words)
    if not table["neutral"].any():
        raise ValueError(f"{path}: no gender-neutral occupation is in the vocabulary of {len(embedding.words):,} words")
    return table


def measure_effects(embedding: Embedding, words: list[str], groups: dict[str, list[str]]) -> np.ndarray:
    """Measure the effect of each context word on the second-order bias of words, e_BIAS (eq 8).

    e_BIAS = e_f/‖e_f‖ ⊙ e_o/‖e_o‖ − e_m/‖e_m‖ ⊙ e_o/‖e_o‖, where e_f = σ(v_f Uᵀ) is the explicit form of a group's mean
    vector.

    Returns
    -------
    ndarray of shape (n, |W|)
        Positive towards the first group. A row sums to cos(e_f, e_o) − cos(e_m, e_o). NaN where e_o is zero.
    """
    means = [embedding.rows(group_words).mean(axis=0, keepdims=True) for group_words in groups.values()]
    first, second = (unit(explicit_vectors.explicit_values(embedding, mean)) for mean in means)
    return unit(explicit_vectors.explicit_values(embedding, embedding.rows(words))) * (first - second)


def measure_factors(
    embedding: Embedding, vectors: np.ndarray, norms: np.ndarray, groups: dict[str, list[str]], chunk_size: int = 8192
) -> dict[str, np.ndarray]:
    """Measure the factors of the groups: Λ1 (eq 7) on explicit values and the cosine (eq 3–4) on the vectors.

    Memory does not grow with |W|²: the function works on chunks of the vectors (n, d), with their explicit lengths
    `norms` (n,), and on the columns of definitional words. Returns, by method, factors (n, number of groups).
    """
    group_vectors = [embedding.rows(words) for words in groups.values()]
    factors = {name: np.empty((len(vectors), len(groups))) for name in ("first_order", "second_order_cosine")}
    for start in range(0, len(vectors), chunk_size):
        chunk = slice(start, start + chunk_size)
        part, lengths = np.asarray(vectors[chunk]), np.asarray(norms[chunk], np.float64)
        for column, words in enumerate(groups.values()):
            values = explicit_vectors.explicit_values(embedding, part, words)
            factors["first_order"][chunk, column] = co_occurrence.factor(lengths, values)
            factors["second_order_cosine"][chunk, column] = similarity.factor(part, group_vectors[column])
    return factors


def measure_lengths(embedding: Embedding, vectors: np.ndarray, chunk_size: int = 64) -> np.ndarray:
    """Measure the explicit lengths ‖e_w‖, shape (n,), of vectors (n, d) that the embedding does not store."""
    parts = np.array_split(vectors, max(1, -(-len(vectors) // chunk_size)))
    return np.concatenate([np.linalg.norm(explicit_vectors.explicit_values(embedding, part), axis=1) for part in parts])


@dataclass(frozen=True)
class Scale:
    """Min–max normalisation of a method's factors over both groups and all words.

    Attributes
    ----------
    low, high : float
        The smallest and the largest factor.
    band : float
        The mean normalised |bias| over all words. A word within the band counts as unbiased, because few words are
        biased and a random word is probably not (first-order paper, §6.3).
    """

    low: float
    high: float
    band: float

    @classmethod
    def from_factors(cls, factors: np.ndarray) -> "Scale":
        """Compute the scale from the factors (|W|, 2) of all words; undefined factors (NaN) are ignored."""
        low, high = np.nanmin(factors), np.nanmax(factors)
        if not high > low:
            raise ValueError(f"all factors of the {len(factors):,} words are {low:g}; they cannot be normalised")
        return cls(float(low), float(high), float(np.nanmean(np.abs(factors[:, 0] - factors[:, 1])) / (high - low)))

    def normalise(self, factors: np.ndarray) -> np.ndarray:
        """Normalise factors; those that the scale was computed from lie between 0 and 1."""
        return (factors - self.low) / (self.high - self.low)

    def classify_sides(self, bias: np.ndarray, groups: list[str]) -> np.ndarray:
        """Name the side of each normalised bias (n,): a group, "unbiased" within the band, "undefined" for NaN."""
        sides = np.where(bias > 0, groups[0], groups[1])
        sides = np.where(np.abs(bias) <= self.band, UNBIASED, sides)
        return np.where(np.isnan(bias), UNDEFINED, sides)


def debias_words(
    embedding: Embedding, words: list[str], pairs: dict[str, list[str]], specific: Collection[str]
) -> np.ndarray:
    """Hard-debias words along the first principal component of pairs (first-order paper, §7, footnote 2).

    Vectors are normalised, neutralised and scaled back to their lengths. Pairs are not equalised: that would change
    definitional words only, and Λ1 reads their context vectors, which debiasing does not change. The i-th words of the
    two groups are a pair. Words in `specific` keep their vectors.
    """
    defining_sets = [embedding.rows(group) for group in pairs.values()]
    keep = [row for row, word in enumerate(words) if word in specific]
    return hard_debias(embedding.rows(words), defining_sets, lengths="original", keep_rows=keep).astype(np.float32)
