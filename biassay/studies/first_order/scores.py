"""Bias scores of occupations on one embedding (first-order paper, §3.2 and §4.2)."""

from types import ModuleType

import numpy as np
import pandas as pd

from biassay.measurement import evaluation
from biassay.measurement.metric import call
from biassay.vectors.embedding import Embedding
from biassay.vectors.explicit_vectors import explicit_values


def select_known_words(groups: dict[str, list[str]], embedding: Embedding, path: str) -> dict[str, list[str]]:
    """Select the words of each group that are in the vocabulary.

    Raises
    ------
    ValueError
        If no word of a group is in the vocabulary; the message names `path`, the word list.
    """
    known_words = {group: [word for word in words if word in embedding.index] for group, words in groups.items()}
    for group, words in known_words.items():
        if not words:
            raise ValueError(
                f"{path}: {group}: no word is in the vocabulary of {len(embedding.words):,} words "
                f"(first words of the group: {', '.join(groups[group][:5])})"
            )
    return known_words


def score_words(
    metric: ModuleType, embedding: Embedding, words: list[str], groups: dict[str, list[str]]
) -> pd.DataFrame:
    """Score words with a metric and two groups.

    Metrics of vectors score the embedding's vectors (space "vectors") and its explicit vectors (space "explicit"). In
    the explicit space, a group is the explicit form of its words' mean vector, e_z = σ(v_z Uᵀ). Metrics of associations
    score explicit values.

    Returns
    -------
    DataFrame
        The columns space, word, factor_<group> (if the metric has factors) and bias. Empty if the embedding lacks what
        the metric needs.

    Raises
    ------
    ValueError
        If the metric has no word level, or needs labels.
    """
    if metric.METRIC.word is None or metric.METRIC.word.labels:
        raise ValueError(f"first_order.metrics: expected a metric of words without labels, got {metric.__name__}")
    targets = embedding.rows(words)
    names, tables = list(groups), []
    if metric.METRIC.takes == "associations":
        if embedding.link is not None:
            norms = np.asarray(embedding.norms[[embedding.index[word] for word in words]], np.float64)
            values = [explicit_values(embedding, targets, list(group_words)) for group_words in groups.values()]
            tables.append(_table(metric, "explicit", words, norms, values, names))
    else:
        group_vectors = [embedding.rows(group_words) for group_words in groups.values()]
        if not embedding.is_sparse:
            tables.append(_table(metric, "vectors", words, targets, group_vectors, names))
        if embedding.link is not None:
            means = [explicit_values(embedding, rows.mean(axis=0, keepdims=True)) for rows in group_vectors]
            tables.append(_table(metric, "explicit", words, explicit_values(embedding, targets), means, names))
    return pd.concat(tables) if tables else pd.DataFrame()


def _table(
    metric: ModuleType, space: str, words: list[str], targets: np.ndarray, sets: list[np.ndarray], groups: list[str]
) -> pd.DataFrame:
    """Return one row per word, from the metric's inputs for targets and groups."""
    rows = pd.DataFrame({"space": space, "word": words})
    if hasattr(metric, "factor"):
        for group, values in zip(groups, sets, strict=True):
            rows[f"factor_{group}"] = call(metric, "factor", targets, values)
    rows["bias"] = evaluation.evaluate_level(metric, "word", targets, sets)
    return rows
