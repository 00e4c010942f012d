"""Two attributes at once: which of their groups a model joins for an occupation."""

import numpy as np


def joint(first: np.ndarray, given: np.ndarray) -> np.ndarray:
    """Probabilities of the groups of two attributes together: (occupations, first groups, second groups).

    first: probabilities of the first (occupations, groups); given: those of the second (occupations, sentences, first
    groups and neutral, second groups), asked in sentences that name a group of the first. p(a, b) = p(a) p(b | a).
    """
    return first[:, :, None] * given.mean(axis=1)[:, :-1]


def information(p: np.ndarray) -> np.ndarray:
    """Mutual information of two attributes given the occupation, in nats, of joint probabilities (n, a, b): (n,).

    0 where they are independent, as in the planted data.
    """
    product = p.sum(axis=2, keepdims=True) * p.sum(axis=1, keepdims=True)
    with np.errstate(divide="ignore", invalid="ignore"):
        terms = np.where(p > 0, p * np.log(p / product), 0.0)
    return terms.sum(axis=(1, 2))
