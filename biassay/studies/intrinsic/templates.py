"""Reliability of the templates: how often other sentences rank the groups differently (intrinsic-2023 §5.1)."""

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pandas as pd

from biassay.studies.intrinsic.scores import read_unmasking
from biassay.studies.intrinsic.tables import Study

MAX_INSTABILITY = 0.05
KEYS = ["is_share", "attribute", "n_sentences", "n"]


def compare_rankings(p: np.ndarray, n: int, n_samples: int, *, seed: int) -> tuple[float, float]:
    """Compute how often n sentences rank the groups differently from all sentences, and from n others (Table 3).

    Each sample is drawn without replacement and is the same for all occupations. The first result, instability, which
    the paper calls a p-value, falls to 0 as n approaches the number of sentences; the second, disagreement, does not.

    p: probabilities of the groups, (occupations, sentences, groups). Returns the shares of samples whose whole ranking
    differs, averaged over occupations: 0 to 1. Disagreement is NaN for fewer than 2 n sentences.
    """
    places = np.argsort(np.random.default_rng([seed, n]).random((n_samples, p.shape[1])), axis=1)
    ranking, full_ranking = _rank(places < n, p), np.argsort(p.sum(axis=1), axis=1, kind="stable")
    instability = float((ranking != full_ranking).any(axis=2).mean())
    if 2 * n > p.shape[1]:
        return instability, np.nan
    other = (places >= n) & (places < 2 * n)
    return instability, float((ranking != _rank(other, p)).any(axis=2).mean())


def _rank(chosen: np.ndarray, p: np.ndarray) -> np.ndarray:
    """Rank the groups by the sentences chosen for each sample (samples, sentences): (samples, occupations, groups)."""
    return np.argsort(np.tensordot(chosen.astype(p.dtype), p, (1, 1)), axis=2, kind="stable")


def sample_sizes(n_sentences: int) -> list[int]:
    """List the sample sizes to try: 1, 2, 3, 5, 7, 10, 15, 20, 30, …, all below n_sentences, and n_sentences − 1."""
    sizes = [round(base * 10**power) for power in range(4) for base in (1, 1.5, 2, 3, 5, 7)]
    return sorted({n for n in (*sizes, n_sentences - 1) if 0 < n < n_sentences})


def measure_reliability(
    study: Study, folders: Mapping[int, Path], share: float, samples: int, *, seed: int
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Measure instability and disagreement, averaged over the models of the grid.

    Returns one row per attribute (n_sentences; n_sampled, a `share` of them; min_sentences, from which on instability
    is at most 5 %), and one per attribute and sample size n: mean and std (ddof 1) of instability over models, mean of
    disagreement.
    """
    rows = []
    for model in study.grid.index:
        for attribute in study.attributes:
            p = read_unmasking(folders[model], attribute, len(study.occupations), len(study.groups(attribute)))
            n_sentences = p.shape[1]
            n_sampled = max(1, round(share * n_sentences))
            for is_share, n in [(True, n_sampled), *((False, n) for n in sample_sizes(n_sentences))]:
                rows.append((is_share, attribute, n_sentences, n, *compare_rankings(p, n, samples, seed=seed)))
    by_size = pd.DataFrame(rows, columns=[*KEYS, "value", "disagreement"]).groupby(KEYS, sort=False)
    table = by_size["value"].agg(mean="mean", std="std", models="size")
    table = table.assign(disagreement=by_size["disagreement"].mean()).reset_index()
    shares, sizes = (table[table["is_share"] == value].drop(columns="is_share") for value in (True, False))
    curve = sizes.drop(columns="n_sentences")
    return shares.rename(columns={"n": "n_sampled"}).merge(find_min_sentences(curve), on="attribute", how="left"), curve


def find_min_sentences(curve: pd.DataFrame) -> pd.DataFrame:
    """Find, by attribute, the number of sentences from which on instability is at most 5 %; NaN for none."""
    rows = []
    for attribute, table in curve.groupby("attribute", sort=False):
        from_largest = table.sort_values("n", ascending=False)
        is_stable = (from_largest["mean"] <= MAX_INSTABILITY).cummin()
        rows.append((attribute, from_largest["n"][is_stable].min()))
    return pd.DataFrame(rows, columns=["attribute", "min_sentences"])
