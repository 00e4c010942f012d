"""Planted bias of language models: the probability of a male pronoun for each occupation, and sentences that follow it.

After same-2021 §4.1: p(male) of the occupations is drawn from N(μ, σ) and clipped to 0 … 1, for a grid of μ and σ. The
repeats of a distribution have the same p, but other pronouns and another split of the sentences.
"""

from collections.abc import Mapping, Sequence
from itertools import zip_longest

import numpy as np
import pandas as pd

from biassay.language_models.templates import GROUPS
from biassay.statistics.correlation import pearson
from biassay.statistics.seeds import seed_of, step

MEANS = tuple(round(0.25 + 0.05 * step, 2) for step in range(11))
SPREADS = tuple(round(0.10 + 0.05 * step, 2) for step in range(6))
REPEATS = 5
HELD_OUT = 0.3


def grid(
    means: Sequence[float] = MEANS, spreads: Sequence[float] = SPREADS, repeats: int = REPEATS, *, seed: int
) -> pd.DataFrame:
    """List the models of a grid of μ and σ.

    A model's data depend only on `seed`, its μ, σ and repeat; so a part of a grid has the same data as the whole.

    Returns
    -------
    One row per model: model (0, 1, …), distribution, mean, spread, repeat, seed (of its data).

    Raises
    ------
    ValueError
        For a μ outside 0 … 1, a σ below 0, fewer than 1 repeat, or a repeated value.
    """
    for name, values, max_value in (("mean", means, 1.0), ("spread", spreads, np.inf)):
        for value in values:
            if not 0 <= value <= max_value:
                raise ValueError(f"{name}: expected a number from 0 to {max_value:g}, got {value!r}")
        if not len(values) or len({step(value) for value in values}) < len(values):
            raise ValueError(f"{name}s: expected one or more different values, got {list(values)!r}")
    if repeats < 1:
        raise ValueError(f"repeats: expected an integer ≥ 1, got {repeats!r}")
    rows = [
        {"distribution": i * len(spreads) + j, "mean": mean, "spread": spread, "repeat": repeat,
         "seed": seed_of(seed, 2, step(mean), step(spread), repeat)}
        for i, mean in enumerate(means) for j, spread in enumerate(spreads) for repeat in range(repeats)
    ]  # fmt: skip
    return pd.DataFrame(rows).rename_axis("model").reset_index()


def choose_occupations(words: Sequence[str], stereotypes: Mapping[str, str], n: int | None, *, seed: int) -> list[str]:
    """Choose n occupations at random, in their order; None chooses all.

    Equally many have a female, a male and no stereotype, as far as there are enough. Raises ValueError for an n below 1
    or above the number of occupations.
    """
    if n is None:
        return list(words)
    if not 1 <= n <= len(words):
        raise ValueError(f"n_occupations: expected 1 to {len(words)}, the number of occupations, got {n!r}")
    random = np.random.default_rng(seed_of(seed, 3, 0, 0, 0))
    kinds = [[word for word in words if stereotypes.get(word) == kind] for kind in (*GROUPS, None)]
    mixed = zip_longest(*([kind[i] for i in random.permutation(len(kind))] for kind in kinds))
    chosen = set([word for turn in mixed for word in turn if word is not None][:n])
    return [word for word in words if word in chosen]


def probabilities(n: int, mean: float, spread: float, *, seed: int) -> np.ndarray:
    """Draw p(male) of n occupations from N(mean, spread), clipped to 0 … 1: (n,)."""
    random = np.random.default_rng(seed_of(seed, 1, step(mean), step(spread), 0))
    return np.clip(random.normal(mean, spread, n), 0, 1)


def draw_sentences(
    probabilities: np.ndarray, n_templates: int, *, seed: int, model: int = 0, held_out: float = HELD_OUT
) -> pd.DataFrame:
    """Draw the sentences of a model: each occupation in each template.

    Parameters
    ----------
    probabilities
        Probability of a male pronoun for each occupation, (n,).
    held_out
        Share of the sentences, at random, that the model is not trained on; 0 or more, below 1.

    Returns
    -------
    One row per sentence: model, occupation and template (numbers), male, held_out.
    """
    if not 0 <= held_out < 1:
        raise ValueError(f"held_out: expected a share from 0 to below 1, got {held_out!r}")
    random = np.random.default_rng(seed)
    n = len(probabilities) * n_templates
    occupation = np.repeat(np.arange(len(probabilities), dtype=np.int16), n_templates)
    male = random.random(n) < np.asarray(probabilities)[occupation]
    is_held_out = np.zeros(n, bool)
    is_held_out[random.permutation(n)[: round(held_out * n)]] = True
    template = np.tile(np.arange(n_templates, dtype=np.int16), len(probabilities))
    return pd.DataFrame(
        {"model": np.int16(model), "occupation": occupation, "template": template, "male": male,
         "held_out": is_held_out}
    )  # fmt: skip


def sentence_rows(sentences: pd.DataFrame, n_templates: int) -> np.ndarray:
    """Find the rows of the sentences of `draw_sentences` among those of `templates.fill`: (n,)."""
    form = sentences["occupation"].to_numpy(np.int64) * n_templates + sentences["template"].to_numpy(np.int64)
    return 2 * form + sentences["male"].to_numpy(np.int64)


def training_bias(sentences: pd.DataFrame, n_occupations: int) -> np.ndarray:
    """Compute the share of male pronouns in a model's training sentences: (n_occupations,), NaN without sentences."""
    trained = sentences[~sentences["held_out"]]
    male = np.bincount(trained["occupation"], trained["male"], n_occupations)
    with np.errstate(invalid="ignore"):
        return male / np.bincount(trained["occupation"], minlength=n_occupations)


def learning_r2(unmasking: np.ndarray, training: np.ndarray) -> float:
    """Compute R², the squared Pearson correlation over occupations, of unmasking with training bias (same-2021 §5.1).

    From 0 to 1. Occupations without training sentences (NaN) are left out. NaN for fewer than 3, or if one side is
    constant.
    """
    return float(pearson(unmasking, training)[0] ** 2)
