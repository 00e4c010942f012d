"""Reliability of the templates: how often other sentences rank the groups differently (intrinsic-2023 §5.1)."""

import numpy as np
import pandas as pd

MAX_INSTABILITY = 0.05


def instability(p: np.ndarray, n: int, n_samples: int, *, seed: int) -> float:
    """Compute how often n sentences rank the groups differently from all sentences (Table 3).

    Each sample is drawn without replacement and is the same for all occupations. The paper calls the result a p-value.

    Parameters
    ----------
    p : ndarray of shape (occupations, sentences, groups)
        Probabilities of the groups.
    n : int
        Sentences in a sample.
    n_samples : int
    seed : int

    Returns
    -------
    float
        Share of samples whose whole ranking differs, averaged over occupations: 0 to 1.
    """
    random = np.random.default_rng([seed, n])
    sentences = p.shape[1]
    chosen = np.argsort(random.random((n_samples, sentences)), axis=1) < n
    means = np.einsum("ds,osg->dog", chosen.astype(float), p)
    ranking = np.argsort(means, axis=2, kind="stable")
    full_ranking = np.argsort(p.sum(axis=1), axis=1, kind="stable")
    return float((ranking != full_ranking).any(axis=2).mean())


def disagreement(p: np.ndarray, n: int, n_samples: int, *, seed: int) -> float:
    """Compute how often two disjoint samples of n sentences rank the groups differently; parameters as `instability`.

    Unlike `instability`, it does not fall to 0 merely because n approaches the number of sentences. Returns the share
    of pairs of samples, averaged over occupations (0 to 1); NaN for fewer than 2 n sentences.
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


def sample_sizes(n_sentences: int) -> list[int]:
    """List the sample sizes to try: 1, 2, 3, 5, 7, 10, 15, 20, 30, …, all below n_sentences."""
    sizes = [round(base * 10**power) for power in range(4) for base in (1, 1.5, 2, 3, 5, 7)]
    return [n for n in dict.fromkeys(sizes) if n < n_sentences]


def summarise_over_models(rows: pd.DataFrame, keys: list[str]) -> pd.DataFrame:
    """Average over models, by `keys`: mean and std (ddof 1) of `instability`, and the mean of `disagreement`."""
    grouped = rows.groupby(keys, sort=False)
    summary = grouped["instability"].agg(["mean", "std", "size"]).rename(columns={"size": "models"})
    return summary.assign(disagreement=grouped["disagreement"].mean()).reset_index()


def find_min_sentences(curve: pd.DataFrame) -> pd.DataFrame:
    """Find, by attribute, the number of sentences from which on instability is at most 5 %; <NA> for none."""
    rows = []
    for attribute, table in curve.groupby("attribute", sort=False):
        ordered = table.sort_values("n")
        is_stable = ordered["mean"].to_numpy() <= MAX_INSTABILITY
        unstable = np.flatnonzero(~is_stable)
        first = unstable[-1] + 1 if len(unstable) else 0
        rows.append((attribute, ordered["n"].iloc[first] if first < len(ordered) else pd.NA))
    return pd.DataFrame(rows, columns=["attribute", "min_sentences"])
