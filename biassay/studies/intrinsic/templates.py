"""Are there enough templates? How often the order of the groups changes with other ones: intrinsic-2023 §5.1."""

import numpy as np
import pandas as pd

ENOUGH = 0.05


def instability(p: np.ndarray, n: int, n_samples: int, *, seed: int) -> float:
    """T3: share of draws of n sentences, without replacement, in which the order of the groups differs from that of all
    sentences, the mean over occupations: 0 to 1.

    p: probabilities (occupations, sentences, groups); a draw is the same for all occupations (the paper's "p-value").
    """
    random = np.random.default_rng([seed, n])
    sentences = p.shape[1]
    chosen = np.argsort(random.random((n_samples, sentences)), axis=1) < n
    means = np.einsum("ds,osg->dog", chosen.astype(float), p)
    order = np.argsort(means, axis=2, kind="stable")
    whole = np.argsort(p.sum(axis=1), axis=1, kind="stable")
    return float((order != whole).any(axis=2).mean())


def disagreement(p: np.ndarray, n: int, n_samples: int, *, seed: int) -> float:
    """Share of draws of twice n sentences, none of them in both, whose orders of the groups differ, the mean over
    occupations: 0 to 1; NaN where there are not so many.

    Other than `instability` it does not fall to 0 just because n comes near to all there are.
    """
    random = np.random.default_rng([seed, n])
    if 2 * n > p.shape[1]:
        return np.nan
    places = np.argsort(random.random((n_samples, p.shape[1])), axis=1)
    first, second = (
        np.argsort(np.einsum("ds,osg->dog", chosen.astype(float), p), axis=2, kind="stable")
        for chosen in (places < n, (places >= n) & (places < 2 * n))
    )
    return float((first != second).any(axis=2).mean())


def sizes(sentences: int) -> list[int]:
    """Numbers of sentences to try: 1, 2, 3, 5, 7, 10, 15, 20, 30, …, each less than there are."""
    found = [round(base * 10**power) for power in range(4) for base in (1, 1.5, 2, 3, 5, 7)]
    return [n for n in dict.fromkeys(found) if n < sentences]


def summarise(rows: pd.DataFrame, keys: list[str]) -> pd.DataFrame:
    """Mean and standard deviation (ddof 1) of `instability` over models, by `keys`, and the mean of `disagreement`."""
    groups = rows.groupby(keys, sort=False)
    found = groups["instability"].agg(["mean", "std", "size"]).rename(columns={"size": "models"})
    return found.assign(disagreement=groups["disagreement"].mean()).reset_index()


def enough(curve: pd.DataFrame) -> pd.DataFrame:
    """The smallest number of sentences whose order is that of all in 95 % of the draws, by attribute; <NA> for none."""
    rows = []
    for attribute, table in curve.groupby("attribute", sort=False):
        ordered = table.sort_values("n")
        good = ordered["mean"].to_numpy() <= ENOUGH
        last_bad = np.flatnonzero(~good)
        first = last_bad[-1] + 1 if len(last_bad) else 0
        rows.append((attribute, ordered["n"].iloc[first] if first < len(ordered) else pd.NA))
    return pd.DataFrame(rows, columns=["attribute", "min_sentences"])
