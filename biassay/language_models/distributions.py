"""Bias planted in language models: how probable a male pronoun is for each occupation, and which sentences say so.

After same-2021 §4.1: p(male) of the occupations is drawn from N(μ, σ), clipped to 0 … 1, for a grid of μ and σ; every
distribution is repeated with the same p, but other pronouns and another split of the sentences.
"""

from collections.abc import Mapping, Sequence
from itertools import zip_longest

import numpy as np
import pandas as pd

from biassay.language_models.templates import GROUPS
from biassay.numerics.seeds import seed_of, step

MEANS = tuple(round(0.25 + 0.05 * step, 2) for step in range(11))
SPREADS = tuple(round(0.10 + 0.05 * step, 2) for step in range(6))
REPEATS = 5
HELD_OUT = 0.3


def grid(
    means: Sequence[float] = MEANS, spreads: Sequence[float] = SPREADS, repeats: int = REPEATS, *, seed: int
) -> pd.DataFrame:
    """The models, a row each: model (0, 1, …), distribution, mean, spread, repeat, seed (of its data).

    A model's data depend on `seed`, its μ, σ and repeat only, so a part of a grid has the data of the whole.
    Raises ValueError for a μ that is no probability, a σ below 0, repeats below 1, or one that stands twice.
    """
    for name, values, most in (("mean", means, 1.0), ("spread", spreads, np.inf)):
        for value in values:
            if not 0 <= value <= most:
                raise ValueError(f"{name}: {value!r} is not from 0 to {most:g}")
        if not len(values) or len({step(value) for value in values}) < len(values):
            raise ValueError(f"{name}s: {list(values)!r}; give one or more, each once")
    if repeats < 1:
        raise ValueError(f"repeats: {repeats!r}; at least 1")
    rows = [
        {"distribution": i * len(spreads) + j, "mean": mean, "spread": spread, "repeat": repeat,
         "seed": seed_of(seed, 2, step(mean), step(spread), repeat)}
        for i, mean in enumerate(means) for j, spread in enumerate(spreads) for repeat in range(repeats)
    ]  # fmt: skip
    return pd.DataFrame(rows).rename_axis("model").reset_index()


def choose_occupations(words: Sequence[str], stereotypes: Mapping[str, str], n: int | None, *, seed: int) -> list[str]:
    """n of the occupations at random, in their order; None: all.

    As many have the stereotype female as male or none, as far as there are enough. Raises ValueError for an n below 1
    or above their number.
    """
    if n is None:
        return list(words)
    if not 1 <= n <= len(words):
        raise ValueError(f"n_occupations: {n!r} is not from 1 to {len(words)}, the occupations that there are")
    random = np.random.default_rng(seed_of(seed, 3, 0, 0, 0))
    kinds = [[word for word in words if stereotypes.get(word) == kind] for kind in (*GROUPS, None)]
    mixed = zip_longest(*([kind[i] for i in random.permutation(len(kind))] for kind in kinds))
    chosen = set([word for turn in mixed for word in turn if word is not None][:n])
    return [word for word in words if word in chosen]


def probabilities(n: int, mean: float, spread: float, *, seed: int) -> np.ndarray:
    """p(male) of n occupations, drawn from N(mean, spread) and clipped to 0 … 1: (n,)."""
    random = np.random.default_rng(seed_of(seed, 1, step(mean), step(spread), 0))
    return np.clip(random.normal(mean, spread, n), 0, 1)


def draw_sentences(
    probabilities: np.ndarray, templates: int, *, seed: int, model: int = 0, held_out: float = HELD_OUT
) -> pd.DataFrame:
    """The sentences of a model, a row each: model, occupation and template (their numbers), male, held_out.

    Each occupation stands in each of so many templates; the pronoun is male with the occupation's probability (n,); a
    share `held_out` of all sentences, at random, is kept from training. Raises ValueError for a share outside 0 … 1.
    """
    if not 0 <= held_out < 1:
        raise ValueError(f"held_out: {held_out!r} is not from 0 to below 1")
    random = np.random.default_rng(seed)
    n = len(probabilities) * templates
    occupation = np.repeat(np.arange(len(probabilities), dtype=np.int16), templates)
    male = random.random(n) < np.asarray(probabilities)[occupation]
    kept_out = np.zeros(n, bool)
    kept_out[random.permutation(n)[: round(held_out * n)]] = True
    template = np.tile(np.arange(templates, dtype=np.int16), len(probabilities))
    return pd.DataFrame(
        {"model": np.int16(model), "occupation": occupation, "template": template, "male": male, "held_out": kept_out}
    )


def sentence_rows(sentences: pd.DataFrame, templates: int) -> np.ndarray:
    """Where the sentences of `draw` stand among all those of `templates.fill`: (n,)."""
    form = sentences["occupation"].to_numpy(np.int64) * templates + sentences["template"].to_numpy(np.int64)
    return 2 * form + sentences["male"].to_numpy(np.int64)


def training_bias(sentences: pd.DataFrame, occupations: int) -> np.ndarray:
    """Share of male pronouns in the sentences of a model that are trained on, by occupation: (occupations,).

    NaN for an occupation without any.
    """
    trained = sentences[~sentences["held_out"]]
    male = np.bincount(trained["occupation"], trained["male"], occupations)
    with np.errstate(invalid="ignore"):
        return male / np.bincount(trained["occupation"], minlength=occupations)


def learning_r2(unmasking: np.ndarray, training: np.ndarray) -> float:
    """R², the squared Pearson correlation, of unmasking with training bias over occupations (n,); 0 to 1.

    Occupations without sentences, NaN, are left out; NaN where one of the two does not vary (same-2021 §5.1).
    """
    known = np.isfinite(training)
    with np.errstate(invalid="ignore", divide="ignore"):
        return float(np.corrcoef(unmasking[known], training[known])[0, 1] ** 2) if known.sum() > 1 else np.nan
