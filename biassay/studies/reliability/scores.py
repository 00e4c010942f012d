"""Scores of single words, or of sets of words by metrics that have no scores of single words."""

from collections.abc import Sequence
from types import ModuleType

import numpy as np
import pandas as pd

from biassay.measurement import evaluation
from biassay.vectors.embedding import Embedding
from biassay.vectors.explicit_vectors import explicit_values

CHUNK = 100  # words whose vectors, as wide as the vocabulary if they are explicit, are in memory at once


def find_level(module: ModuleType) -> str:
    """Return the level that is scored: that of words, if it needs no labels, else that of sets."""
    word = module.METRIC.word
    return "word" if word is not None and not word.labels else "set"


def is_signed(module: ModuleType) -> bool:
    """Whether a metric has scores of single words whose sign names one of two groups."""
    return find_level(module) == "word" and module.METRIC.range("word", 2).signed


def score_units(
    module: ModuleType, embedding: Embedding, words: Sequence[str], groups: Sequence[Sequence[str]],
    labels: np.ndarray, sets: Sequence[np.ndarray],
) -> np.ndarray:  # fmt: skip
    """Score words (n,), or sets of them (n_sets,) if the metric has no scores of single words.

    `groups` are two lists of words, `labels` (n,) the lists of targets, for metrics that compare these, and `sets`
    arrays of positions in `words`. Scores with a sign are positive towards the first group.
    """
    if module.METRIC.groups == (0, 0):
        groups = []
    is_explicit = module.METRIC.takes == "associations"
    rows = [] if is_explicit else [embedding.rows(list(group)) for group in groups]

    def score(level: str, positions: np.ndarray) -> np.ndarray | float:
        targets = [words[position] for position in positions]
        vectors, group_values = embedding.rows(targets), rows
        if is_explicit:
            group_values = [explicit_values(embedding, vectors, list(group)) for group in groups]
            vectors = np.asarray(embedding.norms[[embedding.index[word] for word in targets]], float)
        return evaluation.evaluate_level(module, level, vectors, group_values, labels[positions])

    level = find_level(module)
    if level == "word":
        chunks = np.array_split(np.arange(len(words)), -(-len(words) // CHUNK))
        scores = np.concatenate([score("word", chunk) for chunk in chunks])
    else:
        scores = np.array([score("set", positions) for positions in sets])
    return module.METRIC.towards_first(scores) if module.METRIC.range(level, 2).signed else scores


def score_by_frequency(
    module: ModuleType, embedding: Embedding, counts: pd.Series, groups: Sequence[Sequence[str]], set_size: int,
    seed: int,
) -> tuple[np.ndarray, np.ndarray]:  # fmt: skip
    """Score words, or sets of words of similar frequency; return scores and (geometric mean) counts, each (n,).

    `counts` is by word and decreases. Metrics that compare lists of targets compare random halves of a set.
    """
    sets = np.array_split(np.arange(len(counts)), max(1, len(counts) // set_size))
    random = np.random.default_rng(seed)
    labels = np.concatenate([random.permutation(np.arange(len(each)) % 2) for each in sets])
    scores = score_units(module, embedding, counts.index.tolist(), groups, labels, sets)
    if find_level(module) == "word":
        return scores, counts.to_numpy()
    return scores, np.array([np.exp(np.log(counts.iloc[each]).mean()) for each in sets])


def score_pairs(
    module: ModuleType, trainings: Sequence[Embedding], words: Sequence[str], labels: np.ndarray,
    pairs: Sequence[tuple[str, str]], set_size: int, seed: int,
) -> np.ndarray:  # fmt: skip
    """Score words, or random sets of words, with each pair of group words in each training: (trainings, pairs, units).

    Sets have equal shares of both labels, and at least one word of each. Metrics without groups have one score instead
    of one per pair.
    """
    random = np.random.default_rng(seed)
    n_sets = max(1, min(len(words) // set_size, *np.unique(labels, return_counts=True)[1]))
    orders = [random.permutation(np.flatnonzero(labels == label)) for label in np.unique(labels)]
    sets = [np.concatenate([order[number::n_sets] for order in orders]) for number in range(n_sets)]
    used = pairs[:1] if module.METRIC.groups == (0, 0) else pairs
    by_pair = [
        [score_units(module, embedding, words, [[word] for word in pair], labels, sets) for pair in used]
        for embedding in trainings
    ]
    return np.array(by_pair)


def spread_by_frequency(counts: pd.Series, n_words: int) -> pd.Series:
    """Select at most n_words of decreasing counts, as evenly spread on a logarithmic scale as the vocabulary allows."""
    logs = -np.log(counts.to_numpy())
    positions = np.searchsorted(logs, np.linspace(logs[0], logs[-1], n_words))
    return counts.iloc[np.unique(positions.clip(0, len(counts) - 1))]
