"""Classify occupations by perceived gender before and after debiasing, and list the top features (Table 3)."""

import logging
import time

import numpy as np
import pandas as pd

from biassay.core import arrays, scripts
from biassay.studies.first_order import diagnosis, published_values
from biassay.studies.first_order.perceived_gender import classify
from biassay.vectors.explicit_vectors import explicit_values
from biassay.words import resources


def main(
    corpus: str, folder: str, main_list: str, word_lists: list[str], occupations: str, counts: tuple[str, str],
    options: dict, published: str, accuracies: str, top_features: str,
) -> None:  # fmt: skip
    embedding, groups = diagnosis.open_embedding(folder, main_list)
    table = diagnosis.select_occupations(occupations, embedding, word_lists)
    words = table.loc[table["neutral"], "word"].tolist()
    original = embedding.rows(words)
    norms = np.asarray(embedding.norms[[embedding.index[word] for word in words]])
    bias = -np.diff(diagnosis.measure_factors(embedding, original, norms, groups)["first_order"])[:, 0]
    has_gender = np.abs(bias) > 0  # a word with zero or undefined (NaN) bias has no perceived gender
    contexts = select_frequent_words(embedding.words, *counts, options["min_count"])
    states = {
        "original": original,
        "debiased": diagnosis.debias_words(embedding, words, resources.read_groups(main_list), ()),
    }
    rows, tables = [], []
    for state, vectors in states.items():
        for space in ("explicit", "vectors"):
            started = time.monotonic()
            features = vectors if space == "vectors" else explicit_values(embedding, vectors, contexts)
            result = classify(
                features[has_gender], bias[has_gender] > 0,
                **{key: options[key] for key in ("c", "standardise", "folds", "repeats", "seed")},
            )  # fmt: skip
            logging.info("%s %s: accuracy %.3f, %.1f s", state, space, result.accuracy, time.monotonic() - started)
            rows.append(
                (corpus, space, state, result.n, result.majority, result.accuracy, result.accuracy_std, result.auc)
            )
            if space == "explicit":
                tables.append(
                    select_top_features(result.weights, contexts, list(groups), options["n_top_features"], state)
                )
    columns = ["corpus", "space", "state", "n", "majority", "accuracy", "accuracy_std", "auc"]
    table, values = pd.DataFrame(rows, columns=columns), published_values.read_accuracies(published)
    for quantity in ("majority", "accuracy"):
        table[f"{quantity}_published"] = published_values.look_up(table, ["space", "state"], values, quantity)
    table.to_csv(accuracies, index=False, float_format="%.6g")
    pd.concat(tables).assign(corpus=corpus).to_csv(top_features, index=False, float_format="%.6g")


def select_frequent_words(words: list[str], vocabulary: str, counts: str, min_count: int) -> list[str]:
    """Select the words that occur at least `min_count` times in the corpus."""
    with open(vocabulary, encoding="utf-8") as file:
        corpus_words = file.read().split()
    count = dict(zip(corpus_words, arrays.open_array(counts, "i", (len(corpus_words),)).tolist(), strict=True))
    frequent_words = [word for word in words if count[word] >= min_count]
    if not frequent_words:
        raise ValueError(f"first_order.diagnosis.min_count: no word of {vocabulary} occurs {min_count} times or more")
    return frequent_words


def select_top_features(
    weights: np.ndarray | None, contexts: list[str], groups: list[str], n_words: int, state: str
) -> pd.DataFrame:
    """Select the context words with the largest weights towards each group; none if the classifier was not trained."""
    rows = []
    for group, sign in zip(groups, (1, -1), strict=True):
        for rank, place in enumerate(
            [] if weights is None else np.argsort(-sign * weights, kind="stable")[:n_words], 1
        ):
            rows.append((state, group, rank, contexts[place], weights[place]))
    return pd.DataFrame(rows, columns=["state", "group", "rank", "context", "weight"])


if __name__ == "__main__":
    scripts.run(
        main,
        snakemake,
        corpus=snakemake.wildcards.corpus,
        folder=snakemake.input.embedding,
        counts=tuple(snakemake.input.corpus),
    )
