"""Reliability of scores: intraclass correlations and Cronbach's alpha, with intervals over the subjects."""

from collections.abc import Callable

import numpy as np

from biassay.statistics.intervals import draw_resamples, expanded_levels, percentile_interval


def icc(scores: np.ndarray, *, absolute: bool) -> np.ndarray:
    """Compute the intraclass correlation of single scores of random subjects.

    Parameters
    ----------
    scores : ndarray of shape (…, n_subjects, n_raters)
    absolute : bool
        Whether raters must agree absolutely, ICC(2, 1), or up to a constant of each rater, ICC(3, 1).

    Returns
    -------
    ndarray of shape (…)
        At most 1; NaN with fewer than two subjects or raters, or if all scores are equal.

    References
    ----------
    Shrout and Fleiss 1979, Intraclass Correlations: Uses in Assessing Rater Reliability.

    Examples
    --------
    >>> shrout = [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]]
    >>> [float(icc(shrout, absolute=absolute).round(2)) for absolute in (True, False)]
    [0.29, 0.71]
    """
    scores = np.asarray(scores, float)
    n, k = scores.shape[-2:]
    if min(n, k) < 2:
        return np.full(scores.shape[:-2], np.nan)[()]
    subjects, raters = scores.mean(axis=-1, keepdims=True), scores.mean(axis=-2, keepdims=True)
    residuals = scores - subjects - raters + scores.mean(axis=(-2, -1), keepdims=True)
    between = k * subjects[..., 0].var(axis=-1, ddof=1)
    error = (residuals**2).sum(axis=(-2, -1)) / ((n - 1) * (k - 1))
    total = between + (k - 1) * error
    if absolute:
        total = total + k / n * (n * raters[..., 0, :].var(axis=-1, ddof=1) - error)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(total > 0, (between - error) / total, np.nan)[()]


def cronbach_alpha(scores: np.ndarray) -> float:
    """Compute Cronbach's alpha (1951) of the sum of items, from scores (n_subjects, n_items).

    At most 1, and 0 for independent items. NaN with fewer than two subjects or items, or if the sums are equal.

    Examples
    --------
    >>> float(cronbach_alpha([[1, 2], [2, 2], [3, 5]]).round(4))
    0.8571
    """
    scores = np.asarray(scores, float)
    n, k = scores.shape
    if min(n, k) < 2 or not (total := scores.sum(axis=1).var(ddof=1)) > 0:
        return np.nan
    return k / (k - 1) * (1 - scores.var(axis=0, ddof=1).sum() / total)


def interval_over_subjects(
    statistic: Callable[[np.ndarray], float], scores: np.ndarray, n_resamples: int, seed: int
) -> tuple[float, float]:
    """Compute the 95 % bootstrap interval of a statistic of scores (n_subjects, …) by resampling subjects."""
    if len(scores) < 2:
        return np.nan, np.nan
    samples = draw_resamples(len(scores), n_resamples, seed)
    return percentile_interval(
        np.array([statistic(scores[sample]) for sample in samples]), expanded_levels(len(scores))
    )
