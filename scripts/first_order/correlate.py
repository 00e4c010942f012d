"""Correlate bias scores with statistics, and compare first-order with second-order correlations."""

import logging
from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd

from biassay.numerics import statistics as stats
from biassay.studies.first_order import planted_bias, published_values, tables
from biassay.support import logs
from biassay.words import resources

KEYS = ["corpus", "embedding", "space", "method", "word_list"]
SECOND = ["second_embedding", "second_space", "second_method"]
FAMILY = ["corpus", "word_list", "correlation", "second_method"]  # of the tests that Holm's correction is over


def main(
    scores: list[str], statistics: dict[str, str], ground_truths: list[str], published: str, relatives: dict[str,
    list[str]],
    resamples: int, seed: int, correlations_out: str, comparisons_out: str,
) -> None:  # fmt: skip
    table = pd.concat(tables.scores(path)[[*KEYS, "word", "bias"]] for path in scores)
    percentages = {name: resources.read_percentages(path) for name, path in statistics.items()}
    ground_truth = {Path(path).parent.name: planted_bias.percentages(path) for path in ground_truths}
    correlated, compared = [], []
    for corpus, of_corpus in table.groupby("corpus", sort=False):
        biases = matrix(of_corpus)
        pairs = related(biases.index, relatives)
        for name, values in (percentages | ground_truth.get(corpus, {})).items():
            y = values.reindex(biases.columns).to_numpy(float)
            x, y = biases.to_numpy()[:, np.isfinite(y)], y[np.isfinite(y)]
            correlated.append(correlations(biases.index, x, y, resamples, seed).assign(statistics=name))
            for kind in stats.CORRELATIONS:
                rows = comparisons(biases.index, pairs, x, y, kind, resamples, seed)
                compared.append(rows.assign(statistics=name, correlation=kind))
            logging.info("%s, %s: %d correlations, %d pairs compared", corpus, name, len(biases), len(pairs))
    values = published_values.correlations(published)
    with_published(pd.concat(correlated), values).to_csv(correlations_out, index=False, float_format="%.6g")
    with_verdicts(pd.concat(compared), values).to_csv(comparisons_out, index=False, float_format="%.6g")


def matrix(scores: pd.DataFrame) -> pd.DataFrame:
    """Biases of a corpus, a row a key and a column a word; NaN where a word has none."""
    names, words = scores.groupby(KEYS, sort=False).ngroup().to_numpy(), pd.factorize(scores["word"])
    values = np.full((names.max() + 1, len(words[1])), np.nan)
    values[names, words[0]] = scores["bias"]
    keys = pd.MultiIndex.from_frame(scores[KEYS].drop_duplicates())
    return pd.DataFrame(np.where(np.isfinite(values), values, np.nan), keys, words[1])


def correlations(keys: pd.MultiIndex, x: np.ndarray, y: np.ndarray, resamples: int, seed: int) -> pd.DataFrame:
    """Correlations of biases (m, n), each with the ground truth (n,): a row a key."""
    table = keys.to_frame(index=False)
    for kind in stats.CORRELATIONS:
        found = stats.correlate_rows(x, y, kind, resamples, seed)
        values = {kind: found.value, f"{kind}_p": found.p, f"{kind}_low": found.low, f"{kind}_high": found.high}
        table = table.assign(n=found.n, **values)
    return table


def related(keys: pd.MultiIndex, relatives: dict[str, list[str]]) -> np.ndarray:
    """Numbers of a first-order and a second-order score on one list, of the same embedding or related ones: (k, 2)."""
    pairs = []
    for (i, first), (j, second) in product(enumerate(keys), enumerate(keys)):
        alike = second[1] == first[1] or second[1] in relatives.get(first[1], [])
        if first[3] == "first_order" and second[3] != "first_order" and first[4] == second[4] and alike:
            pairs.append((i, j))
    return np.array(pairs, int).reshape(-1, 2)


def comparisons(
    keys: pd.MultiIndex, pairs: np.ndarray, x: np.ndarray, y: np.ndarray, kind: str, resamples: int, seed: int
) -> pd.DataFrame:
    """Steiger tests of pairs of scores, on the words that have both: a row a pair."""
    firsts, seconds = x[pairs[:, 0]], x[pairs[:, 1]]
    both = np.isfinite(firsts) & np.isfinite(seconds)
    sides = {"first": np.where(both, firsts, np.nan), "second": np.where(both, seconds, np.nan)}
    found = {side: stats.correlate_rows(values, y, kind, resamples, seed) for side, values in sides.items()}
    between, _, n = stats.pearson_rows(*stats.rank_rows(kind, *sides.values()))
    z, p = stats.compare_dependent(found["first"].value, found["second"].value, between, n)
    table = keys[pairs[:, 0]].to_frame(index=False)
    table[SECOND] = keys[pairs[:, 1]].to_frame(index=False)[KEYS[1:4]].to_numpy()
    for side, of_side in found.items():
        table[f"{side}_order"], table[f"{side}_low"], table[f"{side}_high"] = of_side.value, of_side.low, of_side.high
    return table.assign(n=n, steiger_z=z, p=p)


def with_published(table: pd.DataFrame, known: dict[tuple, float]) -> pd.DataFrame:
    """Correlations beside the published ones."""
    listed = table["word_list"].isin(published_values.LISTS)
    for kind in stats.CORRELATIONS:
        values = published_values.beside(table, [*KEYS[1:4], "statistics"], known, kind)
        table[f"{kind}_published"] = np.where(listed, values, np.nan)
    kinds = [f"{kind}{part}" for kind in stats.CORRELATIONS for part in ("", "_p", "_low", "_high", "_published")]
    return table[[*KEYS, "statistics", "n", *kinds]]


def with_verdicts(table: pd.DataFrame, known: dict[tuple, float]) -> pd.DataFrame:
    """Comparisons with p-values corrected over each family, what these say, and the published correlations."""
    table["p_holm"] = table.groupby(FAMILY)["p"].transform(lambda p: stats.correct_holm(p.to_numpy()))
    table["verdict"] = list(map(stats.describe_test, table["steiger_z"], table["p_holm"]))
    listed = table["word_list"].isin(published_values.LISTS)
    for side, place in (("first", KEYS[1:4]), ("second", SECOND)):
        values = published_values.beside(table, [*place, "statistics", "correlation"], known)
        table[f"{side}_published"] = np.where(listed, values, np.nan)
    values = [f"{side}_{part}" for side in ("first", "second") for part in ("order", "low", "high", "published")]
    tests = ["steiger_z", "p", "p_holm", "verdict"]
    return table[[*KEYS, *SECOND, "statistics", "correlation", "n", *values, *tests]]


if __name__ == "__main__":
    logs.start(snakemake.log[0])
    main(
        scores=snakemake.input.scores,
        statistics=snakemake.params.statistics,
        ground_truths=snakemake.input.ground_truths,
        published=snakemake.input.published,
        relatives=snakemake.params.relatives,
        resamples=snakemake.params.resamples,
        seed=snakemake.params.seed,
        correlations_out=snakemake.output.correlations,
        comparisons_out=snakemake.output.comparisons,
    )
