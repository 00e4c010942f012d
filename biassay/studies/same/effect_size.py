"""The effect size is no amount of bias: same-2021 §3.1 (Figure 2), on occupations that a trained model embedded."""

from itertools import combinations

import numpy as np
import pandas as pd

from biassay.metrics import same, same_skew, same_stereotype, weat
from biassay.studies.same.tables import Grid

MILDEST = 20  # occupations of each side that the mild ones are searched among
LEAST = 2 / np.sqrt(3)  # |d| of two against two words in correct order is at least that
STEPS = {  # which of the four words x_1, x_2, y_1, y_2 are replaced by the strongest of their side
    "mild words": (),
    "one of Y replaced": (3,),
    "one of X replaced": (1,),
    "one of each replaced": (1, 3),
    "all replaced": (0, 1, 2, 3),
}
WORDS = ["x_1", "x_2", "y_1", "y_2"]
LABELS = np.array([0, 0, 1, 1])
COLUMNS = ["step", *WORDS, *(f"s_{name}" for name in WORDS), "effect_size", "mean_absolute", "same", "same_skew"]
COLUMNS += ["same_stereotype"]


def example(grid: Grid) -> int:
    """The kept model whose occupations divide most evenly into those with p(male) over and under .5 by unmasking."""
    p = grid.unmasking.loc[grid.learned_models.index]
    return int(np.minimum((p > 0.5).sum(axis=1), (p < 0.5).sum(axis=1)).idxmax())


def demonstrate(words: list[str], targets: np.ndarray, groups: list[np.ndarray]) -> pd.DataFrame:
    """A row a step of STEPS: its words, their s(w, A, B), effect_size d, mean_absolute s, same, same_skew,
    same_stereotype. words: n with embeddings (n, d); groups: A and B.

    X's words are nearer A and Y's nearer B. Of the MILDEST of both sides those two pairs are taken where replacing the
    stronger word of a pair by the strongest of its side lowers d most: the smaller of both falls is the largest (the
    first of equal ones). Empty if a side has fewer than 4 words.
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
        vectors = targets[chosen]
        rows.append(
            [step, *(words[i] for i in chosen), *s[chosen], weat.set_bias(vectors, groups, LABELS),
             np.abs(s[chosen]).mean(), *(metric.set_bias(vectors, groups)
                                         for metric in (same, same_skew, same_stereotype))]
        )  # fmt: skip
    return pd.DataFrame(rows, columns=COLUMNS)


def _mild_pairs(s: np.ndarray, sides: list[np.ndarray]) -> list[np.ndarray]:
    """The pairs of mild words of X and of Y, by number, the milder first."""
    pairs = [np.array(list(combinations(side[:-2][:MILDEST], 2))) for side in sides]
    x, y = (s[pair] for pair in pairs)
    of_x, of_y = (np.column_stack([values[:, 0], np.full(len(values), s[side[-1]])])
                  for values, side in zip((x, y), sides, strict=True))  # fmt: skip
    start = effect_sizes(x, y)
    falls = np.minimum(start - effect_sizes(of_x, y), start - effect_sizes(x, of_y))
    best = np.unravel_index(np.argmax(falls), falls.shape)
    return [pair[i] for pair, i in zip(pairs, best, strict=True)]


def effect_sizes(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """d of each pair of associations (p, 2) against each other pair (q, 2): (p, q)."""
    four = np.concatenate(
        [np.repeat(x[:, None], len(y), axis=1), np.repeat(y[None], len(x), axis=0)], axis=2
    )  # fmt: skip
    return (four[..., :2].mean(axis=2) - four[..., 2:].mean(axis=2)) / four.std(axis=2)
