"""Bias scores of occupations on one embedding (first-order paper, §3.2 and §4.2)."""

from types import ModuleType

import numpy as np
import pandas as pd

from biassay.measurement import evaluation
from biassay.measurement.metric import call
from biassay.vectors.embedding import Embedding
from biassay.vectors.explicit_vectors import explicit_values


def select_known_words(
    groups: dict[str, list[str]], embedding: Embedding, path: str, *, paired: bool = False
) -> dict[str, list[str]]:
    """Select the words of each group that are in the vocabulary; errors name `path`, the word list.

    paired: the i-th words of all groups belong together, and are left out together.
    """
    known_words = {group: [word for word in words if word in embedding.index] for group, words in groups.items()}
    if paired:
        pairs = [pair for pair in zip(*groups.values(), strict=False) if all(word in embedding.index for word in pair)]
        known_words = {group: [pair[place] for pair in pairs] for place, group in enumerate(groups)}
    for group, words in known_words.items():
        if not words:
            missing = "complete pair of words" if paired else "word"
            raise ValueError(
                f"{path}: {group}: no {missing} is in the vocabulary of {len(embedding.words):,} words "
                f"(first words of the group: {', '.join(groups[group][:5])})"
            )
    return known_words


def score_words(
    metric: ModuleType, embedding: Embedding, words: list[str], groups: dict[str, list[str]]
) -> pd.DataFrame:
    """Score words with a metric and two groups.

    Scores with a sign are positive towards the first group; other scores are as the metric returns them.

    Metrics of vectors score the embedding's vectors (space "vectors") and its explicit vectors (space "explicit"). In
    the explicit space, a group is the explicit form of its words' mean vector, e_z = σ(v_z Uᵀ). Metrics of associations
    score explicit values.

    Returns
    -------
    DataFrame
        The columns space, word, factor_<group> (if the metric has factors), bias and signed (whether the bias has a
        sign). Empty if the embedding lacks what the metric needs.
    """
    if metric.METRIC.word is None or metric.METRIC.word.labels:
        raise ValueError(f"first_order.metrics: expected a metric of words without labels, got {metric.__name__}")
    targets = embedding.rows(words)
    is_signed = evaluation.compute_range(metric, "word", len(groups), None, {}).signed
    inputs = {}  # targets and groups by space
    if metric.METRIC.takes == "associations":
        if embedding.link is not None:
            norms = np.asarray(embedding.norms[[embedding.index[word] for word in words]], np.float64)
            inputs["explicit"] = norms, [explicit_values(embedding, targets, part) for part in groups.values()]
    else:
        group_vectors = [embedding.rows(part) for part in groups.values()]
        if not embedding.is_sparse:
            inputs["vectors"] = targets, group_vectors
        if embedding.link is not None:
            means = [explicit_values(embedding, rows.mean(axis=0, keepdims=True)) for rows in group_vectors]
            inputs["explicit"] = explicit_values(embedding, targets), means
    tables = []
    for space, (target_values, group_values) in inputs.items():
        table = pd.DataFrame({"space": space, "word": words})
        if hasattr(metric, "factor"):
            for group, values in zip(groups, group_values, strict=True):
                table[f"factor_{group}"] = call(metric, "factor", target_values, values)
        bias = evaluation.evaluate_level(metric, "word", target_values, group_values)
        tables.append(table.assign(bias=metric.METRIC.towards_first(bias) if is_signed else bias, signed=is_signed))
    return pd.concat(tables) if tables else pd.DataFrame()
