"""Bias of several attributes planted at once: how probable each group is for each occupation, and what is drawn.

After intrinsic-2023 §4.1, Algorithm 1. A distribution is fixed by minP and maxP; its repeats have the same
probabilities, but other sentences. Beside the paper's grid there are models of these mixed with equal ones.
"""

from collections.abc import Mapping, Sequence
from itertools import pairwise

import numpy as np
import pandas as pd

from biassay.numerics.seeds import seed_of, step

LEAST, MOST = (0.05, 0.10, 0.15, 0.20), (0.80, 0.85, 0.90, 0.95)
REPEATS = 5
GRID, DETECTION = "grid", "detection"
PROBABILITIES, SENTENCES, NOISE = 11, 12, 13  # purposes of seeds
COLUMNS = ["purpose", "distribution", "min_p", "max_p", "strength", "repeat", "seed"]


def grid(
    least: Sequence[float] = LEAST, most: Sequence[float] = MOST, repeats: int = REPEATS, *, seed: int
) -> pd.DataFrame:
    """The models of the paper's grid, a row each: COLUMNS, with strength 1, and seed that of a model's data.

    A model's data depend on `seed`, its minP, maxP, strength and repeat only. Raises ValueError for a minP or maxP out
    of 0 … 1, maxP not above minP, repeats below 1, or one that stands twice.
    """
    for name, values in (("min_p", least), ("max_p", most)):
        if not len(values) or len({step(value) for value in values}) < len(values):
            raise ValueError(f"{name}: {list(values)!r}; give one or more, each once")
    pairs = [(low, high) for low in least for high in most]
    return _rows([(GRID, number, *pair, 1.0, repeats) for number, pair in enumerate(pairs)], seed)


def detection_grid(
    min_p: float, max_p: float, strengths: Sequence[float], repeats: int, *, seed: int, first: int
) -> pd.DataFrame:
    """Models of one minP and maxP, by strength: 0 for equal groups, 1 for the probabilities of the grid; as `grid`.

    Distributions are numbered from `first`. Raises ValueError, too, unless strengths rise from 0 to at most 1.
    """
    if not strengths:
        return pd.DataFrame(columns=COLUMNS)
    if strengths[0] != 0 or strengths[-1] > 1 or any(a >= b for a, b in pairwise(strengths)):
        raise ValueError(f"strengths: {list(strengths)!r}; they begin with 0 and rise, to 1 at most")
    return _rows([(DETECTION, first + i, min_p, max_p, float(s), repeats) for i, s in enumerate(strengths)], seed)


def _rows(distributions: list[tuple], seed: int) -> pd.DataFrame:
    rows = []
    for purpose, number, low, high, strength, repeats in distributions:
        if not 0 <= low < high <= 1:
            raise ValueError(f"min_p, max_p: {low!r}, {high!r}; they are from 0 to 1, and max_p is more")
        if repeats < 1:
            raise ValueError(f"repeats: {repeats!r}; at least 1")
        rows += [
            (purpose, number, low, high, strength, repeat,
             seed_of(seed, SENTENCES, step(low), step(high), step(strength), purpose == GRID, repeat))
            for repeat in range(repeats)
        ]  # fmt: skip
    return pd.DataFrame(rows, columns=COLUMNS)


def demographic_distribution(n: int, min_p: float, max_p: float, random: np.random.Generator) -> np.ndarray:
    """Probabilities of n groups by Algorithm 1, in random order: (n,), summing to 1.

    The first n − 1 drawn lie in minP/n … maxP/n, so the last one, which has the rest, is above 1/n if maxP < 1.
    """
    least, most, rest, found = min_p / n, max_p / n, 1.0, []
    for to_come in range(n - 1, 0, -1):
        found.append(random.uniform(least, min(most, rest - least * to_come)))
        rest -= found[-1]
    shuffled = np.empty(n)
    shuffled[random.permutation(n)] = [*found, rest]
    return shuffled


def probabilities(
    occupations: int, sizes: Mapping[str, int], min_p: float, max_p: float, strength: float = 1.0, *, seed: int
) -> dict[str, np.ndarray]:
    """Probabilities of the groups of each attribute, of so many groups, for each occupation: (occupations, groups).

    strength: share of Algorithm 1 in them, the rest is equal for all groups; the draws do not depend on it.
    """
    random = np.random.default_rng(seed_of(seed, PROBABILITIES, step(min_p), step(max_p)))
    drawn = {name: np.stack([demographic_distribution(n, min_p, max_p, random) for _ in range(occupations)])
             for name, n in sizes.items()}  # fmt: skip
    return {name: strength * p + (1 - strength) / sizes[name] for name, p in drawn.items()}


def draw_groups(probabilities: Mapping[str, np.ndarray], columns: Sequence[str], *, seed: int) -> np.ndarray:
    """Groups, by number, of every occupation and column, each column of one attribute: (occupations, columns) int8."""
    random = np.random.default_rng(seed)
    occupations = len(next(iter(probabilities.values())))
    found = np.empty((occupations, len(columns)), np.int8)
    uniform = random.random(found.shape)
    for number, name in enumerate(columns):
        found[:, number] = (uniform[:, number, None] >= probabilities[name].cumsum(axis=1)[:, :-1]).sum(axis=1)
    return found


def group_frequencies(drawn: np.ndarray, columns: Sequence[str], sizes: Mapping[str, int]) -> dict[str, np.ndarray]:
    """Share of each group among an occupation's draws, by attribute: (occupations, groups), p_data of the paper."""
    of = np.asarray(columns)
    return {
        name: np.stack([(drawn[:, of == name] == group).mean(axis=1) for group in range(n)], axis=1)
        for name, n in sizes.items()
    }


def stereotypes(p: np.ndarray, noise: float = 0.0, *, seed: int = 0) -> np.ndarray:
    """The group that an occupation is thought to belong to, by number: (occupations,).

    It is the likeliest one by p (occupations, groups) with Gaussian noise, its standard deviation given, on every
    probability (intrinsic-2023 §5.2.2); without noise the ideal one.
    """
    random = np.random.default_rng(seed_of(seed, NOISE))
    return (p + random.normal(0, noise, p.shape) if noise else p).argmax(axis=1)
