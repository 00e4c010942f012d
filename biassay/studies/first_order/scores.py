"""The first-order study: bias scores of occupations on one embedding (first-order paper, §3.2 and §4.2)."""

from types import ModuleType

import numpy as np
import pandas as pd

from biassay.measurement import evaluation
from biassay.measurement.metric import call
from biassay.vectors import explicit_vectors
from biassay.vectors.embedding import Embedding


def present(groups: dict[str, list[str]], embedding: Embedding, path: str) -> dict[str, list[str]]:
    """The definitional words that the vocabulary has; raises ValueError, naming the list, if a group has none."""
    known = {group: [word for word in words if word in embedding.index] for group, words in groups.items()}
    for group, words in known.items():
        if not words:
            raise ValueError(
                f"{path}: no word of {group} is in the vocabulary of {len(embedding.words):,} words; "
                f"the list has: {', '.join(groups[group][:5])}"
            )
    return known


def scores(metric: ModuleType, embedding: Embedding, words: list[str], groups: dict[str, list[str]]) -> pd.DataFrame:
    """Score words with a metric against two groups: space, word, factor_<group> (if the metric has it), bias.

    Metrics of vectors are computed on the embedding's vectors (space "vectors") and on its explicit vectors (space
    "explicit"), where a group is the explicit form of its words' mean vector, e_z = σ(v_z Uᵀ). Metrics of
    associations are computed on explicit values. Empty if the embedding has none. Raises ValueError for a metric
    without a value a word.
    """
    if metric.METRIC.word is None or metric.METRIC.word.labels:
        raise ValueError(f"first_order.metrics: {metric.__name__} gives no value a word without labels")
    targets = embedding.rows(words)
    tables = []
    if metric.METRIC.takes == "associations":
        if embedding.link is not None:
            norms = np.asarray(embedding.norms[[embedding.index[word] for word in words]], np.float64)
            values = [
                explicit_vectors.explicit_values(embedding, targets, list(of_group)) for of_group in groups.values()
            ]
            tables.append(_table(metric, "explicit", words, norms, values, list(groups)))
    else:
        rows_of_groups = [embedding.rows(of_group) for of_group in groups.values()]
        if not embedding.sparse:
            tables.append(_table(metric, "vectors", words, targets, rows_of_groups, list(groups)))
        if embedding.link is not None:
            means = [
                explicit_vectors.explicit_values(embedding, rows.mean(axis=0, keepdims=True)) for rows in rows_of_groups
            ]
            tables.append(
                _table(
                    metric, "explicit", words, explicit_vectors.explicit_values(embedding, targets), means, list(groups)
                )
            )
    return pd.concat(tables) if tables else pd.DataFrame()


def _table(
    metric: ModuleType, space: str, words: list[str], targets: np.ndarray, sets: list[np.ndarray], groups: list[str]
) -> pd.DataFrame:
    """A row a word, from what a metric takes of targets and of groups."""
    rows = pd.DataFrame({"space": space, "word": words})
    if hasattr(metric, "factor"):
        for group, values in zip(groups, sets, strict=True):
            rows[f"factor_{group}"] = call(metric, "factor", targets, values)
    rows["bias"] = evaluation.evaluate_level(metric, "word", targets, sets)
    return rows
