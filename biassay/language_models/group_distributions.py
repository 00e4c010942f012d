"""Planted bias of several protected attributes: the probability of each group for each occupation, and draws from it.

After intrinsic-2023 §4.1, Algorithm 1. A distribution is fixed by minP and maxP; its repeats have the same
probabilities and different sentences. Besides the paper's grid, there are mixtures of these with equal probabilities.
"""

from collections.abc import Mapping, Sequence
from itertools import pairwise

import numpy as np
import pandas as pd

from biassay.statistics.seeds import seed_of, step

MIN_P, MAX_P = (0.05, 0.10, 0.15, 0.20), (0.80, 0.85, 0.90, 0.95)
REPEATS = 5
GRID, DETECTION = "grid", "detection"
PROBABILITIES, SENTENCES, NOISE = 11, 12, 13  # purposes of seeds
COLUMNS = ["purpose", "distribution", "min_p", "max_p", "strength", "repeat", "seed"]


def grid(
    min_p: Sequence[float] = MIN_P, max_p: Sequence[float] = MAX_P, repeats: int = REPEATS, *, seed: int
) -> pd.DataFrame:
    """List the models of the paper's grid, one row per model: COLUMNS, with strength 1 and the seed of its data.

    A model's data depend only on `seed`, its minP, maxP, strength and repeat. Raises ValueError for a minP or maxP
    outside 0 … 1, a maxP not above minP, fewer than 1 repeat, or a repeated value.
    """
    for name, values in (("min_p", min_p), ("max_p", max_p)):
        if not len(values) or len({step(value) for value in values}) < len(values):
            raise ValueError(f"{name}: expected one or more different values, got {list(values)!r}")
    pairs = [(low, high) for low in min_p for high in max_p]
    return _rows([(GRID, number, *pair, 1.0, repeats) for number, pair in enumerate(pairs)], seed)


def detection_grid(
    min_p: float, max_p: float, strengths: Sequence[float], repeats: int, *, seed: int, first: int
) -> pd.DataFrame:
    """List models of one minP and maxP by strength, from 0 (equal groups) to 1 (as in the grid), as `grid` does.

    Distributions are numbered from `first`. Raises ValueError, too, unless strengths rise from 0 to at most 1.
    """
    if not strengths:
        return pd.DataFrame(columns=COLUMNS)
    if strengths[0] != 0 or strengths[-1] > 1 or any(a >= b for a, b in pairwise(strengths)):
        raise ValueError(f"strengths: expected numbers that rise from 0 to at most 1, got {list(strengths)!r}")
    return _rows([(DETECTION, first + i, min_p, max_p, float(s), repeats) for i, s in enumerate(strengths)], seed)


def _rows(distributions: list[tuple], seed: int) -> pd.DataFrame:
    rows = []
    for purpose, number, low, high, strength, repeats in distributions:
        if not 0 <= low < high <= 1:
            raise ValueError(f"min_p, max_p: expected 0 ≤ min_p < max_p ≤ 1, got {low!r}, {high!r}")
        if repeats < 1:
            raise ValueError(f"repeats: expected an integer ≥ 1, got {repeats!r}")
        rows += [
            (purpose, number, low, high, strength, repeat,
             seed_of(seed, SENTENCES, step(low), step(high), step(strength), purpose == GRID, repeat))
            for repeat in range(repeats)
        ]  # fmt: skip
    return pd.DataFrame(rows, columns=COLUMNS)


def demographic_distribution(n: int, min_p: float, max_p: float, random: np.random.Generator) -> np.ndarray:
    """Draw the probabilities of n groups by Algorithm 1, in random order: (n,), summing to 1.

    The first n − 1 drawn lie in minP/n … maxP/n, so the last one, the remainder, is above 1/n if maxP < 1.
    """
    low, high, rest, drawn = min_p / n, max_p / n, 1.0, []
    for remaining in range(n - 1, 0, -1):
        drawn.append(random.uniform(low, min(high, rest - low * remaining)))
        rest -= drawn[-1]
    shuffled = np.empty(n)
    shuffled[random.permutation(n)] = [*drawn, rest]
    return shuffled


def probabilities(
    n_occupations: int, sizes: Mapping[str, int], min_p: float, max_p: float, strength: float = 1.0, *, seed: int
) -> dict[str, np.ndarray]:
    """Draw the probabilities of the groups of each attribute for each occupation: (n_occupations, n_groups).

    Parameters
    ----------
    sizes
        Number of groups by attribute.
    strength
        Weight of Algorithm 1; the rest is equal for all groups. The random numbers do not depend on it.
    """
    random = np.random.default_rng(seed_of(seed, PROBABILITIES, step(min_p), step(max_p)))
    drawn = {name: np.stack([demographic_distribution(n, min_p, max_p, random) for _ in range(n_occupations)])
             for name, n in sizes.items()}  # fmt: skip
    return {name: strength * p + (1 - strength) / sizes[name] for name, p in drawn.items()}


def draw_groups(probabilities: Mapping[str, np.ndarray], columns: Sequence[str], *, seed: int) -> np.ndarray:
    """Draw a group, as a number, for each occupation and column: (n_occupations, n_columns) int8.

    columns: the attribute of each column.
    """
    random = np.random.default_rng(seed)
    n_occupations = len(next(iter(probabilities.values())))
    groups = np.empty((n_occupations, len(columns)), np.int8)
    uniform = random.random(groups.shape)
    for number, name in enumerate(columns):
        groups[:, number] = (uniform[:, number, None] >= probabilities[name].cumsum(axis=1)[:, :-1]).sum(axis=1)
    return groups


def group_frequencies(drawn: np.ndarray, columns: Sequence[str], sizes: Mapping[str, int]) -> dict[str, np.ndarray]:
    """Compute the share of each group among an occupation's draws, by attribute: (n_occupations, n_groups).

    This is p_data of the paper.
    """
    attributes = np.asarray(columns)
    return {
        name: np.stack([(drawn[:, attributes == name] == group).mean(axis=1) for group in range(n)], axis=1)
        for name, n in sizes.items()
    }


def stereotypes(p: np.ndarray, noise: float = 0.0, *, seed: int = 0) -> np.ndarray:
    """Find the stereotypical group of each occupation, as a number: (n_occupations,).

    It is the most probable one by p (n_occupations, n_groups), after adding Gaussian noise with the standard deviation
    `noise` to every probability (intrinsic-2023 §5.2.2). Without noise it is the ideal stereotype.
    """
    random = np.random.default_rng(seed_of(seed, NOISE))
    return (p + random.normal(0, noise, p.shape) if noise else p).argmax(axis=1)
