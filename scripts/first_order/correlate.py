"""Correlate bias scores with statistics, and compare first-order with second-order correlations."""

import logging
from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd

from biassay.numerics import statistics as stats
from biassay.support import logs
from biassay.words import resources

KEYS = ["corpus", "embedding", "space", "method", "word_list"]


def main(
    scores: list[str], statistics: dict[str, str], truths: list[str], relatives: dict[str, list[str]],
    bootstrap: int, seed: int, correlations_out: str, comparisons_out: str,
) -> None:  # fmt: skip
    table = pd.concat(map(pd.read_csv, scores))
    percentages = {name: resources.percentages(path) for name, path in statistics.items()}
    planted = {Path(path).parent.name: planted_percentages(path) for path in truths}
    rows, compared = [], []
    for corpus, of_corpus in table.groupby("corpus", sort=False):
        for name, values in (percentages | planted.get(corpus, {})).items():
            biases = {key: group for key, group in of_corpus.groupby(KEYS, sort=False)}
            pairs = {key: matched(group, values) for key, group in biases.items()}
            draws = {n: stats.resamples(n, bootstrap, seed) for n in set(map(len, pairs.values()))}
            for key, pair in pairs.items():
                x, y = pair["bias"].to_numpy(), pair["truth"].to_numpy()
                result = {kind: stats.correlate(x, y, kind, draws[len(x)]) for kind in stats.CORRELATIONS}
                rows.append(correlation_row(key, name, result))
            compared += comparisons(name, pairs, relatives)
            logging.info("%s, %s: %d correlations", corpus, name, len(pairs))
    pd.DataFrame(rows).to_csv(correlations_out, index=False, float_format="%.6g")
    columns = [*KEYS, "second_embedding", "second_space", "second_method", "statistics", "correlation", "n"]
    columns += ["first_order", "second_order", "steiger_z", "p", "verdict"]
    pd.DataFrame(compared, columns=columns).to_csv(comparisons_out, index=False, float_format="%.6g")


def planted_percentages(truth: str) -> dict[str, pd.Series]:
    """What a generator planted: the percentage of female words beside gender-neutral occupations.

    Beside all of them ("planted"), those with a partner ("planted_confounded") and those without ("planted_clear");
    nothing if the corpus is the balanced twin, where all are alike.
    """
    rows = pd.read_csv(truth, keep_default_na=False)
    rows = rows[(rows["bias"] == "gender") & (rows["group"] == "female") & (rows["category"] == "n")]
    if rows["probability"].nunique() == 1:
        return {}
    values = pd.Series(100 * rows["probability"].to_numpy(float), index=rows["word"])
    confounded = (rows["partner"] != "").to_numpy()
    return {"planted": values, "planted_confounded": values[confounded], "planted_clear": values[~confounded]}


def matched(scores: pd.DataFrame, values: pd.Series) -> pd.DataFrame:
    """Bias and truth, by word, of the words that have both."""
    pair = pd.DataFrame({"bias": scores["bias"].to_numpy(float)}, index=scores["word"])
    pair["truth"] = pair.index.map(values).to_numpy(float)
    return pair[np.isfinite(pair).all(axis=1)]


def correlation_row(key: tuple, name: str, result: dict[str, stats.Correlation]) -> dict:
    row = dict(zip(KEYS, key, strict=True)) | {"statistics": name, "n": result["pearson"].n}
    for kind, correlation in result.items():
        row |= {kind: correlation.value, f"{kind}_p": correlation.p}
        row |= {f"{kind}_low": correlation.low, f"{kind}_high": correlation.high}
    return row


def comparisons(name: str, pairs: dict[tuple, pd.DataFrame], relatives: dict[str, list[str]]) -> list[dict]:
    """Steiger tests of first-order scores against second-order scores of the same or a related embedding, on the words
    that have both scores."""
    rows = []
    for first, second in product(pairs, pairs):
        same_list = first[4] == second[4]
        related = second[1] == first[1] or second[1] in relatives.get(first[1], [])
        if first[3] == "first_order" and second[3] != "first_order" and same_list and related:
            both = pairs[first].join(pairs[second]["bias"].rename("second"), how="inner")
            x, truth, y = both.to_numpy().T
            for kind in stats.CORRELATIONS:
                r_1, r_2, between = (stats.correlation(*pair, kind) for pair in ((x, truth), (y, truth), (x, y)))
                z, p = stats.compare_dependent(r_1, r_2, between, len(both))
                rows.append(
                    dict(zip(KEYS, first, strict=True))
                    | {"second_embedding": second[1], "second_space": second[2], "second_method": second[3]}
                    | {"statistics": name, "correlation": kind, "n": len(both)}
                    | {"first_order": r_1, "second_order": r_2, "steiger_z": z, "p": p, "verdict": stats.verdict(z, p)}
                )
    return rows


if __name__ == "__main__":
    logs.start(snakemake.log[0])
    main(
        scores=snakemake.input.scores,
        statistics=snakemake.params.statistics,
        truths=snakemake.input.truths,
        relatives=snakemake.params.relatives,
        bootstrap=snakemake.params.bootstrap,
        seed=snakemake.params.seed,
        correlations_out=snakemake.output.correlations,
        comparisons_out=snakemake.output.comparisons,
    )
