"""RNSB: relative negative sentiment bias, how unevenly a sentiment classifier finds groups negative.

(1/log k) Σ_i p_i log(k p_i),  p_i = P(negative | Ā_i) / Σ_j P(negative | Ā_j),  k groups
"""

from typing import Annotated

import numpy as np
from scipy.special import expit, xlogy

from biassay.measurement.metric import Level, Metric
from biassay.numerics import logistic
from biassay.numerics.growth import Growth
from biassay.numerics.logistic_growth import fit_growing

METRIC = Metric(
    summary="divergence from uniform of the groups' shares of negative sentiment, by logistic regression",
    source="Sweeney and Najafian 2019; silhouette-2021",
    cite=("sweeney2019", "spliethoever2021"),
    avoid=(
        "With few target words, from which no classifier can be learnt: it needed half to four fifths of long "
        "lists (silhouette study). It tells that groups differ in predicted sentiment, not in which association."
    ),
    groups=(2, None),
    set=Level(0.0, 1.0, labels=True, undefined="a vector is not finite"),
    scale_invariant=False,
    exempt="its targets are labelled target words that teach a classifier; the groups are what is judged",
)


def negativity(
    targets: np.ndarray, labels: np.ndarray, rows: np.ndarray, *, c: Annotated[float, "0 < x <= 1e12"] = 1.0
) -> np.ndarray:
    """P(negative) of rows (k, d), learnt from target words (n, d) labelled 1 (negative) or 0 (positive): (k,).

    Logistic regression at the optimum of ½‖w‖² + c Σ log-loss, the intercept not penalised.
    """
    weights, intercept = logistic.fit(targets, labels, c)
    return expit(rows @ weights + intercept)


def set_bias(
    targets: np.ndarray,
    groups: list[np.ndarray],
    labels: np.ndarray,
    *,
    per_word: bool = False,
    c: Annotated[float, "0 < x <= 1e12"] = 1.0,
) -> float:
    """KL divergence (nats) of the groups' shares of P(negative) from uniform, over log(number of groups): 0 to 1, 0
    means no bias; no sign.

    Concept words are the targets (n, d), labelled 1 (negative) or 0 (positive); a group (m_i, d) is its mean vector.
    `per_word`: every word of the groups has a share of its own, as Sweeney and Najafian have it, over log(number of
    words). Lengths count. Identical groups give 0; NaN if a vector is not finite.
    """
    arrays = [np.asarray(group, np.float64) for group in groups]
    rows = np.concatenate(arrays) if per_word else np.stack([group.mean(axis=0) for group in arrays])
    if not (np.isfinite(rows).all() and np.isfinite(targets).all()):
        return np.nan
    return float(_divergence(negativity(targets, labels, rows, c=c)))


def set_bias_growing_targets(
    targets: np.ndarray,
    groups: list[np.ndarray],
    labels: np.ndarray,
    growth: Growth,
    *,
    c: Annotated[float, "0 < x <= 1e12"] = 1.0,
) -> np.ndarray:
    """Values of growing target words, each subset's classifier at its optimum: (n, steps).

    The classifiers do not depend on the groups; they are kept for other groups.
    """
    means = np.stack([np.mean(group, axis=0, dtype=np.float64) for group in groups])
    if ("rnsb", c) not in growth.cache:
        shuffles = [np.flatnonzero(labels == label)[order] for label, order in enumerate(growth.shuffles)]
        growth.cache["rnsb", c] = list(fit_growing(targets, labels, shuffles, growth.sizes, c=c))
    fits = growth.cache["rnsb", c]
    return np.stack([_divergence(expit(fit.weights @ means.T + fit.intercepts[:, None])) for fit in fits], axis=1)


def set_bias_growing_groups(
    targets: np.ndarray,
    groups: list[np.ndarray],
    labels: np.ndarray,
    growth: Growth,
    *,
    c: Annotated[float, "0 < x <= 1e12"] = 1.0,
) -> np.ndarray:
    """Values with growing groups, judged by one classifier: (n, steps)."""
    weights, intercept = logistic.fit(targets, labels, c)
    logits = growth.means([group @ weights + intercept for group in groups])
    return np.stack([_divergence(expit(np.stack(of_shuffle, axis=1))) for of_shuffle in logits])


def _divergence(negativity: np.ndarray) -> np.ndarray:
    """From P(negative) (…, groups), the divergence of their shares from uniform, as a share of the largest."""
    shares = negativity / negativity.sum(axis=-1, keepdims=True)
    n = shares.shape[-1]
    return np.clip(xlogy(shares, shares * n).sum(axis=-1) / np.log(n), 0.0, 1.0)
