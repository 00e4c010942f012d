"""WEAT's effect size does not measure the amount of bias: Figure 2 of same-2021, on a trained model's embeddings."""

from itertools import combinations

import numpy as np
import pandas as pd

from biassay.metrics import same, same_skew, same_stereotype, weat
from biassay.studies.same.tables import Grid

N_MILD = 20  # number of mild occupations of each side among which pairs are searched
MIN_EFFECT_SIZE = 2 / np.sqrt(3)  # lower bound of |d| for two against two words in the right order
STEPS = {  # which of the four words x_1, x_2, y_1, y_2 are replaced by the strongest of their side
    "mild words": (),
    "one of Y replaced": (3,),
    "one of X replaced": (1,),
    "one of each replaced": (1, 3),
    "all replaced": (0, 1, 2, 3),
}
WORDS = ["x_1", "x_2", "y_1", "y_2"]
LABELS = np.array([0, 0, 1, 1])
METRICS = {"same": same, "same_skew": same_skew, "same_stereotype": same_stereotype}
COLUMNS = ["step", *WORDS, *(f"s_{name}" for name in WORDS), "effect_size", "mean_absolute", *METRICS]


def select_model(grid: Grid) -> int:
    """Select the model whose occupations split most evenly into p(male) > 0.5 and p(male) < 0.5 by unmasking."""
    p = grid.unmasking.loc[grid.learned_models.index]
    return int(np.minimum((p > 0.5).sum(axis=1), (p < 0.5).sum(axis=1)).idxmax())


def demonstrate(words: list[str], targets: np.ndarray, groups: list[np.ndarray]) -> pd.DataFrame:
    """Replace mild words by stronger ones, step by step, and compute the effect size and SAME at each step.

    X holds words closer to the first group and Y words closer to the second. Among the N_MILD mildest words of each
    side we search the two pairs for which d falls most when the stronger word of either pair is replaced by the
    strongest of its side: the pairs with the largest minimum of both falls.

    targets: (n, d); groups: vectors of both groups. Empty if a side has fewer than 4 words.
    """
    s = weat.word_bias(targets, groups)
    order = np.argsort(np.abs(s), kind="stable")
    sides = [order[s[order] > 0], order[s[order] < 0]]
    if min(map(len, sides)) < len(WORDS):
        return pd.DataFrame(columns=COLUMNS)
    mild = np.concatenate(_mild_pairs(s, sides))
    strongest = np.concatenate([side[[-2, -1]] for side in sides])
    rows = []
    for step, replaced in STEPS.items():
        chosen = np.where(np.isin(np.arange(4), replaced), strongest, mild)
        values = [metric.set_bias(targets[chosen], groups) for metric in METRICS.values()]
        d = weat.set_bias(targets[chosen], groups, LABELS)
        rows.append([step, *(words[i] for i in chosen), *s[chosen], d, np.abs(s[chosen]).mean(), *values])
    return pd.DataFrame(rows, columns=COLUMNS)


def _mild_pairs(s: np.ndarray, sides: list[np.ndarray]) -> list[np.ndarray]:
    """Positions of the pairs of mild words of X and of Y, the milder word first."""
    pairs = [np.array(list(combinations(side[:-2][:N_MILD], 2))) for side in sides]
    x, y = (s[pair] for pair in pairs)
    replaced_x, replaced_y = (np.column_stack([values[:, 0], np.full(len(values), s[side[-1]])])
                              for values, side in zip((x, y), sides, strict=True))  # fmt: skip
    start = effect_sizes(x, y)
    falls = np.minimum(start - effect_sizes(replaced_x, y), start - effect_sizes(x, replaced_y))
    best = np.unravel_index(np.argmax(falls), falls.shape)
    return [pair[i] for pair, i in zip(pairs, best, strict=True)]


def effect_sizes(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Compute d of each pair of associations x (p, 2) against each pair y (q, 2): (p, q)."""
    four = np.concatenate([np.repeat(x[:, None], len(y), axis=1), np.repeat(y[None], len(x), axis=0)], axis=2)
    return (four[..., :2].mean(axis=2) - four[..., 2:].mean(axis=2)) / four.std(axis=2)
