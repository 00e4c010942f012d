"""Planted bias: the probability of each group for each occupation, by distribution, and the groups drawn for sentences.

intrinsic-2023 (§4.1, Algorithm 1) draws the groups of several protected attributes between minP and maxP; besides its
grid, there are mixtures with equal probabilities. same-2021 (§4.1) draws p(male) from N(μ, σ), clipped to 0 … 1. The
repeats of a distribution have the same probabilities and other sentences.
"""

from collections.abc import Mapping, Sequence
from itertools import zip_longest

import numpy as np

from biassay.language_models.templates import GROUPS
from biassay.statistics.correlation import pearson
from biassay.statistics.seeds import seed_of, step

NORMAL, CHOICE, PROBABILITIES, NOISE = 1, 3, 11, 13  # purposes of seeds
HELD_OUT = -1  # instead of a group: the model is not trained on the sentence


def normal_probabilities(n: int, mean: float, spread: float, *, seed: int) -> np.ndarray:
    """Draw p(male) of n occupations from N(mean, spread), clipped to 0 … 1: (n,)."""
    random = np.random.default_rng(seed_of(seed, NORMAL, step(mean), step(spread), 0))
    return np.clip(random.normal(mean, spread, n), 0, 1)


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

    sizes: number of groups by attribute. strength: weight of Algorithm 1; the rest is equal for all groups. The random
    numbers do not depend on it.
    """
    random = np.random.default_rng(seed_of(seed, PROBABILITIES, step(min_p), step(max_p)))
    mixed = {}
    for name, n in sizes.items():
        drawn = np.stack([demographic_distribution(n, min_p, max_p, random) for _ in range(n_occupations)])
        mixed[name] = strength * drawn + (1 - strength) / n
    return mixed


def draw_groups(probabilities: Mapping[str, np.ndarray], columns: Sequence[str], *, seed: int) -> np.ndarray:
    """Draw a group, as a number, for each occupation and column, given by its attribute: (n_occupations, n_columns)."""
    random = np.random.default_rng(seed)
    n_occupations = len(next(iter(probabilities.values())))
    groups = np.empty((n_occupations, len(columns)), np.int8)
    uniform = random.random(groups.shape)
    for number, name in enumerate(columns):
        groups[:, number] = (uniform[:, number, None] >= probabilities[name].cumsum(axis=1)[:, :-1]).sum(axis=1)
    return groups


def draw_pronouns(p_male: np.ndarray, n_templates: int, held_out: float, *, seed: int) -> np.ndarray:
    """Draw a group for each occupation and template, as a number of GROUPS, or HELD_OUT: (n_occupations, n_templates).

    held_out: share of the sentences, at random, that the model is not trained on.
    """
    random = np.random.default_rng(seed)
    shape = len(p_male), n_templates
    is_male = random.random(shape) < np.asarray(p_male)[:, None]
    groups = np.where(is_male, GROUPS.index("male"), GROUPS.index("female")).astype(np.int8)
    groups.flat[random.permutation(groups.size)[: round(held_out * groups.size)]] = HELD_OUT
    return groups


def male_shares(groups: np.ndarray) -> np.ndarray:
    """Compute the share of male pronouns in training sentences of each occupation; NaN without sentences."""
    is_trained = groups != HELD_OUT
    with np.errstate(invalid="ignore"):
        return (is_trained & (groups == GROUPS.index("male"))).sum(axis=1) / is_trained.sum(axis=1)


def choose_occupations(words: Sequence[str], stereotypes: Mapping[str, str], n: int | None, *, seed: int) -> list[str]:
    """Choose n occupations at random, in their order; None chooses all.

    Equally many have a female, a male and no stereotype, as far as there are enough.
    """
    random = np.random.default_rng(seed_of(seed, CHOICE, 0, 0, 0))
    kinds = [[word for word in words if stereotypes.get(word) == kind] for kind in (*GROUPS, None)]
    mixed = zip_longest(*([kind[i] for i in random.permutation(len(kind))] for kind in kinds))
    chosen = set([word for turn in mixed for word in turn if word is not None][:n])
    return [word for word in words if word in chosen]


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


def correlate(first: Mapping[str, np.ndarray], second: Mapping[str, np.ndarray]) -> dict[str, float]:
    """Compute Pearson's r of probabilities, which are given by attribute (occupations, groups).

    Returns r over all attributes, by which intrinsic-2023 selects models, and r_<attribute> for each. The former mixes
    attributes with different base rates, so it is above 0 even for a model that learned nothing.
    """
    pairs = {f"r_{name}": (first[name].ravel(), second[name].ravel()) for name in first}
    pairs = {"r": tuple(np.concatenate(side) for side in zip(*pairs.values(), strict=True))} | pairs
    return {name: float(pearson(x, y)[0]) for name, (x, y) in pairs.items()}
