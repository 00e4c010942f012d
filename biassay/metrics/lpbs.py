"""LPBS: how much more does a target raise the probability of one group's word than of the other's?

log( p(group | target) / p_prior(group) ) of the first group − that of the second
"""

import re
from typing import Literal

import numpy as np

from biassay.language_models import causal, likelihoods, unmasking
from biassay.language_models.loading import LanguageModel
from biassay.measurement.metric import Level, Metric

METRIC = Metric(
    summary="log-probability of a group's word beside the target over its prior, the first group's less the second's",
    source="Kurita et al. 2019 (log probability bias score); intrinsic-2023 §3.4",
    cite=("kurita2019", "schroeder2023"),
    avoid=(
        "With words of several pieces, or few templates: it hangs on the sentence around the words. It compares "
        "two groups only."
    ),
    takes="language_model",
    models=("masked", "causal"),
    word=Level(None, None, signed=True),
    set=Level(None, None, signed=True),
    aggregate="mean",
    exempt="it takes a language model and sentences, no vectors",
)


def scores(
    model: LanguageModel,
    stereotypical: list[str],
    antistereotypical: list[str],
    *,
    targets: list[str] | None = None,
    multi_token: Literal["raise", "mean"] = "raise",
) -> np.ndarray:
    """log p(mask = group | target) − log p_prior(mask = group) of both groups of n pairs: (n, 2), in nats.

    A pair's sentences differ in the word of the group only ("He is a nurse.", "She is a nurse."). targets (n): the
    word whose bias is asked, once in both sentences; the prior has all of its pieces masked. A group's word of several
    pieces is refused, or (multi_token="mean") has the mean of their log p. Raises ValueError, naming the sentence, for
    pairs that differ otherwise and for a target that is not there once.

    A causal model is asked for log p(target | what stands before it, the group's word too), the sum over the target's
    pieces. By Bayes' theorem, what a target adds to log p(group) is what the group adds to log p(target), and its prior
    is the same for both groups: the difference is LPBS, given what stands before the target, whatever pieces the
    group's word has. ValueError for a target before the group's word: the prior without it cannot be asked.
    """
    if isinstance(targets, str) or targets is None or len(targets) != len(stereotypical):
        raise ValueError(f"targets: {targets!r:.80}; lpbs needs a list of the words asked about, one a pair")
    places = [
        _find(word, text) for word, text in zip([*targets, *targets], [*stereotypical, *antistereotypical], strict=True)
    ]
    if model.kind == "causal":
        return _continued(model, stereotypical, antistereotypical, np.array(places)[:, None])
    words = unmasking.tokenise_groups(model, (stereotypical, antistereotypical), np.array(places)[:, None], multi_token)
    beside = unmasking.place_log_probabilities(model, words, 0)
    prior = unmasking.place_log_probabilities(model, words, 0, hidden=(1,))
    return (beside.astype(np.float64) - prior).reshape(2, -1).T


def _continued(
    model: LanguageModel, stereotypical: list[str], antistereotypical: list[str], targets: np.ndarray
) -> np.ndarray:
    """log p(target | what stands before it) of both sentences of n pairs, by a causal model: (n, 2), in nats."""
    words = unmasking.tokenise_groups(model, (stereotypical, antistereotypical), targets, "mean")
    first, end = words.places[:, 1].T
    for row in np.flatnonzero(first < words.places[:, 0, 1]):
        raise ValueError(
            f"{[*stereotypical, *antistereotypical][row]!r}: of a causal model, lpbs asks for the target given the group's word, which must "
            "stand before it; reword the sentences, or take log_likelihood"
        )
    columns = np.arange(words.ids.shape[1])
    inside = (columns >= first[:, None]) & (columns < end[:, None])
    found = causal.log_probabilities(model, words)
    return np.where(inside, found, 0).sum(axis=1, dtype=np.float64).reshape(2, -1).T


def _find(word: str, text: str) -> tuple[int, int]:
    """Where a word stands in a text, whatever its case."""
    found = [match.span() for match in re.finditer(rf"(?<!\w){re.escape(word)}(?!\w)", text, re.IGNORECASE)]
    if len(found) != 1:
        raise ValueError(f"{text!r}: has the target {word!r} {len(found)} times; it must stand there once")
    return found[0]


def word_bias(scores: np.ndarray) -> np.ndarray:
    """Difference of the two groups' scores, (n, 2): (n,), unbounded, positive where the target speaks for the first."""
    return likelihoods.score_differences(scores)


def set_bias(scores: np.ndarray) -> float:
    """Mean of the word-level values of scores (n, 2); 0 without bias."""
    return float(likelihoods.score_differences(scores).mean())
