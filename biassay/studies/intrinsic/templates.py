"""Reliability of the templates: how often other sentences rank the groups differently (intrinsic-2023 §5.1)."""

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pandas as pd

from biassay.studies.intrinsic.scores import read_unmasking
from biassay.studies.intrinsic.tables import Study

MAX_INSTABILITY = 0.05


def instability(p: np.ndarray, n: int, n_samples: int, *, seed: int) -> float:
    """Compute how often n sentences rank the groups differently from all sentences (Table 3).

    Each sample is drawn without replacement and is the same for all occupations. The paper calls the result a p-value.

    p: probabilities of the groups, (occupations, sentences, groups). Returns the share of samples whose whole ranking
    differs, averaged over occupations: 0 to 1.
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


def measure_reliability(
    study: Study, folders: Mapping[int, Path], share: float, samples: int, *, seed: int
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Measure instability and disagreement, averaged over the models of the grid.

    Returns one row per attribute (n_sentences; n_sampled, a `share` of them), with min_sentences from
    `find_min_sentences`, and one per attribute and sample size n: mean and std (ddof 1) of instability over models,
    mean of disagreement.
    """
    rows = []
    for model in study.grid.index:
        for attribute in study.attributes:
            p = read_unmasking(folders[model], attribute, len(study.occupations), len(study.groups(attribute)))
            n_sentences = p.shape[1]
            sizes = [("share", round(share * n_sentences)), *(("size", n) for n in sample_sizes(n_sentences))]
            rows += [
                (kind, attribute, n_sentences, n, instability(p, n, samples, seed=seed),
                 disagreement(p, n, samples, seed=seed))
                for kind, n in sizes
            ]  # fmt: skip
    names = ["kind", "attribute", "n_sentences", "n", "instability", "disagreement"]
    keys = names[:4]
    grouped = pd.DataFrame(rows, columns=names).groupby(keys, sort=False)
    table = grouped["instability"].agg(["mean", "std", "size"]).rename(columns={"size": "models"})
    table = table.assign(disagreement=grouped["disagreement"].mean()).reset_index()
    by_size = table[table["kind"] == "size"].drop(columns=["kind", "n_sentences"])
    by_attribute = table[table["kind"] == "share"].drop(columns="kind").rename(columns={"n": "n_sampled"})
    return by_attribute.merge(find_min_sentences(by_size), on="attribute", how="left"), by_size


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
