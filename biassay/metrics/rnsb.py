"""RNSB (relative negative sentiment bias): how unevenly does a sentiment classifier rate groups as negative?

(1/log k) Σ_i p_i log(k p_i),  p_i = P(negative | Ā_i) / Σ_j P(negative | Ā_j),  k groups
"""

from typing import Annotated

import numpy as np
from scipy.special import log_expit, softmax, xlogy

from biassay.measurement.metric import Level, Metric
from biassay.statistics import logistic
from biassay.statistics.growth import Growth

METRIC = Metric(
    summary="divergence of the groups' shares of negative sentiment (logistic regression) from uniform",
    source="Sweeney and Najafian 2019; silhouette-2021",
    cite=("sweeney2019", "spliethoever2021"),
    avoid=(
        "With few targets, from which no classifier can be learned: it needed half to four fifths of long lists "
        "(silhouette study). It shows that groups differ in predicted sentiment, not which associations differ."
    ),
    groups=(2, None),
    set=Level(0.0, 1.0, labels=True, undefined="a vector is not finite"),
    scale_invariant=False,
    learns=True,
    exempt="its targets are labelled words that train a classifier, which then rates the groups",
)

MAX_EXACT = 128  # targets whose growing subsets are fitted one by one


def set_bias(
    targets: np.ndarray,
    groups: list[np.ndarray],
    labels: np.ndarray,
    *,
    per_word: bool = False,
    c: Annotated[float, "0 < x <= 1e12"] = 1.0,
) -> float:
    """Compute the KL divergence of the groups' shares of P(negative) from uniform, divided by log(number of groups).

    Labels (n,) are 1 for negative and 0 for positive targets. P(negative) is predicted by logistic regression at the
    optimum of ½‖w‖² + c Σ log-loss; the intercept is not penalised. A group is represented by its mean vector; lengths
    count. From 0 to 1, without sign; 0 means no bias, as with identical groups. NaN if a vector is not finite.

    Parameters
    ----------
    per_word : bool
        Give every word of the groups a share, as Sweeney and Najafian do, and divide by log(number of words).
    c : float
        Inverse strength of the regularisation.
    """
    arrays = [np.asarray(group, np.float64) for group in groups]
    rows = np.concatenate(arrays) if per_word else np.stack([group.mean(axis=0) for group in arrays])
    if not (np.isfinite(rows).all() and np.isfinite(targets).all()):
        return np.nan
    weights, intercept = logistic.fit(targets, labels, c)
    return float(_divergence(rows @ weights + intercept))


def set_bias_by_labels(
    targets: np.ndarray, groups: list[np.ndarray], labels: np.ndarray, *, c: float = 1.0
) -> np.ndarray:
    """Compute `set_bias` for each row of labels (m, n): (m,)."""
    means = np.stack([np.mean(group, axis=0, dtype=np.float64) for group in groups])
    fit = logistic.fit_labels(targets, labels, c)
    return _divergence(fit.weights @ means.T + fit.intercepts[:, None])


def set_bias_growing_targets(
    targets: np.ndarray, groups: list[np.ndarray], labels: np.ndarray, growth: Growth, *, c: float = 1.0
) -> np.ndarray:
    """Compute `set_bias` of growing targets: (n_shuffles, steps).

    The classifiers do not depend on the groups and are cached for other groups. Those of a single step, or of few
    targets, are exact.
    """
    means = np.stack([np.mean(group, axis=0, dtype=np.float64) for group in groups])
    if ("rnsb", c) not in growth.cache:
        shuffles = [np.flatnonzero(labels == label)[order] for label, order in enumerate(growth.shuffles)]
        if len(growth.sizes) == 1 or len(targets) <= MAX_EXACT:
            subsets = (zip(shuffles, sizes, strict=True) for sizes in growth.sizes)
            samples = (np.hstack([order[:, :size] for order, size in subset]) for subset in subsets)
            growth.cache["rnsb", c] = [logistic.fit_samples(targets, labels, sample, c) for sample in samples]
        else:
            growth.cache["rnsb", c] = list(logistic.fit_growing(targets, labels, shuffles, growth.sizes, c=c))
    fits = growth.cache["rnsb", c]
    return np.stack([_divergence(fit.weights @ means.T + fit.intercepts[:, None]) for fit in fits], axis=1)


def set_bias_growing_groups(
    targets: np.ndarray, groups: list[np.ndarray], labels: np.ndarray, growth: Growth, *, c: float = 1.0
) -> np.ndarray:
    """Compute `set_bias` with growing groups and a single classifier, or one per drawn targets: (n_shuffles, steps)."""
    if growth.drawn is None:
        weights, intercept = logistic.fit(targets, labels, c)
        logits = growth.means([group @ weights + intercept for group in groups])
    else:
        fit = logistic.fit_samples(targets, labels, growth.drawn, c)
        logits = [(mean @ fit.weights[..., None])[..., 0] + fit.intercepts[:, None] for mean in growth.means(groups)]
    return _divergence(np.stack(logits, axis=-1))


def _divergence(logits: np.ndarray) -> np.ndarray:
    """Compute the divergence of the shares of P(negative) from uniform, from logits (…, groups): (…), from 0 to 1."""
    shares = softmax(log_expit(logits), axis=-1)
    n = shares.shape[-1]
    return np.clip(xlogy(shares, shares * n).sum(axis=-1) / np.log(n), 0.0, 1.0)
