"""Correlate bias scores with occupation statistics and planted bias, and compare first- with second-order scores."""

import logging
from dataclasses import fields
from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd

from biassay.core import csv_tables, scripts
from biassay.statistics import correlation
from biassay.statistics.correlation import Correlations
from biassay.statistics.paired_tests import correct_holm
from biassay.studies.first_order import planted_bias, tables
from biassay.studies.first_order.tables import INTERVALS, KEYS, NO_SIGN, SIDES, SLOPES
from biassay.words import resources

SECOND = ["second_embedding", "second_space", "second_method"]
FAMILY = ["corpus", "word_list", "correlation", "second_method"]  # Holm's correction is over tests with equal values


def main(
    scores: list[str], statistics: dict[str, str], ground_truths: list[str], published: str,
    relatives: dict[str, list[str]], resamples: int, seed: int,
    correlations_out: str, comparisons_out: str, confounding_out: str, false_positives_out: str,
) -> None:  # fmt: skip
    columns = [*KEYS, "word", "bias", "signed"]
    table = pd.concat(csv_tables.read(path, columns, {"signed": "boolean"}) for path in scores)
    unsigned = table.loc[~table["signed"], "method"].unique().tolist()
    if unsigned:
        logging.warning("not correlated with percentages of women, because scores have no sign: %s", unsigned)
        table["bias"] = table["bias"].where(table["signed"])
    percentages = {name: resources.read_percentages(path) for name, path in statistics.items()}
    paths = {Path(path).parent.name: path for path in ground_truths}
    planted = {corpus: planted_bias.read_percentages(path) for corpus, path in paths.items()}
    correlation_tables, comparison_tables, confounding = [], [], []
    for corpus, corpus_scores in table.groupby("corpus", sort=False):
        biases = bias_matrix(corpus_scores)
        pairs, partners = pair_scores(biases.index, relatives), None
        if corpus in paths:
            causes = planted_bias.read_own_and_partner(paths[corpus])
            partners = causes["name"].reindex(biases.columns).fillna(biases.columns.to_series())
            confounding.append(planted_bias.measure_confounding(biases, causes, seed))
        for name, values in (percentages | planted.get(corpus, {})).items():
            y = values.reindex(biases.columns).to_numpy(float)
            has_value = np.isfinite(y)
            x, y = biases.to_numpy()[:, has_value], y[has_value]
            clusters = None if partners is None else partners[has_value].to_numpy()
            own = biases.index.to_frame(index=False).assign(statistics=name)
            for kind in correlation.CORRELATIONS:
                r, compared = correlate_and_compare(biases.index, pairs, x, y, clusters, kind, resamples, seed)
                values = {kind: r.value, f"{kind}_p": r.p, f"{kind}_low": r.low, f"{kind}_high": r.high}
                own = own.assign(n=r.n, **values)
                comparison_tables.append(compared.assign(statistics=name, correlation=kind))
            correlation_tables.append(own)
            logging.info("%s, %s: %d correlations, %d pairs compared", corpus, name, len(biases), len(pairs))
    published_values = tables.read_published(published, "T1", [*KEYS[1:4], "statistics", "quantity"])
    correlations = add_published(pd.concat(correlation_tables), published_values)
    unbiased = correlations["corpus"].isin([corpus for corpus, values in planted.items() if not values])
    empty = pd.DataFrame(columns=[*KEYS, "n", *SLOPES])
    for result, out in (
        (correlations, correlations_out),
        (add_verdicts(pd.concat(comparison_tables), published_values, unsigned), comparisons_out),
        (pd.concat([part for part in confounding if len(part)] or [empty]), confounding_out),
        (planted_bias.count_false_positives(correlations[unbiased]), false_positives_out),
    ):
        result.to_csv(out, index=False, float_format="%.6g")


def bias_matrix(scores: pd.DataFrame) -> pd.DataFrame:
    """Arrange the biases of a corpus with one row per key and one column per word; NaN for a missing bias."""
    names, words = scores.groupby(KEYS, sort=False).ngroup().to_numpy(), pd.factorize(scores["word"])
    values = np.full((names.max() + 1, len(words[1])), np.nan)
    values[names, words[0]] = scores["bias"]
    return pd.DataFrame(values, pd.MultiIndex.from_frame(scores[KEYS].drop_duplicates()), words[1])


def pair_scores(keys: pd.MultiIndex, relatives: dict[str, list[str]]) -> np.ndarray:
    """Pair each first-order score with the second-order scores of the same list and the same or a related embedding.

    Returns the row numbers of both scores, of shape (number of pairs, 2).
    """
    pairs = []
    for (i, first), (j, second) in product(enumerate(keys), enumerate(keys)):
        is_related = second[1] == first[1] or second[1] in relatives.get(first[1], [])
        if first[3] == "first_order" and second[3] != "first_order" and first[4] == second[4] and is_related:
            pairs.append((i, j))
    return np.array(pairs, int).reshape(-1, 2)


def correlate_and_compare(
    keys: pd.MultiIndex, pairs: np.ndarray, x: np.ndarray, y: np.ndarray, clusters: np.ndarray | None,
    kind: str, resamples: int, seed: int,
) -> tuple[Correlations, pd.DataFrame]:  # fmt: skip
    """Correlate each row of biases (m, n) with statistics (n,), and compare pairs of rows.

    With clusters (n,) of words, intervals and tests resample these; without, the test is Steiger's. The comparisons,
    one row per pair, are on the words that have both scores. Most of these rows equal the whole ones; a single call of
    `correlate_rows` resamples equal rows once.
    """
    sides = x[pairs.T]
    sides = np.where(np.isfinite(sides).all(axis=0), sides, np.nan)
    r = correlation.correlate_rows(np.vstack([x, *sides]), y, kind, resamples, seed, clusters)
    own, first, second = (
        Correlations(*(getattr(r, field.name)[rows] for field in fields(r)))
        for rows in np.split(np.arange(len(r.n)), [len(x), len(x) + len(pairs)])
    )
    if clusters is None:
        between = correlation.pearson(*correlation.rank_rows(kind, *sides))[0]
        z, p = correlation.compare_dependent(first.value, second.value, between, first.n)
    else:
        z, p = correlation.compare_resampled(first, second)
    table = keys[pairs[:, 0]].to_frame(index=False)
    table[SECOND] = keys[pairs[:, 1]].to_frame(index=False)[KEYS[1:4]].to_numpy()
    for side, values in (("first", first), ("second", second)):
        table[f"{side}_order"], table[f"{side}_low"], table[f"{side}_high"] = values.value, values.low, values.high
    return own, table.assign(n=first.n, z=z, p=p)


def add_published(table: pd.DataFrame, published: dict[tuple, float]) -> pd.DataFrame:
    """Add the published correlations."""
    for kind in correlation.CORRELATIONS:
        table[f"{kind}_published"] = tables.look_up(table, [*KEYS[1:4], "statistics"], published, kind)
    return table[[*KEYS, "statistics", "n", *INTERVALS]]


def add_verdicts(table: pd.DataFrame, published: dict[tuple, float], unsigned: list[str]) -> pd.DataFrame:
    """Add p-values corrected within each family, the verdicts, NO_SIGN for unsigned second-order methods, and the
    published correlations."""
    table["p_holm"] = table.groupby(FAMILY)["p"].transform(lambda p: correct_holm(p.to_numpy()))
    table["verdict"] = list(map(correlation.describe_test, table["z"], table["p_holm"]))
    table["verdict"] = table["verdict"].mask(table["second_method"].isin(unsigned), NO_SIGN)
    for side, place in (("first", KEYS[1:4]), ("second", SECOND)):
        table[f"{side}_published"] = tables.look_up(table, [*place, "statistics", "correlation"], published)
    return table[[*KEYS, *SECOND, "statistics", "correlation", "n", *SIDES, "z", "p", "p_holm", "verdict"]]


if __name__ == "__main__":
    scripts.run(main, snakemake)
