"""Two attributes at once: joint probabilities of their groups for an occupation."""

import numpy as np


def joint_probabilities(first: np.ndarray, conditional: np.ndarray) -> np.ndarray:
    """Compute p(a, b) = p(a) p(b | a) for the groups a and b of two attributes.

    Parameters
    ----------
    first : ndarray of shape (occupations, first groups)
        p(a).
    conditional : ndarray of shape (occupations, sentences, first groups + 1, second groups)
        p(b | a) in sentences that name a group of the first attribute; the last of these are neutral.

    Returns
    -------
    ndarray of shape (occupations, first groups, second groups)
    """
    return first[:, :, None] * conditional.mean(axis=1)[:, :-1]


def mutual_information(p: np.ndarray) -> np.ndarray:
    """Compute the mutual information of two attributes given the occupation, in nats: (n,).

    It is 0 where they are independent, as in the planted data. p: joint probabilities (n, a, b).
    """
    product = p.sum(axis=2, keepdims=True) * p.sum(axis=1, keepdims=True)
    with np.errstate(divide="ignore", invalid="ignore"):
        terms = np.where(p > 0, p * np.log(p / product), 0.0)
    return terms.sum(axis=(1, 2))
