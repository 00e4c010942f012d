"""Classify occupations by perceived gender before and after debiasing, with the top context words (T3)."""

import logging
import time

import numpy as np
import pandas as pd

from biassay.studies.first_order import diagnosis, published_values
from biassay.studies.first_order.perceived_gender import classify
from biassay.support import arrays, logs
from biassay.vectors import explicit_vectors
from biassay.words import resources


def main(
    corpus: str, folder: str, main_list: str, word_lists: list[str], occupations: str, counts: tuple[str, str],
    options: dict, published: str, accuracies: str, top_features: str,
) -> None:  # fmt: skip
    embedding, groups = diagnosis.subject(folder, main_list)
    table = diagnosis.occupations(occupations, embedding, word_lists)
    words = table.loc[table["neutral"], "word"].tolist()
    original = embedding.rows(words)
    norms = np.asarray(embedding.norms[[embedding.index[word] for word in words]])
    bias = -np.diff(diagnosis.factors(embedding, original, norms, groups)["first_order"])[:, 0]
    decided = np.abs(bias) > 0  # a word without bias, or where it is undefined (NaN), has no perceived gender
    contexts = frequent(embedding.words, *counts, options["min_count"])
    states = {
        "original": original,
        "debiased": diagnosis.debiased(embedding, words, resources.read_groups(main_list), ()),
    }
    rows, tables = [], []
    for state, vectors in states.items():
        for space in ("explicit", "vectors"):
            started = time.monotonic()
            features = vectors if space == "vectors" else explicit_vectors.explicit_values(embedding, vectors, contexts)
            found = classify(
                features[decided], bias[decided] > 0,
                **{key: options[key] for key in ("c", "standardise", "folds", "repeats", "seed")},
            )  # fmt: skip
            logging.info("%s %s: accuracy %.3f, %.1f s", state, space, found.accuracy, time.monotonic() - started)
            rows.append((corpus, space, state, found.n, found.majority, found.accuracy, found.deviation, found.auc))
            if space == "explicit":
                tables.append(
                    select_top_features(found.weights, contexts, list(groups), options["n_top_features"], state)
                )
    columns = ["corpus", "space", "state", "n", "majority", "accuracy", "accuracy_std", "auc"]
    table, values = pd.DataFrame(rows, columns=columns), published_values.accuracies(published)
    for quantity in ("majority", "accuracy"):
        table[f"{quantity}_published"] = published_values.beside(table, ["space", "state"], values, quantity)
    table.to_csv(accuracies, index=False, float_format="%.6g")
    pd.concat(tables).assign(corpus=corpus).to_csv(top_features, index=False, float_format="%.6g")


def frequent(words: list[str], vocabulary: str, counts: str, least: int) -> list[str]:
    """Words that the corpus has at least so often."""
    with open(vocabulary, encoding="utf-8") as file:
        known = file.read().split()
    count = dict(zip(known, arrays.open_array(counts, "i", (len(known),)).tolist(), strict=True))
    found = [word for word in words if count[word] >= least]
    if not found:
        raise ValueError(f"first_order.diagnosis.min_count: no word of {vocabulary} is {least} times in the corpus")
    return found


def select_top_features(
    weights: np.ndarray | None, contexts: list[str], groups: list[str], k: int, state: str
) -> pd.DataFrame:
    """The context words with the largest weights towards each group; none if there was nothing to learn."""
    rows = []
    for group, sign in zip(groups, (1, -1), strict=True):
        for rank, place in enumerate([] if weights is None else np.argsort(-sign * weights, kind="stable")[:k], 1):
            rows.append((state, group, rank, contexts[place], weights[place]))
    return pd.DataFrame(rows, columns=["state", "group", "rank", "context", "weight"])


if __name__ == "__main__":
    logs.start(snakemake.log[0])
    main(
        corpus=snakemake.wildcards.corpus,
        folder=snakemake.input.embedding,
        main_list=snakemake.input.main_list,
        word_lists=snakemake.input.word_lists,
        occupations=snakemake.input.occupations,
        counts=tuple(snakemake.input.corpus),
        options=snakemake.params.options,
        published=snakemake.input.published,
        accuracies=snakemake.output.accuracies,
        top_features=snakemake.output.top_features,
    )
