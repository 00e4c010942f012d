"""Diagnose an embedding: contexts of second-order bias, factors and debiasing, perceived gender (T2, F3–F5, T3)."""

import logging
from pathlib import Path

import numpy as np
import pandas as pd

from biassay.core import arrays, scripts
from biassay.studies.first_order import diagnosis, tables
from biassay.studies.first_order.diagnosis import Scale
from biassay.studies.first_order.perceived_gender import classify
from biassay.vectors.embedding import Embedding
from biassay.vectors.explicit_vectors import explicit_values
from biassay.words import resources

SIGNS = (1, -1)  # of both groups
CLASSIFIER = ("c", "standardise", "folds", "repeats")


def main(
    corpus: str, embedding: str, main_list: str, word_lists: list[str], occupations: str, vocabulary: str, counts: str,
    published: str, options: dict, seed: int,
    contexts_out: str, factors_out: str, bands_out: str, accuracies_out: str, top_features_out: str,
) -> None:  # fmt: skip
    model, groups = diagnosis.open_embedding(embedding, main_list)
    definitional_words = {
        word for path in word_lists for words in resources.read_groups(path).values() for word in words
    }
    known_words = [word for word in options["occupations"] if word in model.index]
    if not known_words:
        raise ValueError(f"first_order.diagnosis.occupations: no occupation is in the vocabulary of {embedding}")
    missing_words = sorted(set(options["occupations"]) - set(known_words))
    logging.info("occupations not in the vocabulary: %s", ", ".join(missing_words) or "none")
    contexts = list_contexts(model, groups, known_words, options["n_contexts"])
    contexts["definitional"] = contexts["context"].isin(definitional_words)
    contexts.insert(0, "embedding", Path(embedding).name)
    table = diagnosis.select_occupations(occupations, model, definitional_words)
    pairs = resources.read_groups(main_list)
    factors, bands = tabulate_factors(model, groups, pairs, table)
    features = select_frequent_words(model.words, vocabulary, counts, options["min_count"])
    words = table.loc[table["neutral"], "word"].tolist()
    classifier = {name: options[name] for name in CLASSIFIER} | {"seed": seed}
    accuracies, top_features = classify_perceived(
        model, groups, pairs, words, features, options["n_top_features"], classifier
    )
    values = tables.read_published(published, "T3", ["space", "state", "quantity"])
    for quantity in ("majority", "accuracy"):
        accuracies[f"{quantity}_published"] = tables.look_up(accuracies, ["space", "state"], values, quantity)
    for result, out in ((contexts, contexts_out), (bands, bands_out), (accuracies, accuracies_out)):
        result.insert(0, "corpus", corpus)
        result.to_csv(out, index=False, float_format="%.6g")
    for result, out in ((factors, factors_out), (top_features, top_features_out)):
        result.assign(corpus=corpus).to_csv(out, index=False, float_format="%.6g")


def list_contexts(
    model: Embedding, groups: dict[str, list[str]], occupations: list[str], n_contexts: int
) -> pd.DataFrame:
    """List the context words that contribute most to the second-order bias of each occupation, per group."""
    rows = []
    for word, effects in zip(occupations, diagnosis.measure_effects(model, occupations, groups), strict=True):
        for group, sign in zip(groups, SIGNS, strict=True):
            for rank, place in enumerate(np.argsort(-sign * effects, kind="stable")[:n_contexts], 1):
                rows.append((word, effects.sum(), group, rank, model.words[place], effects[place]))
    return pd.DataFrame(rows, columns=["occupation", "bias", "group", "rank", "context", "effect"])


def tabulate_factors(
    model: Embedding, groups: dict[str, list[str]], pairs: dict[str, list[str]], table: pd.DataFrame
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Tabulate and summarise the factors of occupations, normalised over all words, before and after debiasing."""
    words, names = table["word"].tolist(), list(groups)
    before = diagnosis.measure_factors(model, model.vectors, model.norms, groups)
    debiased = diagnosis.debias_words(model, words, pairs, table.loc[~table["neutral"], "word"].tolist())
    after = diagnosis.measure_factors(model, debiased, diagnosis.measure_lengths(model, debiased), groups)
    indices = [model.index[word] for word in words]
    factor_tables, summaries = [], []
    for method, values in before.items():
        scale = Scale.from_factors(values)
        for state, factors in (("original", values[indices]), ("debiased", after[method])):
            rows = table.assign(method=method, state=state)
            rows[[f"factor_{name}" for name in names]] = scale.normalise(factors)
            rows["bias"] = rows[f"factor_{names[0]}"] - rows[f"factor_{names[1]}"]
            rows["side"] = scale.classify_sides(rows["bias"].to_numpy(), names)
            factor_tables.append(rows)
            summary = summarise_factors(rows[rows["neutral"]], scale, names)
            summaries.append({"method": method, "state": state} | summary)
    return pd.concat(factor_tables), pd.DataFrame(summaries)


def summarise_factors(rows: pd.DataFrame, scale: Scale, names: list[str]) -> dict:
    """Summarise a method: its scale and band, and the bias of gender-neutral occupations."""
    counts = rows["side"].value_counts()
    return {
        "min_factor": scale.low,
        "max_factor": scale.high,
        "band": scale.band,
        "n_neutral_occupations": len(rows),
        "mean_absolute_bias": rows["bias"].abs().mean(),
        "mean_bias": rows["bias"].mean(),
    } | {f"n_{side}": int(counts.get(side, 0)) for side in (*names, diagnosis.UNBIASED)}


def select_frequent_words(words: list[str], vocabulary: str, counts: str, min_count: int) -> list[str]:
    """Select the words that occur at least `min_count` times in the corpus."""
    corpus_words = Path(vocabulary).read_text("utf-8").split()
    count = dict(zip(corpus_words, arrays.open_array(counts, "i", (len(corpus_words),)).tolist(), strict=True))
    frequent_words = [word for word in words if count[word] >= min_count]
    if not frequent_words:
        raise ValueError(f"first_order.diagnosis.min_count: no word of {vocabulary} occurs {min_count} times or more")
    return frequent_words


def classify_perceived(
    model: Embedding, groups: dict[str, list[str]], pairs: dict[str, list[str]], words: list[str],
    contexts: list[str], n_top_features: int, options: dict,
) -> tuple[pd.DataFrame, pd.DataFrame]:  # fmt: skip
    """Classify neutral occupations by the side of their Λ1, before and after debiasing, and list the top features.

    The features are the vectors, or the explicit values for `contexts`; the table of top features is of the latter.
    """
    original = model.rows(words)
    norms = np.asarray(model.norms[[model.index[word] for word in words]])
    bias = -np.diff(diagnosis.measure_factors(model, original, norms, groups)["first_order"])[:, 0]
    has_gender = np.abs(bias) > 0  # a word with zero or undefined (NaN) bias has no perceived gender
    accuracies, top_features = [], []
    for state, vectors in (("original", original), ("debiased", diagnosis.debias_words(model, words, pairs, ()))):
        for space in ("explicit", "vectors"):
            features = vectors if space == "vectors" else explicit_values(model, vectors, contexts)
            result = classify(features[has_gender], bias[has_gender] > 0, **options)
            logging.info("%s %s: accuracy %.3f", state, space, result.accuracy)
            scores = {"accuracy": result.accuracy, "accuracy_std": result.accuracy_std, "auc": result.auc}
            accuracies.append({"space": space, "state": state, "n": result.n, "majority": result.majority} | scores)
            if space == "explicit":
                top_features += list_top_features(result.weights, contexts, list(groups), n_top_features, state)
    columns = ["state", "group", "rank", "context", "weight"]
    return pd.DataFrame(accuracies), pd.DataFrame(top_features, columns=columns)


def list_top_features(
    weights: np.ndarray | None, contexts: list[str], groups: list[str], n_words: int, state: str
) -> list[tuple]:
    """List the context words with the largest weights towards each group; none if the classifier was not trained."""
    if weights is None:
        return []
    return [
        (state, group, rank, contexts[place], weights[place])
        for group, sign in zip(groups, SIGNS, strict=True)
        for rank, place in enumerate(np.argsort(-sign * weights, kind="stable")[:n_words], 1)
    ]


if __name__ == "__main__":
    scripts.run(main, snakemake)
