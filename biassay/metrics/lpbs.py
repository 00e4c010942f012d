"""LPBS: how much more does a target raise the probability of one group's word than of the other's?"""

import re
from typing import Literal

import numpy as np

from biassay.language_models import likelihoods, tokens, unmasking
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
    if pieces not in unmasking.PIECES:
        raise ValueError(f"pieces: unknown value {pieces!r}; choices: {', '.join(unmasking.PIECES)}")
    if isinstance(targets, str) or targets is None or len(targets) != len(more):
        raise ValueError(f"targets: {targets!r:.80}; lpbs needs a list of the words asked about, one a pair")
    texts = [*more, *less]
    places = [_find(word, text) for word, text in zip([*targets, *targets], texts, strict=True)]
    sentences = tokens.tokenise(model.tokenizer, texts, np.array(places))
    groups = np.zeros_like(sentences.places)
    for pair, text in enumerate(more):
        changed = [block for block in likelihoods.blocks(sentences, pair) if block[0] != "equal"]
        if len(changed) != 1 or changed[0][0] != "replace":
            raise ValueError(f"{text!r} and {less[pair]!r}: must differ in one word, that of the group")
        groups[pair, 0], groups[pair + len(more), 0] = changed[0][1:3], changed[0][3:5]
    sentences = tokens.Tokens(sentences.ids, sentences.lengths, np.concatenate([groups, sentences.places], axis=1))
    if pieces == "refuse":
        unmasking.refuse(model.tokenizer, sentences, 0)
    beside = unmasking.place_log_probabilities(model, sentences, 0)
    prior = unmasking.place_log_probabilities(model, sentences, 0, hidden=(1,))
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
