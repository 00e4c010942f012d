"""LPBS: how much more does a target raise the probability of one group's word than of the other's?"""

import re
from typing import Literal

import numpy as np

from biassay.language_models import likelihoods, unmasking
from biassay.language_models.loading import LanguageModel
from biassay.measurement.metric import Level, Metric

METRIC = Metric(
    summary="log-probability of a group's word beside the target over its prior, the first group's less the second's",
    source="Kurita et al. 2019 (log probability bias score); intrinsic-2023 §3.4",
    takes="language_model",
    sample=Level(None, None, signed=True),
    set=Level(None, None, signed=True),
    aggregate="mean",
    exempt="it takes a language model and sentences, no vectors",
)


def scores(
    model: LanguageModel,
    more: list[str],
    less: list[str],
    *,
    targets: list[str] | None = None,
    pieces: Literal["refuse", "mean"] = "refuse",
) -> np.ndarray:
    """log p(mask = group | target) − log p_prior(mask = group) of both groups of n pairs: (n, 2), in nats.

    A pair's sentences differ in the word of the group only ("He is a nurse.", "She is a nurse."). targets (n): the
    word whose bias is asked, once in both sentences; the prior has all of its pieces masked. A group's word of several
    pieces is refused, or (pieces="mean") has the mean of their log p. Raises ValueError, naming the sentence, for
    pairs that differ otherwise and for a target that is not there once.
    """
    if isinstance(targets, str) or targets is None or len(targets) != len(more):
        raise ValueError(f"targets: {targets!r:.80}; lpbs needs a list of the words asked about, one a pair")
    places = [_find(word, text) for word, text in zip([*targets, *targets], [*more, *less], strict=True)]
    words = unmasking.group_words(model, (more, less), np.array(places)[:, None], pieces)
    beside = unmasking.place_log_probabilities(model, words, 0)
    prior = unmasking.place_log_probabilities(model, words, 0, hidden=(1,))
    return (beside.astype(np.float64) - prior).reshape(2, -1).T


def _find(word: str, text: str) -> tuple[int, int]:
    """Where a word stands in a text, whatever its case."""
    found = [match.span() for match in re.finditer(rf"(?<!\w){re.escape(word)}(?!\w)", text, re.IGNORECASE)]
    if len(found) != 1:
        raise ValueError(f"{text!r}: has the target {word!r} {len(found)} times; it must stand there once")
    return found[0]


def sample_bias(scores: np.ndarray) -> np.ndarray:
    """Difference of the two groups' scores, (n, 2): (n,), unbounded, positive where the target speaks for the first."""
    return likelihoods.differences(scores)


def set_bias(scores: np.ndarray) -> float:
    """Mean of the sample values of scores (n, 2); 0 without bias."""
    return float(likelihoods.differences(scores).mean())
